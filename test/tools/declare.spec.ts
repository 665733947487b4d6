/** T2, T4, T11: which declarations are taken, what is said of the others, and what is published. */
import * as z from 'zod';
import { McpDeclarationError, type McpToolFault } from '../../src/tools/declarations.js';
import { declareMcpTools } from '../../src/tools/declare.js';
import { McpToolIndex } from '../../src/tools/tool-index.js';
import { checkMcpAnnotations } from '../../src/tools/annotations.js';
import { readHeaderParameters } from '../../src/tools/header-parameters.js';
import { publishMcpTools } from '../../src/tools/publish.js';
import { mcpDeclaredScopes } from '../../src/tools/scopes.js';
import type { McpAnnotations, McpTool } from '../../src/tools/tool.js';
import { declare, makeEntry, makeTool } from '../support/tools.js';

/** Declares tools as an application's are: faults are reported. */
function report(...tools: readonly McpTool[]) {
  const faults: McpToolFault[] = [];
  const index = declareMcpTools(
    tools.map((tool, at) => ({ tool, origin: `Tools.m${at}` })),
    { report: (fault) => faults.push(fault) },
  );
  return { faults, names: index.entries.map(({ tool }) => tool.name), index };
}

type Parts = Partial<Record<keyof McpTool, unknown>>;
const bad = (parts: Parts) => makeTool(parts as Partial<McpTool>);

