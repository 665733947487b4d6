/** What an application's own code may do to a gate: throw anything, return anything, declare anything (P15, T4, T8, T9, T12, R3). */
import { from, Observable, of } from 'rxjs';
import { logFault } from '../../src/gate/log.js';
import { errorName } from '../../src/oauth/error-name.js';
import { McpOpenRun } from '../../src/runs/open-run.js';
import { McpProgress } from '../../src/runs/run.js';
import { collectMcpTools } from '../../src/tools/catalogue.js';
import { type McpToolFault } from '../../src/tools/declarations.js';
import { declareMcpTools } from '../../src/tools/declare.js';
import { jsonText } from '../../src/tools/json-text.js';
import { settleToolValue } from '../../src/tools/settle.js';
import type { McpTool } from '../../src/tools/tool.js';
import { ANONYMOUS_CALLER } from '../../src/caller.js';
import { serve } from '../support/gates.js';
import { makeEntry, makeTool } from '../support/tools.js';

/** An error whose every property throws that same error. */
function untouchable(): Error {
  const error = new Error('SECRET');
  for (const property of ['stack', 'name', 'message']) {
    Object.defineProperty(error, property, {
      get() {
        throw error;
      },
    });
  }
  return error;
}

const shy = () => {
  const refuse = () => {
    throw new Error('SECRET');
  };
  return new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse });
};

const THROWN: readonly (readonly [string, () => unknown])[] = [
  ['an error whose properties throw', untouchable],
  ['a proxy whose traps throw', shy],
  ['an error whose stack is a symbol', () => Object.assign(new Error('SECRET'), { stack: Symbol('SECRET') })],
  [
    'an error without a stack that cannot be made a text',
    () => Object.assign(new Error('SECRET'), { stack: undefined, toString: () => untouchable().message }),
  ],
  [
    'an object that cannot be inspected',
    () => ({ [Symbol.for('nodejs.util.inspect.custom')]: () => untouchable().message }),
  ],
];

describe('a tool that throws', () => {
  it.each(THROWN)('%s answers with the tool and an id, as for any other fault (T8)', async (_, make) => {
    const tool = makeTool({
      handler() {
        throw make();
      },
    });
    const shop = await serve({ tools: [tool] });
    try {
      const { status, text } = await shop.ask('2025-11-25', 'tools/call', { name: tool.name });
      expect(status).toBe(200);
      expect(text).toMatch(
        /"code":-32603,"message":"Tool shop_stock failed\. The server's log has the cause under [\w-]+\."/,
      );
      expect(text).not.toContain('SECRET');
      expect(shop.log).toEqual([expect.stringMatching(/^error \[shop\] tool shop_stock failed \([\w-]+\): /)]);
      expect(shop.gate.liveRuns).toBe(0);
    } finally {
      await shop.close();
    }
  });

  it.each(THROWN)('%s has an entry in the log', (_, make) => {
    const lines: string[] = [];
    const log = { debug() {}, warn() {}, error: (line: string) => void lines.push(line) };
    const id = logFault(log, 'shop', { where: 'tool x', error: make() });
    expect(lines).toEqual([expect.stringContaining(`[shop] tool x failed (${id}): `)]);
    expect(errorName(make())).toMatch(/^[\w ]+$/);
  });
});

describe('a guard that throws', () => {
  it.each(THROWN)('%s withholds its tool, which nothing then tells from an unknown one (A2, T12)', async (_, make) => {
    const index = declareMcpTools([
      makeEntry(makeTool()),
      makeEntry(makeTool({ name: 'kept' }), () => {
        throw make();
      }),
    ]);
    const reasons: string[] = [];
    const catalogue = collectMcpTools(
      { fixed: () => index },
      { caller: ANONYMOUS_CALLER, onWithheld: (_tool, reason) => reasons.push(reason) },
    );
    expect((await catalogue.list()).map(({ tool }) => tool.name)).toEqual(['shop_stock']);
    expect(await catalogue.find('kept', {})).toBeUndefined();
    expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/^a guard refused it by an exception/)));
    expect(reasons.join()).not.toContain('SECRET');
  });
});

