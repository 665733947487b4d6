/**
 * Schemas of everyday keywords, told sound without their meta-schema: compiling that one takes longer than the rest of an
 * application's start, and most applications never write anything that needs it.
 */
import { isObject } from './walk.js';

type Sound = (value: unknown) => boolean;

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const isText: Sound = (value) => typeof value === 'string';
const isFlag: Sound = (value) => typeof value === 'boolean';
const isNumber: Sound = (value) => Number.isFinite(value);
const isCount: Sound = (value) => Number.isInteger(value) && (value as number) >= 0;
const isAnything: Sound = () => true;
const isList = (sound: Sound, least: number): Sound => {
  return (value) => Array.isArray(value) && value.length >= least && value.every(sound);
};
const isSet = (sound: Sound, least: number): Sound => {
  return (value) => isList(sound, least)(value) && new Set(value as unknown[]).size === (value as unknown[]).length;
};
const isType: Sound = (value) => TYPES.has(value) || isSet((one) => TYPES.has(one), 1)(value);
const isSchemas: Sound = (value) => isObject(value) && Object.values(value).every(isPlainSchema);

const KEYWORDS: ReadonlyMap<string, Sound> = new Map<string, Sound>([
  ['type', isType],
  ['properties', isSchemas],
  ['required', isSet(isText, 0)],
  ['additionalProperties', (value) => isFlag(value) || isPlainSchema(value)],
  ['items', isPlainSchema],
  ['enum', isSet((value) => typeof value !== 'object' || value === null, 1)],
  ['const', isAnything],
  ['default', isAnything],
  ...['anyOf', 'oneOf', 'allOf'].map((word) => [word, isList(isPlainSchema, 1)] as const),
  ...['$schema', 'title', 'description', 'format', 'pattern'].map((word) => [word, isText] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((word) => [word, isNumber] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems'].map((word) => [word, isCount] as const),
  ['uniqueItems', isFlag],
]);

/** Whether a schema holds nothing but what is known here, each as both dialects want it. `false` proves nothing. */
export function isPlainSchema(schema: unknown): boolean {
  return isObject(schema) && Object.entries(schema).every(([word, value]) => KEYWORDS.get(word)?.(value) === true);
}