describe('a declaration that is discarded (T4)', () => {
  const WITHOUT = undefined;
  it.each<[string, Parts, RegExp]>([
    ['a name with a space', { name: 'shop stock' }, /name must be 1 to 64 letters/],
    ['a name with a dot', { name: 'shop.stock' }, /name must be 1 to 64 letters/],
    ['an empty name', { name: '' }, /name must be 1 to 64 letters/],
    ['a name of 65 characters', { name: 'x'.repeat(65) }, /name must be 1 to 64 letters/],
    ['a name with a line break at its end', { name: 'shop\n' }, /name must be 1 to 64 letters/],
    ['a name with an umlaut', { name: 'lösche' }, /name must be 1 to 64 letters/],
    ['no name', { name: WITHOUT }, /name must be 1 to 64 letters/],
    ['a name that is a number', { name: 7 }, /name must be 1 to 64 letters/],
    ["this package's prefix", { name: 'nest_routes' }, /prefix "nest_" is kept.*choose another name/],
    ['no description', { description: WITHOUT }, /description is missing or empty: say what it does and when/],
    ['an empty description', { description: '' }, /description is missing or empty/],
    ['a blank description', { description: ' \n' }, /description is missing or empty/],
    ['a description that is no text', { description: 7 }, /description is missing or empty/],
    ['no handler', { handler: WITHOUT }, /has no handler: give it a function/],
    ['a handler that is no function', { handler: 'run' }, /has no handler/],
    ['no input schema', { inputSchema: WITHOUT }, /^inputSchema: /],
    ['an input schema that is a boolean', { inputSchema: true }, /^inputSchema: /],
    ['an input schema of another root', { inputSchema: { type: 'string' } }, /^inputSchema: .*object/],
    ['a schema with a wrong keyword', { inputSchema: { type: 'object', required: 'sku' } }, /^inputSchema: /],
    ['an unknown dialect', { inputSchema: { $schema: 'https://x.test/s', type: 'object' } }, /^inputSchema: /],
    ['a reference to the network', { inputSchema: { type: 'object', $ref: 'https://x.test/s' } }, /^inputSchema: /],
    ['a wrong output schema', { outputSchema: { type: 'objekt' } }, /^outputSchema: /],
    ['scopes that are a text', { scopes: 'read' }, /scopes must be an array of strings/],
    ['scopes with a number', { scopes: ['read', 1] }, /scopes must be an array of strings/],
    ['scopes that are null', { scopes: null }, /scopes must be an array of strings/],
    ['an empty scope', { scopes: [''] }, /scopes must be an array of strings/],
    ['two scopes in one text (A4)', { scopes: ['shop:read shop:write'] }, /one scope each: no spaces, quotes or/],
    ['a scope that no challenge can name', { scopes: ['shop:"read"'] }, /one scope each: no spaces, quotes or/],
    ['requiresAuth that is a text', { requiresAuth: 'yes' }, /requiresAuth must be true or false/],
    ['requiresAuth that is null', { requiresAuth: null }, /requiresAuth must be true or false/],
    ['scopesFor that is no function', { scopesFor: ['read'] }, /scopesFor must be a function/],
    ['actsForUser that is a text', { actsForUser: 'ada' }, /actsForUser must be true or false/],
    [
      'acting for a user without scopes (A5)',
      { actsForUser: true },
      /acts for a user without scopes: say in scopes.* @RequireScopes\(\)/,
    ],
    ['acting for a user with no scope', { actsForUser: true, scopes: [] }, /acts for a user without scopes/],
    ['a title that is no text', { title: 7 }, /title must be a string/],
    ['icons that are no array', { icons: { src: 'x' } }, /icons must be an array/],
    ['_meta that is a text', { _meta: 'x' }, /_meta must be an object/],
    ['_meta that is null', { _meta: null }, /_meta must be an object/],
    ['_meta that is an array', { _meta: [] }, /_meta must be an object/],
    ['annotations that are a text', { annotations: 'readOnly' }, /annotations must be an object/],
    ['annotations that are an array', { annotations: [] }, /annotations must be an object/],
    ['a hint that is a text', { annotations: { readOnlyHint: 'yes' } }, /hints true or false/],
    [
      'a mirrored header on an array',
      header({ type: 'array', items: { type: 'string' } }),
      /^inputSchema: x-mcp-header/,
    ],
  ])('has %s; the reason names the fault and the way out, and the others are taken', (_, parts, reason) => {
    const { faults, names } = report(makeTool({ name: 'before' }), bad(parts), makeTool({ name: 'after' }));
    expect(names).toEqual(['before', 'after']);
    expect(faults).toHaveLength(1);
    expect(faults[0]!.origin).toBe('Tools.m1');
    expect(faults[0]!.reason).toMatch(reason);
  });

  it.each([[null], [undefined], ['tool'], [7]])('is no object but %p', (tool) => {
    const { faults, names } = report(tool as never, makeTool());
    expect(names).toEqual(['shop_stock']);
    expect(faults).toEqual([
      { origin: 'Tools.m0', reason: 'a tool is an object with name, description, inputSchema, handler.' },
    ]);
  });

  it('carries its name where it has one', () => {
    const { faults } = report(bad({ description: '' }), bad({ name: 7 }));
    expect(faults.map((fault) => fault.name)).toEqual(['shop_stock', undefined]);
  });

  it('has a name that is taken: the first keeps it, and the reason says where it stands', () => {
    const { faults, index } = report(makeTool({ title: 'first' }), makeTool({ title: 'second' }));
    expect(index.get('shop_stock')?.tool.title).toBe('first');
    expect(faults).toEqual([
      {
        origin: 'Tools.m1',
        name: 'shop_stock',
        reason: 'the name is taken by Tools.m0, which keeps it: choose another.',
      },
    ]);
  });

  it('has a name that tools declared before it have', () => {
    const taken = declare(makeTool());
    const faults: McpToolFault[] = [];
    const index = declareMcpTools([makeEntry(makeTool()), makeEntry(makeTool({ name: 'free' }))], {
      taken,
      report: (fault) => faults.push(fault),
    });
    expect(index.entries.map(({ tool }) => tool.name)).toEqual(['free']);
    expect(faults[0]!.reason).toContain('taken by Tools.shop_stock');
  });

  it('does not take a name away when it is faulty itself', () => {
    const { names } = report(bad({ description: '' }), makeTool());
    expect(names).toEqual(['shop_stock']);
  });

  it('stops the boot in an explicit list, with origin, name and reason', () => {
    const entries = [makeEntry(makeTool()), makeEntry(bad({ name: 'empty', description: '' }))];
    expect(() => declareMcpTools(entries)).toThrow(McpDeclarationError);
    expect(() => declareMcpTools(entries)).toThrow(
      'Tools.empty (tool "empty"): its description is missing or empty: say what it does and when to use it, an agent has nothing else.',
    );
  });
});