describe('a declaration', () => {
  const unreadable = (property: string) =>
    Object.defineProperty({ ...makeTool({ name: 'odd' }) }, property, {
      get() {
        throw new Error('no connection');
      },
    });
  const itself: Record<string, unknown> = {};
  itself['itself'] = itself;

  it.each<[string, unknown, RegExp]>([
    ['a proxy', shy(), /cannot be read/],
    ['an object whose name throws', unreadable('name'), /cannot be read, something in it threw: no connection/],
    [
      'an object whose schema throws',
      unreadable('inputSchema'),
      /cannot be read, something in it threw: no connection/,
    ],
    ['a tool whose _meta holds itself', makeTool({ name: 'odd', _meta: itself }), /_meta must be an object that JSON/],
    ['a tool whose _meta holds a BigInt', makeTool({ name: 'odd', _meta: { at: 1n } }), /_meta must be an object that/],
    ['a tool whose icons hold a BigInt', makeTool({ name: 'odd', icons: [{ src: 1n as never }] }), /icons must be an/],
  ])('that is %s takes no other tool with it (T4)', async (_, tool, reason) => {
    const faults: McpToolFault[] = [];
    const entries = [makeEntry(makeTool()), { tool: tool as McpTool, origin: 'Giver.getMcpTools' }];
    const index = declareMcpTools(entries, { report: (fault) => faults.push(fault) });
    expect(index.entries.map(({ tool: { name } }) => name)).toEqual(['shop_stock']);
    expect(faults).toEqual([
      expect.objectContaining({ origin: 'Giver.getMcpTools', reason: expect.stringMatching(reason) }),
    ]);
    expect(() => declareMcpTools(entries)).toThrow(reason);
  });
});

describe('an Observable (R3)', () => {
  const start = () => new McpOpenRun({ id: 'run' });
  const unreadableProgress = () =>
    Object.defineProperty(new McpProgress(1), 'progress', {
      get() {
        throw new Error('SECRET');
      },
    });

  it.each<[string, () => unknown]>([
    ['a value that throws when it is looked at', () => of(shy(), 'done')],
    ['progress that throws when it is read', () => of(unreadableProgress(), 'done')],
  ])('that emits %s fails as the tool would, and the process goes on', async (_, make) => {
    await expect(settleToolValue(make(), start())).rejects.toThrow();
    // rxjs throws what an observer throws in a timer of its own: it would be there by now.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('is unsubscribed once it has failed so, also when it emits at once', async () => {
    let open = true;
    const source = new Observable((subscriber) => {
      subscriber.next(shy());
      subscriber.next('later');
      return () => (open = false);
    });
    await expect(settleToolValue(source, start())).rejects.toThrow('SECRET');
    expect(open).toBe(false);
  });

  it('may emit progress a hundred thousand times in one go', async () => {
    const steps = Array.from({ length: 100_000 }, (_, at) => new McpProgress(at));
    expect(await settleToolValue(from([...steps, 'done']), start())).toBe('done');
  });
});

describe('a value whose parts know one another (T9)', () => {
  /** Records with relations, as an ORM gives them: each to all others. */
  function related(count: number): object {
    const records = Array.from({ length: count }, (_, id) => ({ id, relations: [] as object[] }));
    for (const record of records) record.relations = records.filter((other) => other !== record);
    return records[0]!;
  }

  it('is said in bounded time and space: 14 related records have 6 thousand million ways through them', () => {
    const text = jsonText(related(14))!;
    expect(text).toContain('"[circular]"');
    expect(text).toContain('"[repeated]"');
    expect(text.length).toBeLessThan(5_000_000);
  });

  it('is said in full while it is small', () => {
    const text = jsonText(related(4))!;
    expect(text).toContain('"[circular]"');
    expect(text).not.toContain('"[repeated]"');
  });

  it('is bounded also where nothing holds itself', () => {
    let value: object = { leaf: true };
    for (let depth = 0; depth < 40; depth++) value = { left: value, right: value };
    expect(jsonText(value)!.length).toBeLessThan(5_000_000);
  });

  it('leaves alone what merely stands in many places, and what is merely large', () => {
    const category = { name: 'tools', department: { name: 'hardware' } };
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id: BigInt(id), category }));
    expect(jsonText(rows)).not.toContain('[repeated]');
    const many = Array.from({ length: 150_000 }, (_, id) => ({ id }));
    expect(jsonText(many)).toBe(JSON.stringify(many));
  });
});
