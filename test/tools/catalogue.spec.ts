/** A2, A3, P13: which tools a caller has, decided once, and at what cost. */
import { ANONYMOUS_CALLER, establishCaller, type McpCaller } from '../../src/caller.js';
import { collectMcpTools, type McpToolSource } from '../../src/tools/catalogue.js';
import { declareMcpTools } from '../../src/tools/declare.js';
import { McpToolIndex } from '../../src/tools/tool-index.js';
import type { McpAdmission, McpTool, McpToolEntry } from '../../src/tools/tool.js';
import { account } from '../support/callers.js';
import { declare, makeEntry, makeTool } from '../support/tools.js';

function catalogueOf(tools: readonly (McpTool | McpToolEntry)[], caller: McpCaller = ANONYMOUS_CALLER) {
  const index = declare(...tools);
  return catalogue({ fixed: () => index }, caller);
}

function catalogue(source: McpToolSource, caller: McpCaller = ANONYMOUS_CALLER, request?: unknown) {
  const withheld: string[] = [];
  const collected = collectMcpTools(source, {
    caller,
    request,
    onWithheld: (tool, reason) => withheld.push(`${tool.name}: ${reason}`),
  });
  return {
    withheld,
    list: () => collected.list(),
    find: (name: string, args: Record<string, unknown>) => collected.find(name, args),
    reserved: () => collected.reserved(),
    names: async () => (await collected.list()).map(({ tool }) => tool.name),
    has: async (name: string) => (await collected.find(name, {})) !== undefined,
  };
}

/** A tool whose every evaluation is counted. */
function counted(name: string, counts: Record<string, number>) {
  return makeEntry(makeTool({ name }), () => {
    counts[name] = (counts[name] ?? 0) + 1;
    return true;
  });
}

describe("the package's own tools", () => {
  const own = makeTool({ name: 'nest_routes', scopes: ['nest:read'], annotations: { readOnlyHint: true } });
  const index = declareMcpTools([{ tool: own, origin: 'own' }], { builtIn: true });

  it.each<[string, McpCaller, boolean]>([
    ['to a stranger', ANONYMOUS_CALLER, false],
    ['to somebody without their scopes', account('ada', 'read'), false],
    ['to somebody with their scopes', account('ada', 'nest:read'), true],
    ['to the local operator', establishCaller({ operator: true }), true],
  ])('S3: are there %s or not', async (_, caller, there) => {
    const { has, names } = catalogue({ fixed: () => index }, caller);
    expect([await has('nest_routes'), (await names()).length]).toEqual([there, there ? 1 : 0]);
  });
});

describe('a caller', () => {
  const tools = [
    makeTool({ name: 'open' }),
    makeTool({ name: 'members', requiresAuth: true }),
    makeTool({ name: 'readers', scopes: ['read'] }),
    makeTool({ name: 'editors', scopes: ['read', 'write'] }),
    makeTool({ name: 'acting', scopes: ['read'], actsForUser: true }),
  ];

  it.each<[string, McpCaller, string[]]>([
    ['that nobody knows', ANONYMOUS_CALLER, ['open']],
    ['that is known, without scopes', account('ada'), ['open', 'members']],
    ['with one of two scopes', account('ada', 'read'), ['open', 'members', 'readers', 'acting']],
    ['with all scopes', account('ada', 'write', 'read'), ['open', 'members', 'readers', 'editors', 'acting']],
    ['with another scope', account('ada', 'readonly'), ['open', 'members']],
    ['with scopes but unauthenticated (A5)', establishCaller({ scopes: ['read'] }), ['open', 'readers']],
  ])('A2: %s lists and can call exactly the tools it has', async (_, caller, expected) => {
    const { names, has } = catalogueOf(tools, caller);
    expect(await names()).toEqual(expected);
    for (const { name } of tools) expect(await has(name)).toBe(expected.includes(name));
  });

  it('P13: gets the same tools in the same order each time, whatever was asked before', async () => {
    const index = declare(...tools);
    const first = catalogue({ fixed: () => index }, account('ada', 'read'));
    await first.has('editors');
    const second = catalogue({ fixed: () => index }, account('ada', 'read'));
    expect(await first.names()).toEqual(await second.names());
  });

  it('A3: is told how many tools wait for authorization, and which never', async () => {
    expect(await catalogueOf(tools).reserved()).toBe(4);
    expect(await catalogueOf(tools, account('ada', 'read')).reserved()).toBe(1);
    expect(await catalogueOf(tools, account('ada', 'read', 'write')).reserved()).toBe(0);
  });

  it('A3: is not told of tools that a guard withholds: authorization would not bring them', async () => {
    const guarded = [makeEntry(makeTool({ name: 'guarded' }), () => false), makeTool({ name: 'x', scopes: ['read'] })];
    expect(await catalogueOf(guarded).reserved()).toBe(1);
  });

  it('A3: leaves a reason in the log for each tool that it does not have', async () => {
    const { names, withheld } = catalogueOf(
      [...tools.slice(0, 4), makeEntry(makeTool({ name: 'guarded' }), () => false)],
      account('ada', 'write'),
    );
    await names();
    expect(withheld).toEqual([
      'readers: it needs the scopes read',
      'editors: it needs the scopes read',
      'guarded: a guard refused it',
    ]);
  });
});

