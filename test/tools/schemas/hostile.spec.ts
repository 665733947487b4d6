import * as fc from 'fast-check';
import { McpArgumentFault } from '../../../src/tools/failure.js';
import { argumentsValidator, outputValidator, schemaFault } from '../../../src/tools/schemas/json-schema.js';
import { SchemaMemory } from '../../../src/tools/schemas/schema-memory.js';
import type { JsonSchema } from '../../../src/tools/tool.js';

/** JSON with the names that trip up careless code, as objects of JSON.parse() are. */
const hostileJson = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', 'x', 'A-123'),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom(
          'a',
          'b',
          'kids',
          'kind',
          '__proto__',
          'constructor',
          'toString',
          '',
          'a/b',
          'a~b',
          'a.b',
          '$ref',
        ),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const hostileArgs = hostileJson.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const NAMES = ['a', 'b', 'kids', '__proto__', 'constructor'];

/** One time in six. JSON drops what is undefined. */
function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc
    .option(arbitrary, { nil: undefined, freq: 1 })
    .chain((value) => fc.constantFrom(value, undefined, undefined));
}

/** Schemas of many shapes, most of them sound. */
const schemas = fc.letrec<{ schema: unknown; object: unknown }>((tie) => ({
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { minKeys: 1, maxKeys: 3 }),
    required: rarely(fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 1 })),
    additionalProperties: rarely(fc.oneof(fc.boolean(), tie('schema'))),
    allOf: rarely(fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
    anyOf: rarely(fc.array(tie('schema'), { minLength: 1, maxLength: 2 })),
    patternProperties: rarely(fc.dictionary(fc.constantFrom('^k', 'a$'), tie('schema'), { maxKeys: 1 })),
    if: rarely(tie('schema')),
    unevaluatedProperties: rarely(fc.boolean()),
  }),
  schema: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom<unknown>(
      {},
      true,
      false,
      { type: 'string', minLength: 1 },
      { type: ['integer', 'null'] },
      { const: 'x' },
      { enum: ['x', 1, null] },
      { $ref: '#' },
      { $ref: '#/$defs/A' },
      { $ref: '#/$defs/B', description: 'b' },
      { format: 'email' },
      { pattern: '^\\_' },
    ),
    tie('object'),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), uniqueItems: fc.boolean() }),
    // Not together: ajv 8 loses sight of `contains` beside `prefixItems` when the array is empty.
    fc.record({ type: fc.constant('array'), prefixItems: fc.array(tie('schema'), { minLength: 1 }) }),
    fc.record({ type: fc.constant('array'), contains: tie('schema') }),
    fc.record({ not: tie('schema') }),
    fc.record({
      dependentSchemas: fc.dictionary(fc.constantFrom(...NAMES), tie('schema')),
      propertyNames: tie('schema'),
    }),
  ),
})).object;

/** Whole schemas: with what their references need, and some with identifiers and anchors. */
const wholeSchemas = fc
  .tuple(schemas, schemas, schemas, fc.constantFrom({}, {}, {}, { $anchor: 'here' }, { $id: 'inner' }))
  .map(([root, A, B, named]) => ({ ...(root as object), $defs: { A, B: { ...(B as object), ...named } } }))
  .map((schema) => JSON.parse(JSON.stringify(schema)) as JsonSchema);

describe('whatever is declared and whatever is sent', () => {
  it('a schema is a fault or can be used, and arguments fit or are told why', () => {
    let sound = 0;
    fc.assert(
      fc.property(wholeSchemas, fc.array(hostileArgs, { minLength: 3, maxLength: 3 }), (schema, calls) => {
        if (schemaFault(schema, 'input') !== undefined) return;
        sound++;
        const check = argumentsValidator(schema);
        for (const args of calls) {
          const faults = check(args as Record<string, unknown>);
          if (faults === undefined) continue;
          expect(faults.length).toBeGreaterThan(0);
          expect(new McpArgumentFault(faults).message.length).toBeLessThanOrEqual(4_000);
        }
      }),
      { numRuns: 30 },
    );
    expect(sound).toBeGreaterThan(5);
  });

  it('refusing what is not declared refuses nothing else, and accepts nothing more (T6)', () => {
    let closed = 0;
    fc.assert(
      fc.property(wholeSchemas, fc.array(hostileArgs, { minLength: 3, maxLength: 3 }), (schema, calls) => {
        // A reference to the root from inside a `not` finds it closed too.
        const rootless = JSON.parse(JSON.stringify(schema).replaceAll('"#"', '"#/$defs/A"')) as JsonSchema;
        if (schemaFault(rootless, 'input') !== undefined) return;
        for (const args of calls as Record<string, unknown>[]) {
          const faults = argumentsValidator(rootless)(args);
          const openFaults = outputValidator(rootless)(args);
          if (faults === undefined) expect(openFaults).toBeUndefined();
          if (faults === undefined || openFaults !== undefined) continue;
          closed++;
          for (const { expected } of faults) expect(expected).toMatch(/^unknown |does not go together/);
        }
      }),
      { numRuns: 30 },
    );
    expect(closed).toBeGreaterThan(0);
  });

  it('anything at all may be offered as a schema', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          const fault = schemaFault(value, 'output');
          expect(fault === undefined || fault.length > 10).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('arguments nested without end are refused, not a crash', () => {
    const check = argumentsValidator({ type: 'object', properties: { a: { $ref: '#' } } });
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 200_000; i++) deep = { a: deep };
    expect(check(deep)).toEqual([
      { path: '', expected: 'must be nested less deeply, or be shorter: they could not be checked' },
    ]);
  });

  it('a million faults cost no more than a moment', () => {
    const check = argumentsValidator({
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
    });
    const started = performance.now();
    expect(check({ list: Array.from({ length: 1_000_000 }, (_, i) => i) })).toEqual([
      { path: 'list[0]', expected: 'must be a string, got 0' },
    ]);
    const unknown = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`x${i}`, i]));
    expect(check(unknown)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it('telling 50,000 objects apart takes no time either', () => {
    const check = argumentsValidator({ type: 'object', properties: { list: { type: 'array', uniqueItems: true } } });
    const started = performance.now();
    expect(check({ list: Array.from({ length: 50_000 }, (_, i) => ({ i })) })).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('what is worked out for a schema is remembered (G10)', () => {
  const numbered = (i: number): JsonSchema => ({ type: 'object', properties: { [`p${i}`]: { type: 'string' } } });

  it('by the object, and by the text for those made anew at each request', () => {
    expect(argumentsValidator(numbered(1))).toBe(argumentsValidator(numbered(1)));
    expect(argumentsValidator(numbered(1))).not.toBe(argumentsValidator(numbered(2)));
  });

  it('by the text of the last 64 only', () => {
    let made = 0;
    const memory = new SchemaMemory(() => ++made);
    const first = numbered(0);
    memory.of(first);
    for (let i = 0; i < 100_000; i++) memory.of(numbered(i));
    expect(memory.texts).toBe(64);
    expect(made).toBe(100_000);
    expect(memory.of(first)).toBe(1);
  });

  it('without a text for what is not JSON, or very long', () => {
    const memory = new SchemaMemory((schema) => schema);
    memory.of({ minimum: Number.NaN });
    memory.of({ description: 'x'.repeat(20_001) });
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    memory.of(circular);
    expect(memory.texts).toBe(0);
  });
});
