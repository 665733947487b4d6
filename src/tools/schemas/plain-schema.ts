/**
 * Schemas of everyday keywords, told sound at a glance: without their meta-schema, whose compilation takes longer than the
 * rest of an application's start, and without a search for what only other keywords bring along. Most applications write
 * nothing else.
 */
import type { JsonSchema } from '../tool.js';
import { dialectOf, isPattern } from './dialects.js';
import { jsonFault } from './json-fault.js';
import { isObject, isPointer } from './walk.js';

/** How large a schema may be. */
export const MAX_DEPTH = 64;
export const MAX_SUBSCHEMAS = 5_000;

type Test = (value: unknown) => boolean;

/** Whether a keyword's value is as both dialects want it; `isSchema` looks at the schemas in it. */
type Sound = (value: unknown, isSchema: Test) => boolean;

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const isText: Test = (value) => typeof value === 'string';
const isFlag: Test = (value) => typeof value === 'boolean';
const isNumber: Test = (value) => Number.isFinite(value);
const isCount: Test = (value) => Number.isInteger(value) && (value as number) >= 0;
const isJson: Test = (value) => value !== undefined && jsonFault(value) === undefined;
const isScalar: Test = (value) => value === null || isText(value) || isFlag(value) || isNumber(value);

function isList(value: unknown, sound: Test, least: number): value is unknown[] {
  return Array.isArray(value) && value.length >= least && !value.includes(undefined) && value.every(sound);
}

function isSet(value: unknown, sound: Test, least: number): boolean {
  return isList(value, sound, least) && new Set(value).size === value.length;
}

const areNamed: Sound = (value, isSchema) => isPlainObject(value) && Object.values(value).every(isSchema);

const EVERYDAY = new Map<string, Sound>([
  ['type', (value) => TYPES.has(value) || isSet(value, (one) => TYPES.has(one), 1)],
  ['properties', areNamed],
  ['required', (value) => isSet(value, isText, 0)],
  ['additionalProperties', (value, isSchema) => isFlag(value) || isSchema(value)],
  ['enum', (value) => isSet(value, isScalar, 1)],
  ['examples', (value) => Array.isArray(value) && isJson(value)],
  ['multipleOf', (value) => isNumber(value) && (value as number) > 0],
  ['pattern', (value) => isText(value) && isPattern(value as string)],
  ...each('const default', isJson),
  ...each('items not propertyNames contains', (value, isSchema) => isSchema(value)),
  ...each('anyOf oneOf allOf prefixItems', (value, isSchema) => isList(value, isSchema, 1)),
  ...each('$schema $comment title description format', isText),
  ...each('minimum maximum exclusiveMinimum exclusiveMaximum', isNumber),
  ...each('minLength maxLength minItems maxItems minProperties maxProperties', isCount),
  ...each('uniqueItems readOnly writeOnly deprecated', isFlag),
]);

/** What a schema that holds itself has besides. */
const REFERRING = new Map<string, Sound>([
  ...EVERYDAY,
  ['$ref', (value) => isText(value) && isPointer(value as string) && /^[#/\w$.-]+$/.test(value as string)],
  ['$defs', areNamed],
]);

function each(words: string, sound: Sound): (readonly [string, Sound])[] {
  return words.split(' ').map((word) => [word, sound]);
}

/** The answers, because one schema is asked about more than once. */
const plain = new WeakMap<object, boolean>();

/**
 * Whether a schema is sound and all of it in sight: its keywords are everyday ones, and it is no larger than it may be.
 * `false` proves nothing.
 */
export function isPlainSchema(schema: object): boolean {
  let known = plain.get(schema);
  if (known === undefined) plain.set(schema, (known = consistsOf(EVERYDAY, schema)));
  return known;
}

/** Whether the meta-schema has nothing against a schema; where references lead is not asked. `false` proves nothing. */
export function satisfiesMetaSchema(schema: object): boolean {
  return isPlainSchema(schema) || consistsOf(REFERRING, schema);
}

function consistsOf(keywords: ReadonlyMap<string, Sound>, root: object): boolean {
  let depth = 0;
  let count = 0;
  const isSchema = (value: unknown): boolean => {
    if (!isPlainObject(value) || depth === MAX_DEPTH || ++count > MAX_SUBSCHEMAS) return false;
    depth += 1;
    const sound = Object.keys(value).every((word) => keywords.get(word)?.(value[word], isSchema) === true);
    depth -= 1;
    return sound;
  };
  return isSchema(root) && dialectOf(root as JsonSchema) !== undefined;
}

/** An object that JSON writes as it stands. */
function isPlainObject(value: unknown): value is JsonSchema {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isBare = prototype === Object.prototype || prototype === null;
  return isBare && !Object.hasOwn(value, 'toJSON') && !Object.hasOwn(value, '~standard');
}