describe('a declaration that is taken', () => {
  it.each<[string, Parts]>([
    ['a name of one character', { name: 'x' }],
    ['a name of 64 characters (T2)', { name: 'aZ0_-'.padEnd(64, 'x') }],
    ['no scopes', { scopes: [] }],
    ['everything', everything()],
    ['a zod schema', { inputSchema: z.object({ sku: z.string() }) }],
    ['draft-07', { inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } }],
    ['undefined where something is optional', { title: undefined, scopes: undefined, annotations: undefined }],
  ])('may have %s', (_, parts) => {
    expect(report(bad(parts)).faults).toEqual([]);
  });

  it("may have the prefix nest_ when it is this package's own", () => {
    const index = declareMcpTools([makeEntry(makeTool({ name: 'nest_routes' }))], { builtIn: true });
    expect(index.get('nest_routes')?.origin).toBe('Tools.nest_routes');
  });

  it('keeps its place in the order of declaration (P13)', () => {
    expect(report(...['c', 'a', 'b'].map((name) => makeTool({ name }))).names).toEqual(['c', 'a', 'b']);
  });

  it('is found by its name, and not by what every object has', () => {
    const index = declare(makeTool());
    expect(index.get('shop_stock')?.tool.name).toBe('shop_stock');
    expect(['toString', '__proto__', ''].map((name) => index.get(name))).toEqual([undefined, undefined, undefined]);
  });

  it('stays with the earlier index when two are joined', () => {
    const joined = McpToolIndex.join(
      declare(makeTool({ title: 'first' })),
      declare(makeTool({ title: 'second' }), makeTool({ name: 'other' })),
    );
    expect(joined.entries.map(({ tool }) => [tool.name, tool.title])).toEqual([
      ['shop_stock', 'first'],
      ['other', undefined],
    ]);
    expect(joined.get('shop_stock')?.tool.title).toBe('first');
    expect(McpToolIndex.EMPTY.entries).toEqual([]);
  });
});

describe('what is published of a tool (T11)', () => {
  const publish = (parts: Parts) => publishMcpTools(declare(bad(parts)).entries)[0]!;

  it('is name, description and input schema, when it says no more', () => {
    expect(publish({})).toEqual({
      name: 'shop_stock',
      description: 'Stock of a product.',
      inputSchema: { type: 'object' },
    });
  });

  it("is everything that it says for clients, and nothing of the server's side", () => {
    const secret = { handler: () => 'x', internal: 'path/of/the/server', admits: () => true };
    const published = publish({ ...everything(), ...secret });
    expect(published).toEqual({
      name: 'shop_stock',
      title: 'Stock',
      description: 'Stock of a product.',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', properties: { stock: { type: 'integer' } } },
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons: [{ src: 'https://shop.test/icon.png' }],
      _meta: { 'shop.test/group': 'stock' },
    });
  });

  it('holds only the annotations that exist and were declared', () => {
    expect(
      publish({ annotations: { readOnlyHint: true, destructiveHint: undefined, colour: 'red' } }).annotations,
    ).toEqual({ readOnlyHint: true });
    expect(publish({ annotations: {} })).not.toHaveProperty('annotations');
  });

  it('is the JSON Schema that another kind of schema describes', () => {
    const { inputSchema } = publish({ inputSchema: z.object({ sku: z.string() }) });
    expect(inputSchema).toMatchObject({ type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] });
  });

  it('is the same object each time, and frozen', () => {
    const [entry] = declare(makeTool()).entries;
    expect(entry!.published).toBe(entry!.published);
    expect(Object.isFrozen(entry!.published)).toBe(true);
  });
});

