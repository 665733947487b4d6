/**
 * A question that the bench answers.
 */
import type { Bench, Extent } from './bench.js';
import type { Table } from './tables.js';

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What is done and how to read the figures: goes into the report. */
  readonly about: string;
  /** The shortest run that asks it. @default 'quick' */
  readonly from?: Extent;
  run(bench: Bench): Promise<ScenarioOutcome>;
}

export interface ScenarioOutcome {
  readonly tables: readonly Table[];
  /** Figures by a name that goals and charts look up, as `subject/variant/figure`. */
  readonly figures: Readonly<Record<string, number>>;
  /** What could not be measured, and why. */
  readonly notes?: readonly string[];
}
