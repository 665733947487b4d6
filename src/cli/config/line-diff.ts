/**
 * The lines in which two texts differ, without those around them: a client's file holds more than is anybody's business.
 */

/** A line that goes or comes. */
export interface LineChange {
  readonly sign: '-' | '+';
  readonly text: string;
}

/** The changes that make `after` of `before`, by the longest common run of lines. */
export function lineDiff(before: string, after: string): LineChange[] {
  const from = linesOf(before);
  const to = linesOf(after);
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return changesOf(from.slice(start, from.length - end), to.slice(start, to.length - end));
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Only the few lines between the first change and the last are compared each with each. */
function changesOf(from: readonly string[], to: readonly string[]): LineChange[] {
  // common[i][j]: how many lines the rests from i and from j have in common.
  const common = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0));
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      common[i]![j] = from[i] === to[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) [i, j] = [i + 1, j + 1];
    else if (j >= to.length || (i < from.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      changes.push({ sign: '-', text: from[i++]! });
    } else changes.push({ sign: '+', text: to[j++]! });
  }
  return changes;
}