describe('the scopes that tools declare (A7)', () => {
  it('are a sorted union, without what scopesFor adds', () => {
    const tools = [
      makeTool({ scopes: ['write', 'read'] }),
      makeTool({ scopes: ['admin', 'read'], scopesFor: () => ['extra'] }),
      makeTool(),
    ];
    expect(mcpDeclaredScopes(tools)).toEqual(['admin', 'read', 'write']);
    expect(mcpDeclaredScopes([])).toEqual([]);
  });
});

describe('checkMcpAnnotations', () => {
  const R = /say with readOnlyHint/;
  const O = /say with openWorldHint/;
  const D = /say with destructiveHint/;
  it.each<[McpAnnotations | undefined, RegExp[]]>([
    [undefined, [R, O]],
    [{}, [R, O]],
    [{ title: 'Stock' }, [R, O]],
    [{ readOnlyHint: true }, [O]],
    [{ openWorldHint: false }, [R]],
    [{ readOnlyHint: true, openWorldHint: false }, []],
    [{ readOnlyHint: false, openWorldHint: false }, [D]],
    [{ readOnlyHint: false, openWorldHint: true, destructiveHint: false }, []],
    [{ readOnlyHint: false, openWorldHint: true, destructiveHint: true, idempotentHint: true }, []],
    [{ readOnlyHint: true, openWorldHint: false, destructiveHint: false }, [/destructiveHint says nothing.*remove it/]],
    [
      { readOnlyHint: true, openWorldHint: false, destructiveHint: true, idempotentHint: true },
      [/destructiveHint says nothing/, /idempotentHint says nothing/],
    ],
  ])('of %j finds what is unsaid or pointless, and says the way out', (annotations, expected) => {
    const faults = checkMcpAnnotations({ name: 'shop_stock', ...(annotations && { annotations }) });
    expect(faults).toHaveLength(expected.length);
    expected.forEach((pattern, at) => expect(faults[at]).toMatch(pattern));
    for (const fault of faults) expect(fault).toMatch(/^Tool "shop_stock": /);
  });
});

