/**
 * How facts of one kind are told: narrowed by a filter, in brief or in full with the place of each, without their secrets, and no
 * more of them than an answer has room for.
 */
import { fitting, matching } from '../bounded.js';
import { placesOf, type Place } from '../places/places.js';
import { maskSecrets } from '../secrets/mask.js';

/** Facts of one kind, and the two ways in which they are told. */
export interface Telling<F> {
  /** What they are, in the plural: `routes`. */
  readonly of: string;
  readonly brief: (fact: F) => unknown;
  /** With `detail`. @default in brief */
  readonly full?: (fact: F, place: Place | undefined) => unknown;
  /** What a fact is written as. */
  readonly code?: (fact: F) => Function | undefined;
  readonly note?: string | undefined;
}

/** What is asked of them. */
export interface Asked {
  readonly filter?: string | undefined;
  readonly detail?: boolean | undefined;
  /** The project's folder, which places are told from. */
  readonly project: string;
}

/** More are never told in one answer. */
const FULL_AT_MOST = 50;

/** The filter looks at what is told, with its secrets masked: nobody guesses one by asking for its letters. */
export async function tellFacts<F>(
  facts: readonly F[],
  { of, brief, full, code, note, filter, detail = false, project }: Telling<F> & Asked,
): Promise<object> {
  const told = facts.map((fact) => ({ fact, brief: maskSecrets(brief(fact)) }));
  const chosen = matching(told, filter, (each) => JSON.stringify(each.brief));
  let items = chosen.map((each) => each.brief);
  if (detail && full !== undefined) {
    const first = chosen.slice(0, FULL_AT_MOST);
    const codes = first.map(({ fact }) => code?.(fact));
    const places = await placesOf([...new Set(codes.filter((one) => one !== undefined))], project);
    items = [
      ...first.map(({ fact }, at) => maskSecrets(full(fact, codes[at] && places.get(codes[at])))),
      ...items.slice(FULL_AT_MOST),
    ];
  }
  return { ...(note !== undefined && { note }), ...fitting(items, { of, filter }) };
}
