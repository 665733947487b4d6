/**
 * Findings for people: a line of what was seen, and below it what it means and what to change.
 */
import type { Paint, PaintStyle } from '../paint.js';
import { wrapped } from '../wrap.js';
import type { Finding, Verdict } from './finding.js';

const LABELS: Readonly<Record<Verdict, readonly [label: string, style: PaintStyle]>> = {
  ok: ['ok', 'good'],
  change: ['CHANGE', 'bad'],
  note: ['note', 'strong'],
  unchecked: ['unchecked', 'doubtful'],
};
const LABEL_WIDTH = 11;
const CHECK_WIDTH = 12;

/** One finding, in lines of at most `columns` characters. */
export function findingInWords(
  { verdict, check, seen, means, change }: Finding,
  paint: Paint,
  columns: number,
): string {
  const [label, style] = LABELS[verdict];
  const indent = ' '.repeat(LABEL_WIDTH + CHECK_WIDTH);
  const width = Math.max(40, columns - indent.length);
  const head = paint(style, label) + ' '.repeat(LABEL_WIDTH - label.length) + check.padEnd(CHECK_WIDTH);
  const below = [means, change === undefined ? undefined : `-> ${change}`].flatMap((text) =>
    text === undefined ? [] : wrapped(text, width),
  );
  const [first = '', ...rest] = wrapped(seen, width);
  return [head + first, ...[...rest, ...below].map((line) => indent + line)].join('\n') + '\n';
}

/** What came of it, in a sentence. */
export function summaryInWords(findings: readonly Finding[], paint: Paint): string {
  const count = (verdict: Verdict) => findings.filter((finding) => finding.verdict === verdict).length;
  const open = count('unchecked') === 0 ? '' : ` ${count('unchecked')} could not be looked at.`;
  const changes = count('change');
  if (changes === 0) return `\n${paint('good', 'Nothing must be changed.')}${open}\n`;
  return `\n${paint('bad', `${changes} ${changes === 1 ? 'thing' : 'things'} must be changed.`)}${open}\n`;
}