describe('arguments that are mirrored in headers (P11)', () => {
  const H = { type: 'string', 'x-mcp-header': 'Region' };

  it('are found at any depth of properties', () => {
    const schema = {
      type: 'object',
      properties: {
        region: H,
        customer: { type: 'object', properties: { vip: { type: 'boolean', 'x-mcp-header': 'Vip' } } },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        plain: { type: 'string' },
      },
    };
    expect(readHeaderParameters(schema)).toEqual({
      parameters: [
        { header: 'Region', path: ['region'] },
        { header: 'Vip', path: ['customer', 'vip'] },
        { header: 'Count', path: ['count'] },
      ],
    });
  });

  const NAME = /^x-mcp-header of "a" is not the name of a header: use letters, digits and hyphens\.$/;
  const TYPE = /^x-mcp-header stands on "a", which is not of type string, integer or boolean: only these fit a header/;
  const named = (name: unknown) => ({ properties: { a: { ...H, 'x-mcp-header': name } } });
  const at = (place: string) => new RegExp(`^x-mcp-header stands at "${place}", where no header can reach it: put it`);
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['two words', named('My Header'), NAME],
    ['a name with a colon', named('Region:Primary'), NAME],
    ['a name that is not ASCII', named('Région'), NAME],
    ['a name with a tab', named('Region\t1'), NAME],
    ['a name with a line break behind it', named('Region\r\n'), NAME],
    ['empty', named(''), NAME],
    ['a number', named(7), NAME],
    ['nothing', named(undefined), NAME],
    [
      'with the prefix that it gets by itself',
      named('mcp-param-Region'),
      /^x-mcp-header of "a" says "mcp-param-Region", but the header gets its "Mcp-Param-" by itself: say "Region"\.$/,
    ],
    ['nothing but that prefix', named('Mcp-Param-'), /by itself: say what comes behind it\.$/],
    ['on a number, whose text is ambiguous', { properties: { a: { ...H, type: 'number' } } }, TYPE],
    ['on an object', { properties: { a: { ...H, type: 'object' } } }, TYPE],
    ['on an array', { properties: { a: { ...H, type: 'array' } } }, TYPE],
    ['on null', { properties: { a: { ...H, type: 'null' } } }, TYPE],
    [
      'on what may be null',
      { properties: { a: { ...H, type: ['string', 'null'] } } },
      /may be null is left out instead/,
    ],
    ['on no type', { properties: { a: { 'x-mcp-header': 'A' } } }, TYPE],
    ['on a reference', { $defs: { r: {} }, properties: { a: { $ref: '#/$defs/r', 'x-mcp-header': 'A' } } }, TYPE],
    [
      'on integers that lose their last digits',
      { properties: { a: { type: 'integer', enum: [1, 2 ** 53], 'x-mcp-header': 'A' } } },
      /"a", which takes integers beyond 2\^53 - 1: no header mirrors them exactly, make it a string/,
    ],
    [
      'used twice, whatever its case',
      { properties: { a: H, b: { type: 'object', properties: { c: { ...H, 'x-mcp-header': 'REGION' } } } } },
      /"REGION" of "b\.c" is used twice, also by "a"/,
    ],
    ['inside an array', { properties: { a: { type: 'array', items: H } } }, at('a.items')],
    ['inside a tuple', { properties: { a: { type: 'array', prefixItems: [H] } } }, at('a.prefixItems.0')],
    ['inside a property of items', { properties: { a: { items: { properties: { b: H } } } } }, at('a.items.b')],
    ['inside contains', { properties: { a: { contains: H } } }, at('a.contains')],
    ...['anyOf', 'oneOf', 'allOf'].map((union): [string, Record<string, unknown>, RegExp] => [
      `inside ${union}`,
      { [union]: [{ properties: { a: H } }] },
      at(`${union}.0.a`),
    ]),
    ...['not', 'if', 'then', 'else', 'propertyNames', 'additionalProperties', 'unevaluatedProperties'].map(
      (keyword): [string, Record<string, unknown>, RegExp] => [
        `inside ${keyword}`,
        { [keyword]: { properties: { a: H } } },
        at(`${keyword}.a`),
      ],
    ),
    ...['$defs', 'definitions', 'patternProperties', 'dependentSchemas', 'dependencies'].map(
      (keyword): [string, Record<string, unknown>, RegExp] => [
        `inside ${keyword}`,
        { [keyword]: { b: { properties: { a: H } } } },
        at(`${keyword.replace('$', String.raw`\$`)}.b.a`),
      ],
    ),
    ['inside a keyword that nobody knows', { 'x-other': { properties: { a: H } } }, at('x-other.a')],
    ['at the root', { 'x-mcp-header': 'Root' }, /^x-mcp-header stands at the root, where no header can reach it/],
  ])('must not be %s', (_, schema, fault) => {
    expect(readHeaderParameters({ type: 'object', ...schema })).toEqual({
      fault: expect.stringMatching(fault) as string,
    });
  });

  it('may be called like the keyword, or hold it as data', () => {
    const schema = {
      type: 'object',
      properties: { 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 'no' } } },
      $defs: { 'x-mcp-header': { type: 'string', enum: [{ 'x-mcp-header': 'no' }] } },
      examples: [{ 'x-mcp-header': 'no' }],
    };
    expect(readHeaderParameters(schema)).toEqual({ parameters: [] });
  });
});

function everything(): Parts {
  return {
    title: 'Stock',
    outputSchema: { type: 'object', properties: { stock: { type: 'integer' } } },
    annotations: { readOnlyHint: true, openWorldHint: false },
    icons: [{ src: 'https://shop.test/icon.png' }],
    _meta: { 'shop.test/group': 'stock' },
    scopes: ['read'],
    requiresAuth: true,
    scopesFor: () => [],
    actsForUser: true,
  };
}

function header(property: Record<string, unknown>): Parts {
  return { inputSchema: { type: 'object', properties: { a: { ...property, 'x-mcp-header': 'A' } } } };
}
