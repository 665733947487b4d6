/**
 * One field of a form, reduced to the keywords that a client knows (2026-07-28, schema, PrimitiveSchemaDefinition).
 */
import { isObject } from '../tools/schemas/walk.js';
import type { JsonSchema } from '../tools/tool.js';

const FOR_ALL = ['type', 'title', 'description', 'default'];

/** What a client knows of each type besides. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: [...FOR_ALL, 'minLength', 'maxLength', 'format', 'enum', 'enumNames', 'oneOf'],
  number: [...FOR_ALL, 'minimum', 'maximum'],
  integer: [...FOR_ALL, 'minimum', 'maximum'],
  boolean: FOR_ALL,
  array: [...FOR_ALL, 'minItems', 'maxItems', 'items'],
};

const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/**
 * @param name of the property, for the message
 * @throws TypeError for a field that no form can show.
 */
export function formField(name: string, schema: unknown): JsonSchema {
  const type = isObject(schema) ? typeOf(schema) : undefined;
  const keywords = type === undefined ? undefined : KEYWORDS[type];
  if (!isObject(schema) || type === undefined || keywords === undefined || !isShown(schema, type)) {
    throw new TypeError(
      `The field "${name}" cannot be asked for in a form: it must be a text, a number, a boolean, one choice of texts ` +
        '("enum", or "oneOf" with "const" and "title"), or several choices ("array" of "enum", and not of free texts). Ask for ' +
        'nested values one by one, and let what may be missing be optional, not null.',
    );
  }
  const known = { ...schema, type };
  return Object.fromEntries(
    Object.entries(known).filter(([key, value]) => keywords.includes(key) && isKnown(key, value)),
  );
}

/** What an author need not write: a choice of texts is a text. */
function typeOf(schema: JsonSchema): string | undefined {
  if (schema['type'] !== undefined) return typeof schema['type'] === 'string' ? schema['type'] : undefined;
  return isTexts(schema['enum']) || isTitled(schema['oneOf']) ? 'string' : undefined;
}

function isShown(schema: JsonSchema, type: string): boolean {
  if (COMPOSED.some((keyword) => schema[keyword] !== undefined)) return false;
  if (type === 'array') return isChoices(schema['items']);
  if (schema['oneOf'] !== undefined && !isTitled(schema['oneOf'])) return false;
  return schema['enum'] === undefined || (type === 'string' && isTexts(schema['enum']));
}

/** What says more of a value than a form can. */
const COMPOSED = ['$ref', 'allOf', 'anyOf', 'not', 'if', 'properties'];

function isChoices(items: unknown): boolean {
  if (!isObject(items)) return false;
  return (items['type'] === 'string' && isTexts(items['enum'])) || isTitled(items['anyOf']);
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
}

function isTitled(choices: unknown): boolean {
  const isTitledText = (choice: unknown) =>
    isObject(choice) && typeof choice['const'] === 'string' && typeof choice['title'] === 'string';
  return Array.isArray(choices) && choices.length > 0 && choices.every(isTitledText);
}

function isKnown(keyword: string, value: unknown): boolean {
  return keyword !== 'format' || FORMATS.includes(value);
}
