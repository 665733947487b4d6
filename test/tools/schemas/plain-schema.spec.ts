/** What is told sound at a glance is sound by everything that is asked of a schema, in both dialects (T4, T7). */
import * as fc from 'fast-check';
import { metaCheck } from '../../../src/tools/schemas/dialects.js';
import { isPlainSchema, satisfiesMetaSchema } from '../../../src/tools/schemas/plain-schema.js';
import { findSchemaFault } from '../../../src/tools/schemas/schema-fault.js';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const WORDS =
  'type properties required additionalProperties items enum const default anyOf oneOf allOf $schema title description ' +
  'format pattern minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems ' +
  'minProperties maxProperties multipleOf not contains propertyNames prefixItems examples readOnly writeOnly deprecated ' +
  '$comment $ref $defs $id nullable x-mcp-header x-own';
const DIALECTS = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'];

const ANYTHING = [...TYPES, ...DIALECTS, true, false, null, 0, 1, 7, -1, 1.5, '', '(', '#/$defs/a', '#/%', NaN];
const NO_JSON = [undefined, new Date(0), /a/, { toJSON: () => 1 }, [new Map()], [undefined], { '~standard': 1 }];

/** Keywords with what is likely to be right for them, and with anything. */
const { schema: anySchema } = fc.letrec<{
  value: unknown;
  schema: Record<string, unknown>;
  named: object;
  entry: [string, unknown];
}>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(...ANYTHING),
    fc.constantFrom<unknown>(...NO_JSON),
    fc.uniqueArray(fc.constantFrom(...TYPES), { maxLength: 3 }),
    fc.array(fc.oneof(fc.constantFrom('a', 'b', 1), tie('schema')), { maxLength: 3 }),
    tie('named'),
    tie('schema'),
  ),
  named: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toJSON', '~standard'), tie('schema'), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
  entry: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(fc.constant('type'), fc.constantFrom(...TYPES)),
    fc.tuple(fc.constantFrom('minLength', 'maxItems', 'multipleOf', 'minProperties'), fc.nat()),
    fc.tuple(fc.constantFrom('enum', 'required', 'examples'), fc.uniqueArray(fc.constantFrom('a', 'b'))),
    fc.tuple(fc.constantFrom('title', 'pattern', '$comment', 'format'), fc.constantFrom('a', '')),
    fc.tuple(fc.constantFrom('properties', '$defs'), tie('named')),
    fc.tuple(fc.constantFrom('items', 'not', 'propertyNames', 'additionalProperties'), tie('schema')),
    fc.tuple(fc.constantFrom('anyOf', 'prefixItems'), fc.array(tie('schema'), { maxLength: 2 })),
    fc.tuple(fc.constantFrom(...WORDS.split(' ')), tie('value')),
  ),
  schema: fc.array(tie('entry'), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
}));

/** A schema inside so many others. */
function inside(others: number): object {
  return Array.from({ length: others }).reduce<object>((inner) => ({ items: inner }), {});
}

it('by whatever its keywords are given', () => {
  let plain = 0;
  let sound = 0;
  fc.assert(
    fc.property(anySchema, (schema) => {
      if (satisfiesMetaSchema(schema)) {
        sound += 1;
        for (const dialect of ['2020-12', 'draft-07'] as const) expect(metaCheck(dialect)(schema)).toBe(true);
      }
      if (!isPlainSchema(schema)) return;
      if (Object.keys(schema).length > 0) plain += 1;
      expect(findSchemaFault(schema, 'output')).toBeUndefined();
    }),
    { numRuns: 10_000 },
  );
  expect(plain).toBeGreaterThan(1_000);
  expect(sound).toBeGreaterThan(plain + 50);
});

it.each<[string, object]>([
  ['a word that it does not know', { 'x-own': 1 }],
  ['a reference', { $ref: '#/$defs/a', $defs: { a: {} } }],
  ['a dialect that is not served', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
  ['a pattern that is none', { pattern: '(' }],
  ['a header that mirrors', { properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }],
  ['what JSON does not carry', { default: new Date(0) }],
  ['what JSON leaves out', { examples: [undefined] }],
  ['a hole', { required: Object.assign([], { length: 1 }) }],
  ['an instance', Object.create({ type: 'object' }) as object],
  ['a name that JSON would call', { properties: { toJSON: {} } }],
  ['an unknown type', { type: 'text' }],
  ['a type twice', { type: ['string', 'string'] }],
  ['a list of items', { items: [{}] }],
  ['a name that is required twice', { required: ['a', 'a'] }],
  ['half a length', { minLength: 0.5 }],
  ['a multiple of nothing', { multipleOf: 0 }],
  ['a bound that JSON cannot say', { minimum: Infinity }],
  ['no alternatives', { anyOf: [] }],
  ['a value that is listed twice', { enum: ['a', 'a'] }],
  ['a fault deep inside', { properties: { a: { items: { maxLength: -1 } } } }],
  ['more schemas inside each other than may be', inside(64)],
  ['more schemas than may be', { anyOf: Array.from({ length: 5_000 }, () => ({})) }],
  ['a list', []],
])('%s is left to a closer look', (_, schema) => {
  expect(isPlainSchema(schema)).toBe(false);
});

it('as large as a schema may be, it is plain', () => {
  expect(isPlainSchema(inside(63))).toBe(true);
  expect(isPlainSchema({ anyOf: Array.from({ length: 4_999 }, () => ({})) })).toBe(true);
});

it('what tools are usually declared with is plain', () => {
  const name = {
    type: 'string',
    description: 'Who.',
    minLength: 1,
    maxLength: 80,
    pattern: '^[a-z]+$',
    default: 'ada',
  };
  const many = {
    type: 'array',
    items: { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] },
    minItems: 1,
    uniqueItems: true,
  };
  const sum = { type: ['number', 'null'], minimum: 0, exclusiveMaximum: 10 };
  const properties = { name, many, sum };
  expect(isPlainSchema({ type: 'object', properties, required: ['name'], additionalProperties: false })).toBe(true);
});
