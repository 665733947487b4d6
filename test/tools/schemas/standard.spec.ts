import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as fc from 'fast-check';
import * as valibot from 'valibot';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { McpArgumentFault } from '../../../src/tools/failure.js';
import { argumentsValidator } from '../../../src/tools/schemas/json-schema.js';
import { describeStandardSchema, isStandardSchema, parseStandard } from '../../../src/tools/schemas/standard.js';

const zod = z.object({
  sku: z
    .string()
    .regex(/^A-\d{3}$/)
    .describe('SKU'),
  quantity: z.number().int().min(1).default(1),
});
const ark = type({ sku: /^A-\d{3}$/, 'quantity?': 'number.integer >= 1' });
const plainValibot = valibot.object({
  sku: valibot.pipe(valibot.string(), valibot.regex(/^A-\d{3}$/)),
  quantity: valibot.optional(valibot.pipe(valibot.number(), valibot.integer(), valibot.minValue(1))),
});
const described = toStandardJsonSchema(plainValibot);

function schemaOf(schema: unknown, kind: 'input' | 'output' = 'input'): Record<string, unknown> {
  const description = describeStandardSchema(schema as never, kind);
  if ('fault' in description) throw new Error(description.fault);
  return description.schema;
}

function faultOf(schema: unknown, kind: 'input' | 'output' = 'input'): string {
  const description = describeStandardSchema(schema as never, kind);
  return 'fault' in description ? description.fault : 'no fault';
}

async function issues(schema: unknown, args: unknown): Promise<string[]> {
  const error: unknown = await parseStandard(schema as never, args).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(McpArgumentFault);
  return (error as McpArgumentFault).faults.map(({ path, expected }) => `${path}: ${expected}`);
}

describe('a schema of another library (T13)', () => {
  it('is known by its interface, whatever library it comes from', () => {
    expect(
      [zod, ark, plainValibot, described, z3.object({}), mini.object({})].map((schema) => isStandardSchema(schema)),
    ).toEqual(Array.from({ length: 6 }, () => true));
    expect(
      [undefined, null, {}, 'x', { '~standard': 1 }, { '~standard': {} }, { type: 'object' }].map((value) =>
        isStandardSchema(value),
      ),
    ).toEqual(Array.from({ length: 7 }, () => false));
  });

  it.each([
    ['zod', zod],
    ['arktype', ark],
    ['valibot', described],
  ])('%s describes itself in 2020-12', (_library, schema) => {
    expect(schemaOf(schema)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { sku: { type: 'string', pattern: '^A-\\d{3}$' }, quantity: { type: 'integer', minimum: 1 } },
      required: ['sku'],
    });
    const check = argumentsValidator(schemaOf(schema));
    expect(check({ sku: 'A-123' })).toBeUndefined();
    expect(check({ sku: 'A-123', color: 'red' })).toEqual([
      { path: '', expected: 'unknown argument "color"; this tool takes: sku, quantity' },
    ]);
  });

  it('is described once', () => {
    expect(describeStandardSchema(zod, 'input')).toBe(describeStandardSchema(zod, 'input'));
  });

  it('describes what goes in and what comes out', () => {
    const length = z.object({ text: z.string().default('') });
    expect(schemaOf(length)['required']).toBeUndefined();
    expect(schemaOf(length, 'output')['required']).toEqual(['text']);
  });

  it('may be a union of objects', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('card'), number: z.string() }),
      z.object({ kind: z.literal('bank'), iban: z.string() }),
    ]);
    expect(schemaOf(union)).toMatchObject({ type: 'object', oneOf: [{}, {}] });
    const check = argumentsValidator(schemaOf(union));
    expect(check({ kind: 'card', number: '1' })).toBeUndefined();
    expect(check({ kind: 'card', number: '1', iban: 'x' })).toEqual([
      { path: '', expected: 'argument "iban" does not go together with the others' },
    ]);
    expect(check({ kind: 'cash' })).toEqual([{ path: 'kind', expected: 'must be one of "card", "bank", got "cash"' }]);
    expect(check({ kind: 'card', number: 1 })).toEqual([{ path: 'number', expected: 'must be a string, got 1' }]);
  });

  it('may hold itself and objects that may be null, closed all the way down', () => {
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node).optional();
      },
    });
    const check = argumentsValidator(schemaOf(z.object({ root: Node, extra: z.object({ a: z.string() }).nullable() })));
    expect(check({ root: { name: 'a', kids: [{ name: 'b' }] }, extra: null })).toBeUndefined();
    expect(check({ root: { name: 'a', kids: [{ name: 'b', nam: 'c' }] }, extra: { b: 1 } })).toEqual([
      { path: 'root.kids[0]', expected: 'unknown property "nam"; it takes: name, kids' },
      { path: 'extra.a', expected: 'is required (string)' },
      { path: 'extra', expected: 'unknown property "b"; it takes: a' },
    ]);
  });
});

