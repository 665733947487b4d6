/**
 * What a schema expects, as a short noun phrase: `an integer of at least 1`, `a string of at most 8 characters`.
 */
import type { JsonSchema } from '../tool.js';
import { cut } from './paths.js';
import { isObject, own, referred, type Subschema } from './walk.js';

const MAX_VALUES_CHARS = 300;
const MAX_PATTERN_CHARS = 200;

/** A phrase with its article. `root` is where references are looked up. */
export function phraseOf(schema: Subschema | undefined, root: JsonSchema, depth = 0): string {
  if (schema === false) return 'nothing';
  if (schema === undefined || schema === true || depth > 4) return 'any value';
  if (Object.hasOwn(schema, 'const')) return `exactly ${valueText(schema['const'])}`;
  const values = own(schema, 'enum');
  if (Array.isArray(values)) {
    return values.length === 1
      ? `exactly ${valueText(values[0])}`
      : `one of ${cut(values.map(valueText).join(', '), MAX_VALUES_CHARS)}`;
  }
  const types = [own(schema, 'type') ?? impliedType(schema)].flat() as (string | undefined)[];
  if (types[0] !== undefined) return alternatives(types.map((type) => ofType(type ?? 'null', schema)));
  const target = referred(schema, root);
  if (target !== undefined) return phraseOf(target, root, depth + 1);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const list = own(schema, keyword);
    if (!Array.isArray(list)) continue;
    const phrases = list.map((part: Subschema) => phraseOf(part, root, depth + 1));
    return keyword === 'allOf'
      ? (phrases.find((phrase) => phrase !== 'any value') ?? 'any value')
      : alternatives(phrases);
  }
  return 'any value';
}

/** What was given, when it is short enough to be worth saying: `, got "two"`. */
export function given(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return ', got an array';
  return typeof value === 'object' && value !== null ? ', got an object' : `, got ${valueText(value)}`;
}

/** `(string)`, for a value that is not there. */
export function inBrackets(phrase: string): string {
  return phrase === 'any value' ? '' : ` (${phrase.replace(/^an? /, '')})`;
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return String(value); // also what JSON cannot say again
  return typeof value === 'string' ? JSON.stringify(cut(value, 60)) : cut(JSON.stringify(value) ?? 'nothing', 60);
}

function alternatives(phrases: readonly string[]): string {
  const distinct = [...new Set(phrases)];
  if (distinct.includes('any value')) return 'any value';
  return distinct.length < 2 ? distinct.join() : `${distinct.slice(0, -1).join(', ')} or ${distinct.at(-1)}`;
}

/** The type that a schema's other keywords speak of, when it names none. */
function impliedType(schema: JsonSchema): string | undefined {
  const has = (...keywords: string[]): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (has('pattern', 'minLength', 'maxLength', 'format')) return 'string';
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  if (has('properties', 'required')) return 'object';
  return has('items', 'prefixItems', 'minItems', 'maxItems') ? 'array' : undefined;
}

function ofType(type: string, schema: JsonSchema): string {
  if (type === 'null') return 'null';
  const details = DETAILS[type]?.(schema).filter((detail) => detail !== undefined) ?? [];
  return [`${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`, ...details].join(' ');
}

const DETAILS: Readonly<Record<string, (schema: JsonSchema) => (string | undefined)[]>> = {
  string: (schema) => [
    text(own(schema, 'format'), (format) => `in the format ${format}`),
    count(own(schema, 'minLength'), own(schema, 'maxLength'), 'character'),
    text(own(schema, 'pattern'), (pattern) => `that matches ${cut(pattern, MAX_PATTERN_CHARS)}`),
  ],
  number: numeric,
  integer: numeric,
  array: (schema) => [count(own(schema, 'minItems'), own(schema, 'maxItems'), 'item')],
  object: (schema) => {
    const required = own(schema, 'required');
    return [Array.isArray(required) && required.length > 0 ? `with ${cut(required.join(', '), 100)}` : undefined];
  },
};

function numeric(schema: JsonSchema): (string | undefined)[] {
  const [min, max] = [own(schema, 'minimum'), own(schema, 'maximum')];
  return [
    typeof min === 'number' && typeof max === 'number' ? `from ${min} to ${max}` : undefined,
    typeof min === 'number' && typeof max !== 'number' ? `of at least ${min}` : undefined,
    typeof max === 'number' && typeof min !== 'number' ? `of at most ${max}` : undefined,
    text(own(schema, 'exclusiveMinimum'), (limit) => `greater than ${limit}`),
    text(own(schema, 'exclusiveMaximum'), (limit) => `less than ${limit}`),
    text(own(schema, 'multipleOf'), (step) => `that is a multiple of ${step}`),
  ];
}

function text(value: unknown, say: (value: string) => string): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? say(String(value)) : undefined;
}

function count(min: unknown, max: unknown, noun: string): string | undefined {
  const nouns = (number: number): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const least = typeof min === 'number' && min > 0 ? min : undefined;
  if (typeof max !== 'number') return least === undefined ? undefined : `of at least ${nouns(least)}`;
  if (least === undefined) return `of at most ${nouns(max)}`;
  return least === max ? `of ${nouns(max)}` : `of ${least} to ${nouns(max)}`;
}

/** Whether a value is one that `given()` would show. */
export function isScalar(value: unknown): boolean {
  return !isObject(value) && !Array.isArray(value);
}
