import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { z } from 'zod';
import { checkMcpPortability, type JsonSchema } from 'nestjs-mcp-gate';
import { declare, makeTool } from '../support/tools.js';

const object = (properties: Record<string, unknown>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };
const ofInput = (inputSchema: JsonSchema) => checkMcpPortability(makeTool({ inputSchema }));
const ofOutput = (outputSchema: JsonSchema) => checkMcpPortability(makeTool({ outputSchema }));

describe('a portable tool', () => {
  it('has nothing said against it', () => {
    const inputSchema = object(
      {
        sku: { type: 'string', pattern: '^A-(?:\\d{3})$', description: 'The (?=product).' },
        since: { type: 'string', format: 'date-time' },
        kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        count: { type: 'integer', minimum: 1, maximum: 5, default: 1 },
        size: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
        place: object({ street: text }, { additionalProperties: false }),
      },
      { required: ['sku'], additionalProperties: false },
    );
    const outputSchema = object({ total: { type: 'integer', const: 1 }, at: { $ref: '#/properties/total' } });
    expect(checkMcpPortability(makeTool({ name: 'x'.repeat(44), inputSchema, outputSchema }))).toEqual([]);
  });
});

describe('a name', () => {
  it('is counted together with that of the server, as Cursor does', () => {
    const name = 'n'.repeat(45);
    expect(checkMcpPortability(makeTool({ name }))).toEqual([
      `Tool "${name}": its name and that of a server of 15 characters are 60 characters together. Cursor leaves a tool out ` +
        'from 60 on, and vendors refuse names above 64 with what clients put before them: shorten it.',
    ]);
    expect(checkMcpPortability(makeTool({ name }), { server: 'shop' })).toEqual([]);
    expect(checkMcpPortability(makeTool({ name }), { server: 'a-shop-for-all-of-us' })).toEqual([
      expect.stringContaining('its name and "a-shop-for-all-of-us" are 65 characters together.'),
    ]);
  });

  it.each(['7days', '-x'])('begins with a letter or "_", for Gemini: not %s', (name) => {
    expect(checkMcpPortability(makeTool({ name }))).toEqual([expect.stringContaining('Gemini refuses a name')]);
    expect(checkMcpPortability(makeTool({ name: `_${name}` }))).toEqual([]);
  });
});

describe('a description', () => {
  it.each([
    [1_024, undefined],
    [1_025, /has 1025 characters: Azure OpenAI .* more than 1024\. Shorten it/],
    [2_049, /more than 1024, and Claude Code cuts it at 2048 without a word\. Shorten it/],
    [0, /has no description: .* Say what it does and when\./],
  ])('of %i characters', (length, says) => {
    const said = checkMcpPortability(makeTool({ description: 'd'.repeat(length) }));
    expect(said).toEqual(says === undefined ? [] : [expect.stringMatching(says)]);
  });
});

