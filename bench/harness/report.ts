/**
 * The report of a run: Markdown for people, JSON for comparisons.
 */
import { cpus } from 'node:os';
import { type GoalOutcome, judgeGoals } from '../goals.js';
import type { Plan } from './bench.js';
import { canPin } from './pin.js';
import type { Scenario, ScenarioOutcome } from './scenario.js';
import type { Table } from './tables.js';

/** Everything that came of a run. */
export interface Report {
  readonly machine: string;
  readonly plan: Plan;
  readonly goals: readonly GoalOutcome[];
  readonly scenarios: readonly (Pick<Scenario, 'id' | 'title' | 'about'> & ScenarioOutcome)[];
}

export function makeReport(plan: Plan, answered: readonly (readonly [Scenario, ScenarioOutcome])[]): Report {
  const figures = Object.fromEntries(answered.map(([{ id }, outcome]) => [id, outcome.figures]));
  return {
    machine: `Node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores`,
    plan,
    goals: judgeGoals(figures, plan.extent),
    scenarios: answered.map(([{ id, title, about }, outcome]) => ({ id, title, about, ...outcome })),
  };
}

export function markdown({ machine, plan, goals, scenarios }: Report, chart: string): string {
  const rough = plan.extent === 'quick' ? ', a quick run: figures are rough' : '';
  const length = `${plan.rounds} rounds of ${plan.seconds} s each${rough}`;
  return [
    '# Measured',
    `${machine}; ${length}; ${canPin ? 'server and load on a core each' : 'server and load not pinned to cores'}.`,
    'Absolute figures drift with the machine; ratios within one run hold. `±` is half the distance between the lowest and ' +
      'the highest round. † the load generator was the limit, not the server: compare by CPU.',
    `![Calls a second](${chart})`,
    '## Goals',
    'Of several cases (eras, platforms, peers) the worst counts.',
    markdownTable({
      columns: ['goal', 'asked', 'measured', ''],
      rows: goals.map(({ goal, asked, measured, met }) => [
        goal,
        asked,
        measured,
        met === undefined ? '' : met ? 'reached' : 'not reached',
      ]),
    }),
    ...scenarios.flatMap(({ title, about, tables, notes = [] }) => [
      `## ${title}`,
      about,
      ...tables.flatMap((table) => [`### ${table.title}`, markdownTable(table)]),
      ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note.replaceAll(/\s+/g, ' ')}`).join('\n')]),
    ]),
    '',
  ].join('\n\n');
}

function markdownTable({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, at) => (at === 0 ? '---' : '--:'));
  return [line(columns), line(rule), ...rows.map(line)].join('\n');
}
