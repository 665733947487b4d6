/**
 * An option that is one of a few words, with a sentence for every other.
 */

/** @throws Error that lists the words. */
export function oneOf<Word extends string>(words: readonly Word[], given: string, what: string): Word {
  const word = words.find((known) => known === given);
  if (word === undefined) throw new Error(`"${given}" is not ${what}: take ${words.join(' or ')}.`);
  return word;
}
