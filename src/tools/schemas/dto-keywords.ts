/**
 * The keywords of several decorators in one schema.
 */
import type { JsonSchema } from '../tool.js';
import type { Kind } from './dto-rules.js';

type Draft = Record<string, unknown>;

const ABOUT: Readonly<Record<string, readonly Kind[]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string', 'date'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  minProperties: ['object'],
};

/** All of the keywords that mean something for these kinds of value. */
export function joinKeywords(
  said: readonly (JsonSchema | undefined)[],
  kinds: readonly Kind[] | undefined,
): JsonSchema {
  const all: Draft = {};
  for (const keywords of said.filter((some) => some !== undefined)) {
    for (const [keyword, value] of Object.entries(keywords)) {
      const about = ABOUT[keyword];
      if (about === undefined || kinds === undefined || about.some((kind) => kinds.includes(kind)))
        add(all, keyword, value);
    }
  }
  return all;
}

/** Adds one keyword. Of two limits the tighter holds; what cannot be joined is said beside. */
function add(all: Draft, keyword: string, value: unknown): void {
  const there = all[keyword];
  if (there === undefined || JSON.stringify(there) === JSON.stringify(value)) all[keyword] = value;
  else if (typeof there === 'number' && typeof value === 'number' && keyword !== 'multipleOf' && keyword !== 'const') {
    all[keyword] = /^(exclusiveM|m)in/.test(keyword) ? Math.max(there, value) : Math.min(there, value);
  } else if (keyword === 'allOf') all[keyword] = [...(there as unknown[]), ...(value as unknown[])];
  else all['allOf'] = [...((all['allOf'] as unknown[] | undefined) ?? []), { [keyword]: value }];
}

/** The schema, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  const isBare = !('const' in schema) && !('$ref' in schema) && !('allOf' in schema) && !('not' in schema);
  if (Object.keys(schema).length === 0) return schema;
  if (isBare && typeof type === 'string' && type !== 'object') {
    return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
  }
  if (isBare && Array.isArray(anyOf) && Object.keys(schema).length === 1)
    return { anyOf: [...anyOf, { type: 'null' }] };
  return { anyOf: [schema, { type: 'null' }] };
}