describe('a schema that does not say what it is is a fault with the way out (T4)', () => {
  it.each<[string, unknown, string]>([
    [
      'valibot on its own',
      plainValibot,
      "this valibot schema does not describe itself as JSON Schema: wrap it in toStandardJsonSchema() of '@valibot/to-json-schema'.",
    ],
    [
      'zod 3',
      z3.object({ a: z3.string() }),
      'this zod schema does not describe itself as JSON Schema: use zod 4.2 or later (not zod/v3 or zod/mini), or give z.toJSONSchema(schema) itself.',
    ],
    ['zod/mini', mini.object({ a: mini.string() }), 'does not describe itself'],
    [
      'a library nobody knows',
      { '~standard': { version: 1, vendor: 'mine', validate: () => ({ value: 1 }) } },
      'this mine schema does not describe itself as JSON Schema: give a JSON Schema instead.',
    ],
    [
      'a type that JSON has not',
      z.object({ at: z.date() }),
      'zod cannot describe this schema (Date cannot be represented in JSON Schema): use types that JSON has',
    ],
    [
      'an empty description',
      { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }), jsonSchema: { input: () => ({}) } } },
      'zod describes this schema as nothing at all. Most likely it was made by another copy or major version',
    ],
    ['a root that is no object', z.string(), "as zod describes it, the root must say type: 'object'"],
    [
      'a union with something else',
      z.union([z.object({}), z.string()]),
      "as zod describes it, the root must say type: 'object'",
    ],
  ])('%s', (_what, schema, reason) => {
    expect(faultOf(schema)).toContain(reason);
  });
});

describe('arguments parsed by the library', () => {
  it('come back as it makes them', async () => {
    expect(await parseStandard(zod, { sku: 'A-123' })).toEqual({ sku: 'A-123', quantity: 1 });
    expect(
      await parseStandard(z.object({ at: z.string().transform((text) => new Date(text)) }), { at: '2026-07-28' }),
    ).toEqual({ at: new Date('2026-07-28') });
    expect(
      await parseStandard(z.object({ a: z.string().refine(async () => Promise.resolve(true)) }), { a: 'x' }),
    ).toEqual({ a: 'x' });
  });

  it('are refused with the path of every issue', async () => {
    const nested = z.object({ items: z.array(z.object({ sku: z.string() })) });
    expect(await issues(nested, { items: [{ sku: 'x' }, { sku: 1 }, {}] })).toEqual([
      'items[1].sku: Invalid input: expected string, received number',
      'items[2].sku: Invalid input: expected string, received undefined',
    ]);
    const list = valibot.object({ items: valibot.array(valibot.object({ sku: valibot.string() })) });
    expect(await issues(list, { items: [{ sku: 1 }] })).toEqual([
      'items[0].sku: Invalid type: Expected string but received 1',
    ]);
    expect(await issues(type({ items: type({ sku: 'string' }).array() }), { items: [{ sku: 1 }] })).toEqual([
      'items[0].sku: items[0].sku must be a string (was a number)',
    ]);
    expect(
      await issues(
        zod.refine(() => false, 'no such order'),
        { sku: 'A-123' },
      ),
    ).toEqual([': no such order']);
  });

  it("leave a failure of the author's own code to the server", async () => {
    const broken = z.object({
      a: z.string().refine(() => {
        throw new Error('database');
      }),
    });
    await expect(parseStandard(broken, { a: 'x' })).rejects.toThrow('database');
  });

  it.each([
    ['zod', zod],
    ['arktype', ark],
    ['valibot', described],
    [
      'a recursive one',
      (() => {
        const Tree = z.object({
          get kid() {
            return Tree.optional();
          },
        });
        return Tree;
      })(),
    ],
  ])('whatever %s is sent, it is parsed or refused', async (_library, schema) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const error: unknown = await parseStandard(schema as never, value).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) expect(error).toBeInstanceOf(McpArgumentFault);
      }),
      { numRuns: 50 },
    );
    let deep: object = {};
    for (let i = 0; i < 100_000; i++) deep = { kid: deep };
    await parseStandard(schema as never, { kid: deep }).catch((error: unknown) =>
      expect(error).toBeInstanceOf(McpArgumentFault),
    );
  });
});
