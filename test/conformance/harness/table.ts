/**
 * The verdicts for people: one line for each scenario of a revision, one column for each platform.
 */
import type { Verdict } from './verdict.js';

/** What one platform did, in the order of the scenarios, which is the same for all. */
export interface Column {
  readonly platform: string;
  readonly verdicts: readonly Verdict[];
}

const NAME_WIDTH = 50;
const CELL_WIDTH = 12;

const SECTIONS: readonly (readonly [string, (verdict: Verdict) => boolean])[] = [
  ['scored', ({ scenario, notMeant }) => scenario.scored && !notMeant],
  ['not scored', ({ scenario, notMeant }) => !scenario.scored && !notMeant],
  ['not meant', ({ notMeant }) => notMeant],
];

/** All of one revision. */
export function table(revision: string, columns: readonly Column[]): string {
  const [first] = columns;
  if (first === undefined) return '';
  const lines = [
    line(
      revision,
      columns.map(({ platform }) => platform),
      'checks passed/failed/warnings',
    ),
  ];
  for (const [title, belongs] of SECTIONS) {
    const rows = first.verdicts.flatMap((verdict, at) => (belongs(verdict) ? [at] : []));
    if (rows.length === 0) continue;
    const good = columns.map(({ verdicts }) => rows.filter((at) => isGood(verdicts[at]!)).length);
    const sums = first.verdicts[rows[0]!]!.notMeant ? [] : good.map((some) => `${some} of ${rows.length}`);
    lines.push(line(`  ${title}`, sums));
    for (const at of rows) {
      const cells = columns.map(({ verdicts }) => cell(verdicts[at]!));
      const verdict = first.verdicts[at]!;
      lines.push(line(`    ${verdict.scenario.name}`, cells, verdict.excuse));
    }
  }
  return lines.join('\n');
}

function isGood({ lost }: Verdict): boolean {
  return lost.length === 0;
}

function cell(verdict: Verdict): string {
  const counts = `${verdict.passed}/${verdict.failed}/${verdict.warnings}`;
  return isGood(verdict) ? counts : `${counts} LOST`;
}

function line(name: string, cells: readonly string[], note = ''): string {
  return `${name.padEnd(NAME_WIDTH)}${cells.map((text) => text.padEnd(CELL_WIDTH)).join('')}${note}`.trimEnd();
}