describe('an input schema', () => {
  it.each<[string, JsonSchema, RegExp]>([
    [
      'alternatives at the root',
      object({ a: text }, { anyOf: [{ required: ['a'] }], not: { required: ['b'] } }),
      /alternatives at its root \(anyOf, not\): Anthropic and OpenAI refuse/,
    ],
    ['a name with a bracket', object({ 'ids[]': text }), /names .* \("ids\[\]"\): Anthropic refuses .* Rename/],
    ['a name that is too long', object({ ['n'.repeat(65)]: text }), /Anthropic refuses/],
    [
      'an array without items',
      object({ lines: { type: 'array', items: object({ tags: { type: 'array' } }) } }),
      /does not say what is in it \(lines\[\]\.tags\): OpenAI and Gemini refuse .* VS Code each call/,
    ],
    [
      'an array or nothing without items',
      object({ tags: { anyOf: [{ type: 'array' }, text] } }),
      /does not say what is in it \(tags\)/,
    ],
    ['a tuple', object({ pair: { type: 'array', prefixItems: [text, text] } }), /a tuple \(pair\): .* Use an object/],
    [
      'a tuple of draft-07',
      object({ pair: { type: 'array', items: [text] } }, { $schema: 'http://json-schema.org/draft-07/schema' }),
      /a tuple \(pair\): OpenAI, Gemini and Anthropic refuse "items" as a list/,
    ],
    [
      'a reference',
      object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: text } }),
      /a "\$ref" \(a\): GitHub Copilot and LM Studio do not follow it.* Write the schema out/,
    ],
    [
      'a pattern that looks ahead',
      object({ mail: { type: 'string', pattern: '^(?!\\.).+@.+$' } }),
      /a pattern with lookaround \(mail\): OpenAI refuses .* without \(\?=/,
    ],
    ['a pattern that looks back', object({ a: { type: 'string', pattern: '(?<=x)y' } }), /lookaround \(a\)/],
    [
      'a format',
      object({ mail: { type: 'string', format: 'email' }, at: { type: 'string', format: 'date-time' } }),
      /a format other than date-time \(mail: email\): Gemini refuses .* Say it in the description/,
    ],
    ['an enum of numbers', object({ year: { enum: [2025, 2026] } }), /an enum .* \(year\): Gemini refuses/],
    ['an enum with an empty text', object({ kind: { type: 'string', enum: ['a', ''] } }), /an enum .* \(kind\)/],
    [
      'a list of types',
      object({ note: { type: ['string', 'null'] } }),
      /a list of types \(note: string or null\): Gemini refuses .* Give one type/,
    ],
    [
      'keywords that Gemini does not know',
      object({ price: { type: 'number', exclusiveMinimum: 0 }, kind: { const: 'a' } }),
      /keywords .* \(price: exclusiveMinimum, kind: const\): Gemini refuses/,
    ],
    [
      'draft-07',
      object({ a: text }, { $schema: 'http://json-schema.org/draft-07/schema#' }),
      /draft-07 as its "\$schema" \(the root\): Claude Desktop refuses each call/,
    ],
  ])('with %s is told of', (_, schema, says) => {
    const told = ofInput(schema);
    expect(told.filter((fault) => says.test(fault))).toHaveLength(1);
    expect(told.every((fault) => fault.startsWith('Tool "shop_stock": its input schema has '))).toBe(true);
  });

  it('may have a parenthesis or a backslash before what looks like lookaround', () => {
    expect(ofInput(object({ a: { type: 'string', pattern: '^\\(?=x$' } }))).toEqual([]);
    expect(ofInput(object({ a: { type: 'string', pattern: '\\\\(?=x)' } }))).toHaveLength(1);
  });

  it('has each kind of fault told once, with the first three places', () => {
    const properties = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { type: 'array' }]));
    expect(ofInput(object(properties))).toEqual([expect.stringContaining('(a, b, c and 2 more)')]);
  });

  it('has a place told once, though several schemas stand in it', () => {
    const tags = { anyOf: [{ type: 'array' }, { type: 'array', minItems: 1 }] };
    expect(ofInput(object({ tags }))).toEqual([expect.stringContaining('does not say what is in it (tags): ')]);
  });

  it('of another library is looked at as it is published', () => {
    const inputSchema = z.object({ days: z.int().positive(), note: z.string().nullable() });
    const tool = makeTool({ inputSchema });
    const faults = checkMcpPortability(tool);
    expect(faults).toEqual([
      expect.stringContaining('(note: string or null)'),
      expect.stringContaining('(days: exclusiveMinimum)'),
    ]);
    expect(declare(tool).entries.map(({ published }) => checkMcpPortability(published))).toEqual([faults]);
  });

  it('that no gate would serve has nothing said of it: its declaration is refused with the reason', () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle['properties'] = { a: circle };
    expect(ofInput(circle)).toEqual([]);
    expect(ofInput({ type: 'array' })).toEqual([]);
    expect(checkMcpPortability(makeTool({ inputSchema: z.object({ a: z.bigint() }) }))).toEqual([]);
  });
});

describe('an output schema', () => {
  it('is looked at for what clients check results by, and for nothing that vendors never see', () => {
    const pair = { type: 'array', prefixItems: [text, text], items: false };
    expect(ofOutput(object({ pair, mail: { type: 'string', format: 'email' }, x: { const: 1 } }))).toEqual([
      expect.stringContaining('its output schema has a tuple (pair): '),
    ]);
    expect(ofOutput({ $schema: 'http://json-schema.org/draft-07/schema', type: 'object' })).toEqual([
      expect.stringContaining('its output schema has draft-07'),
    ]);
  });

  it('with a tuple is what version 1 of the official client does refuse values of', () => {
    const pair = { type: 'array', prefixItems: [text, text], items: false };
    const check = new AjvJsonSchemaValidator().getValidator(object({ pair }));
    expect(check({ pair: ['a', 'b'] })).toMatchObject({ valid: false });
  });
});
