/**
 * From what somebody typed to the words to look for. Only letters and digits remain, so that nothing in a word means
 * anything to SQL's LIKE or to the full-text syntax.
 */
export function searchWords(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A full-text expression: every word must occur, at least as the beginning of one. */
export function fullTextExpression(words: readonly string[]): string {
  return words.map((word) => `"${word}"*`).join(' ');
}
