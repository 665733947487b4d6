/**
 * Properties that a schema does not declare, put into words: which, and those that it takes (T6).
 */
import type { ErrorObject } from 'ajv';
import type { ArgumentFault } from '../failure.js';
import type { JsonSchema } from '../tool.js';
import { isInheritedName } from './ajv-faults.js';
import type { Explained } from './explain.js';
import { cut, quoted } from './paths.js';
import { declaredNames, isObject, own } from './walk.js';

/** Whether an error is about a property that is not declared. */
export function isUnknownName({ keyword, params, parentSchema }: ErrorObject): boolean {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return true;
  const isClosed = isObject(parentSchema) && own(parentSchema, 'unevaluatedProperties') === false;
  return keyword === 'propertyNames' && isClosed && isInheritedName(params['propertyName']);
}

function nameIn({ params }: ErrorObject): string {
  return String(params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName']);
}

/** All unknown names of one object in one line, with those that it takes. */
export function unknownNames(here: readonly ErrorObject[], subject: Explained, path: string): ArgumentFault[] {
  const unknown = here.filter(isUnknownName);
  const declared = new Set(
    unknown.flatMap(({ parentSchema }) => [...declaredNames(parentSchema as JsonSchema, subject.schema)]),
  );
  const names = [...new Set(unknown.map(nameIn))];
  const isRoot = unknown[0]?.instancePath === '';
  const [noun, nouns] = isRoot && subject.noun === 'argument' ? ['argument', 'arguments'] : ['property', 'properties'];
  const strangers = names.filter((name) => !declared.has(name));
  if (strangers.length === 0) {
    // Declared by an alternative that was not taken; worth saying when nothing else is wrong here.
    if (unknown.length < here.length) return [];
    return [{ path, expected: `${noun} ${quoted(names[0] ?? '')} does not go together with the others` }];
  }
  const shown = strangers.slice(0, 10).map(quoted).join(', ') + (strangers.length > 10 ? ' and more' : '');
  const taker = noun === 'argument' ? 'this tool takes' : 'it takes';
  const taken = declared.size === 0 ? `${taker} no ${nouns}` : `${taker}: ${cut([...declared].join(', '), 1_000)}`;
  return [{ path, expected: `unknown ${strangers.length === 1 ? noun : nouns} ${shown}; ${taken}` }];
}
