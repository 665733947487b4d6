/**
 * Which kinds of value fit a property: what its validators agree on, narrowed by its declared type.
 */
import type { Kind, Rule } from './dto-rules.js';

/** Types that are no classes of an application, with the kind that each arrives as. */
export const KnownTypes: ReadonlyMap<unknown, Kind | undefined> = new Map<unknown, Kind | undefined>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Array, 'array'],
  [Set, 'array'],
  [Map, 'object'],
  [Object, undefined],
  [Function, undefined],
  [Promise, undefined],
  [Symbol, undefined],
  [BigInt, undefined],
  [Buffer, undefined],
]);

/** What all validators accept; `undefined` when none names a kind. Validators that contradict each other count for nothing. */
export function kindsOf(rules: readonly Rule[]): readonly Kind[] | undefined {
  let kinds: readonly Kind[] | undefined;
  for (const rule of rules) {
    if (rule.kinds === undefined) continue;
    const both: readonly Kind[] = kinds === undefined ? rule.kinds : common(kinds, rule.kinds);
    if (both.length > 0) kinds = both;
  }
  return kinds;
}

/** Kinds that fit a declared kind too; the validators win where TypeScript says something else. */
export function narrowed(kinds: readonly Kind[] | undefined, declared: Kind | undefined): readonly Kind[] | undefined {
  if (kinds === undefined) return declared === undefined ? undefined : [declared];
  const both = declared === undefined ? kinds : common(kinds, [declared]);
  return both.length > 0 ? both : kinds;
}

function common(some: readonly Kind[], others: readonly Kind[]): readonly Kind[] {
  const meet = (one: Kind, other: Kind): Kind | undefined => {
    if (one === other) return one;
    const isInteger = (one === 'integer' && other === 'number') || (one === 'number' && other === 'integer');
    return isInteger ? 'integer' : undefined;
  };
  const met = some.flatMap((one) => others.map((other) => meet(one, other)));
  return [...new Set(met.filter((kind) => kind !== undefined))];
}
