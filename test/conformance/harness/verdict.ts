/**
 * How a scenario went. What was not seen to hold is lost, a warning and a skipped check like a failure, unless it is not
 * meant to be kept.
 */
import type { NotMeant } from './not-meant.js';
import type { Check, Scenario } from './suite.js';

export interface Verdict {
  readonly scenario: Scenario;
  readonly passed: number;
  readonly failed: number;
  readonly warnings: number;
  /** Sentences: what should have held and did not. */
  readonly lost: readonly string[];
  /** Why something of it may be lost. */
  readonly excuse?: string;
  /** The whole scenario is not meant. */
  readonly notMeant: boolean;
  /** What is not meant passed all the same. */
  readonly passesAfterAll: boolean;
}

/** `checks` is missing when the scenario came to no end. */
export function judge(
  scenario: Scenario,
  checks: readonly Check[] | undefined,
  notMeant: readonly NotMeant[],
): Verdict {
  const mine = notMeant.filter(
    (entry) => entry.scenario === scenario.name && (entry.revision ?? scenario.revision) === scenario.revision,
  );
  const whole = mine.find(({ check }) => check === undefined);
  const excuses = ({ id }: Check) => whole ?? mine.find(({ check }) => check === id);
  const count = (status: Check['status']) => (checks ?? []).filter((check) => check.status === status).length;
  const unkept = (checks ?? []).filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
  const excused = unkept.filter((check) => excuses(check) !== undefined);
  const passed = count('SUCCESS');

  const lost = unkept.filter((check) => excuses(check) === undefined).map(sentence);
  if (checks === undefined && whole === undefined) lost.push('the scenario came to no end');
  else if (passed === 0 && unkept.length === 0 && mine.length === 0) lost.push('nothing was checked');
  return {
    scenario,
    passed,
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    lost,
    ...(mine[0] !== undefined && { excuse: mine[0].reason }),
    notMeant: whole !== undefined,
    passesAfterAll: mine.length > 0 && passed > 0 && excused.length === 0,
  };
}

function sentence({ id, status, description, errorMessage }: Check): string {
  return `${status} ${id}: ${description}${errorMessage === undefined ? '' : `\n${errorMessage}`}`;
}
