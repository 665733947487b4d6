/**
 * A matrix of permissions in words, aligned, so that a change of one permission is one changed word in a snapshot.
 */
import type { McpMatrixCell } from './permissions.js';

/** The table: a line for each tool, a column for each caller. */
export function matrixTable<Name extends string>(
  callers: readonly Name[],
  rows: readonly (readonly [string, Readonly<Record<Name, McpMatrixCell>>])[],
): string {
  const lines = [
    ['tool', ...callers],
    ...rows.map(([tool, cells]) => [tool, ...callers.map((caller) => inWords(cells[caller]))]),
  ];
  const widths = ['tool', ...callers].map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column]!))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

function inWords({ listed, call, scopes = [], reason = '' }: McpMatrixCell): string {
  const words: Readonly<Record<McpMatrixCell['call'], string>> = {
    allowed: 'calls',
    'by-arguments': 'calls, scopes by arguments',
    challenged: `challenged: ${scopes.join(' ')}`,
    withheld: listed ? `refused: ${reason}` : `hidden: ${reason}`,
    failing: `fails: ${reason}`,
  };
  return listed || call === 'withheld' ? words[call] : `not listed, ${words[call]}`;
}