describe('the rule that a place of declaration adds', () => {
  it.each<[string, () => unknown, boolean]>([
    ['true', () => true, true],
    ['a promise of true', async () => true, true],
    ['false', () => false, false],
    ['a promise of false', async () => false, false],
    ['something merely truthy', () => 'yes', false],
    ['nothing', () => undefined, false],
    [
      'an exception',
      () => {
        throw new Error('secret of a guard');
      },
      false,
    ],
    ['a rejection', () => Promise.reject(new Error('secret of a guard')), false],
  ])('A2: that gives %s decides for list and call alike', async (_, admits, has) => {
    const collected = catalogueOf([makeEntry(makeTool(), admits as () => boolean)]);
    expect(await collected.names()).toEqual(has ? ['shop_stock'] : []);
    expect(await collected.has('shop_stock')).toBe(has);
    expect(collected.withheld.join()).not.toContain('secret');
  });

  it('A2: hears of tool, caller and request, and of the arguments of a call', async () => {
    const heard: McpAdmission[] = [];
    const entry = makeEntry(makeTool(), (admission) => heard.push(admission) > 0);
    const index = declareMcpTools([entry]);
    const ada = account('ada');
    const { list, find } = catalogue({ fixed: () => index }, ada, 'the request');
    await list();
    await find('shop_stock', { sku: 'A-1' });
    const known = { tool: entry.tool, caller: ada, request: 'the request' };
    expect(heard).toEqual([known, { ...known, args: { sku: 'A-1' } }]);
    expect(heard[0]).toHaveProperty('args', undefined);
  });

  it('A2: is not asked about a tool that waits for authorization anyway', async () => {
    let asked = 0;
    const entry = makeEntry(makeTool({ scopes: ['read'] }), () => (asked += 1) > 0);
    await catalogueOf([entry]).names();
    expect(asked).toBe(0);
  });

  it('A2: keeps its own `this`', async () => {
    class Guarded implements McpToolEntry {
      readonly tool = makeTool();
      readonly origin = 'Guarded';
      private readonly answer = true;
      admits() {
        return this.answer;
      }
    }
    expect(await catalogueOf([new Guarded()]).names()).toEqual(['shop_stock']);
  });
});

describe('the cost of a request', () => {
  it('A2: for a call is the named tool and no other, however large the catalogue', async () => {
    const counts: Record<string, number> = {};
    const { find } = catalogueOf(Array.from({ length: 100 }, (_, at) => counted(`tool_${at}`, counts)));
    await find('tool_42', {});
    expect(counts).toEqual({ tool_42: 1 });
  });

  it('A2: for an unknown tool is nothing', async () => {
    const counts: Record<string, number> = {};
    const { find } = catalogueOf([counted('known', counts)]);
    expect(await find('unknown', {})).toBeUndefined();
    expect(counts).toEqual({});
  });

  it('A2: for a list is each tool once', async () => {
    const counts: Record<string, number> = {};
    const { list } = catalogueOf([counted('a', counts), counted('b', counts)]);
    await list();
    expect(counts).toEqual({ a: 1, b: 1 });
  });

  it('G10: is nothing at all before something is asked', () => {
    let asked = 0;
    const source = { fixed: () => ((asked += 1), McpToolIndex.EMPTY), fresh: () => ((asked += 1), undefined) };
    catalogue(source);
    expect(asked).toBe(0);
  });
});

describe('tools that are given anew at each request (T3)', () => {
  const fixed = declare(makeTool({ name: 'fixed' }), makeTool({ name: 'both', title: 'declared' }));

  it.each([
    ['at once', (index: McpToolIndex) => index],
    ['by a promise', async (index: McpToolIndex) => index],
  ])('come behind the declared ones when they are there %s', async (_, give) => {
    const fresh = declare(makeTool({ name: 'fresh' }));
    const { names, has } = catalogue({ fixed: () => fixed, fresh: () => give(fresh) });
    expect(await names()).toEqual(['fixed', 'both', 'fresh']);
    expect(await has('fresh')).toBe(true);
  });

  it('are not asked for when a declared tool is called', async () => {
    let asked = 0;
    const { find } = catalogue({ fixed: () => fixed, fresh: () => ((asked += 1), undefined) });
    await find('fixed', {});
    expect(asked).toBe(0);
    await find('fresh', {});
    expect(asked).toBe(1);
  });

  it('never take the name of a declared one', async () => {
    const fresh = declare(makeTool({ name: 'both', title: 'intruder' }));
    const { list, find } = catalogue({ fixed: () => fixed, fresh: () => fresh });
    expect((await list()).map(({ tool }) => tool.title)).toEqual([undefined, 'declared']);
    expect((await find('both', {}))?.tool.title).toBe('declared');
  });

  it('are filtered and counted like the declared ones', async () => {
    const fresh = declare(makeTool({ name: 'fresh', scopes: ['read'] }));
    const { has, reserved } = catalogue({ fixed: () => fixed, fresh: () => fresh });
    expect(await has('fresh')).toBe(false);
    expect(await reserved()).toBe(1);
  });

  it('G10: may change between two requests, and a lazily loaded module adds to the declared ones', async () => {
    let index = fixed;
    let fresh: McpToolIndex | undefined = declare(makeTool({ name: 'first' }));
    const source = { fixed: () => index, fresh: () => fresh };
    expect(await catalogue(source).names()).toEqual(['fixed', 'both', 'first']);
    index = McpToolIndex.join(fixed, declare(makeTool({ name: 'lazy' })));
    fresh = undefined;
    expect(await catalogue(source).names()).toEqual(['fixed', 'both', 'lazy']);
  });
});
