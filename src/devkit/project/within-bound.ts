/**
 * Answers that hold more than one list: shortened together until they are no longer than an answer of the devkit may be.
 */
import { DEVKIT_ANSWER_MAX_CHARS } from '../bounded.js';

/** The answer with the longest lists that fit. `build` is given how many items each list may have. */
export function withinBound<T>(limit: number, build: (limit: number) => T): T {
  for (let tried = limit; ; tried = Math.floor(tried / 2)) {
    const answer = build(tried);
    if (tried <= 1 || JSON.stringify(answer).length <= DEVKIT_ANSWER_MAX_CHARS) return answer;
  }
}

/** A text on one line, cut when it is longer. */
export function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
