/** What is told sound without the meta-schema is sound by it, in both dialects (T4, T7). */
import * as fc from 'fast-check';
import { metaCheck } from '../../../src/tools/schemas/dialects.js';
import { isPlainSchema } from '../../../src/tools/schemas/plain-schema.js';

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const WORDS =
  'type properties required additionalProperties items enum const default anyOf oneOf allOf $schema title description ' +
  'format pattern minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems ' +
  '$ref $defs x-own';

const { schema: anySchema } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...TYPES, true, false, null, 0, 1, 7, -1, 1.5, ''),
    fc.uniqueArray(fc.constantFrom(...TYPES), { maxLength: 3 }),
    fc.array(fc.oneof(fc.constantFrom('a', 'b', 1), tie('schema')), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema'), { maxKeys: 2, noNullPrototype: true }),
    tie('schema'),
  ),
  schema: fc.dictionary(fc.constantFrom(...WORDS.split(' ')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

it('by whatever its keywords are given', () => {
  let plain = 0;
  fc.assert(
    fc.property(anySchema, (schema) => {
      if (!isPlainSchema(schema)) return;
      if (Object.keys(schema).length > 0) plain += 1;
      for (const dialect of ['2020-12', 'draft-07'] as const) expect(metaCheck(dialect)(schema)).toBe(true);
    }),
    { numRuns: 20_000 },
  );
  expect(plain).toBeGreaterThan(500);
});

it.each<[string, unknown]>([
  ['a word that it does not know', { 'x-own': 1 }],
  ['a reference', { $ref: '#/$defs/a', $defs: { a: {} } }],
  ['an unknown type', { type: 'text' }],
  ['a type twice', { type: ['string', 'string'] }],
  ['a list of items', { items: [{}] }],
  ['a name that is required twice', { required: ['a', 'a'] }],
  ['half a length', { minLength: 0.5 }],
  ['a bound that JSON cannot say', { minimum: Infinity }],
  ['no alternatives', { anyOf: [] }],
  ['a value that is listed twice', { enum: ['a', 'a'] }],
  ['a fault deep inside', { properties: { a: { items: { maxLength: -1 } } } }],
  ['true', true],
  ['nothing', undefined],
])('%s is left to the meta-schema', (_, schema) => {
  expect(isPlainSchema(schema)).toBe(false);
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
