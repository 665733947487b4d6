/** Page by page over a gate: what is remembered of pages is what is in them, and a gate without the setting sends it all. */
import * as fc from 'fast-check';
import type { McpTool } from '../../src/tools/tool.js';
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import { Pipe } from '../stdio/pipe.js';
import { account } from '../support/callers.js';
import { serve, type ServedGate } from '../support/gates.js';
import { makeTool } from '../support/tools.js';

const MODERN: McpVersion = '2026-07-28';

interface ToolsPage {
  readonly tools: readonly { readonly name: string }[];
  readonly nextCursor?: string;
}

async function page(gate: ServedGate, version: McpVersion, cursor?: string): Promise<ToolsPage> {
  const { messages } = await gate.ask(version, 'tools/list', cursor === undefined ? {} : { cursor });
  return messages[0]!['result'] as ToolsPage;
}

async function namesOf(gate: ServedGate, version: McpVersion): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await page(gate, version, cursor);
    pages.push(tools.map(({ name }) => name));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

const tools = (...names: string[]) => names.map((name) => makeTool({ name }));

describe('a gate with pageSize', () => {
  it.each(MCP_SUPPORTED_VERSIONS)('gives its lists page by page, in %s', async (version) => {
    const gate = await serve({ tools: tools('a', 'b', 'c', 'd', 'e'), pageSize: 2 });
    try {
      expect(await namesOf(gate, version)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      const refused = await gate.ask(version, 'tools/list', { cursor: 'x' });
      expect(refused).toMatchObject({ status: 400, messages: [{ error: { code: -32602 } }] });
    } finally {
      await gate.close();
    }
  });

  it('writes a page once, in each revision, as long as the list is the same', async () => {
    let written = 0;
    const counted = { toJSON: () => (written += 1) } as unknown as McpTool['_meta'];
    const gate = await serve({ tools: [...tools('a', 'b'), makeTool({ name: 'c', _meta: counted })], pageSize: 2 });
    try {
      for (const version of MCP_SUPPORTED_VERSIONS.filter((each) => each >= '2025-06-18')) {
        const [{ nextCursor: one }, { nextCursor: two }] = [await page(gate, version), await page(gate, version)];
        expect(one).not.toBe(two); // each sealed by itself
        const first = await page(gate, version, one);
        const before = written;
        expect(await page(gate, version, two)).toEqual(first);
        expect(written).toBe(before);
      }
      expect(written).toBeGreaterThan(0);
    } finally {
      await gate.close();
    }
  });

  it('gives each caller its own pages, whoever came before (A2)', async () => {
    const scopes = ['a', 'b', 'c', 'd', 'e'];
    const reserved = scopes.map((scope) => makeTool({ name: `tool_${scope}`, scopes: [scope] }));
    let caller = account('ada');
    const gate = await serve({ tools: reserved, pageSize: 2 }, () => ({ caller }));
    const asked = fc.array(fc.subarray(scopes), { minLength: 1, maxLength: 6 });
    try {
      await fc.assert(
        fc.asyncProperty(asked, fc.constantFrom(...MCP_SUPPORTED_VERSIONS), async (callers, version) => {
          for (const granted of callers) {
            caller = { ...account('ada'), scopes: granted };
            expect((await namesOf(gate, version)).flat()).toEqual(granted.toSorted().map((scope) => `tool_${scope}`));
          }
        }),
        { numRuns: 20 },
      );
    } finally {
      await gate.close();
    }
  });

  it('takes the cursors of another process that has its secret, and no others', async () => {
    const secrets = ['a secret of at least thirty-two characters'];
    const settings = { tools: tools('a', 'b', 'c'), pageSize: 2 };
    const [one, two, alone] = [
      await serve({ ...settings, secrets }),
      await serve({ ...settings, secrets }),
      await serve(settings),
    ];
    try {
      const { nextCursor } = await page(one, MODERN);
      expect((await page(two, MODERN, nextCursor)).tools).toMatchObject([{ name: 'c' }]);
      const refused = await alone.ask(MODERN, 'tools/list', { cursor: nextCursor });
      expect(refused.messages[0]).toMatchObject({ error: { code: -32602 } });
    } finally {
      await Promise.all([one, two, alone].map((gate) => gate.close()));
    }
  });

  it('does the same over a pipe', async () => {
    const pipe = new Pipe({ entries: tools('a', 'b', 'c'), settings: { pageSize: 2 } });
    pipe.ask(MODERN, 'tools/list', {}, 1);
    const { result } = await pipe.answer(1);
    expect(result).toMatchObject({ tools: [{ name: 'a' }, { name: 'b' }], nextCursor: expect.any(String) as string });
    pipe.ask('2025-11-25', 'tools/list', { cursor: result.nextCursor }, 2);
    expect((await pipe.answer(2))['result']).toEqual({ tools: [expect.objectContaining({ name: 'c' })] });
    pipe.input.end();
    await pipe.served;
  });
});

it('gives everything on the first page without the setting', async () => {
  const gate = await serve({ tools: tools(...Array.from({ length: 300 }, (_, at) => `tool_${at}`)) });
  try {
    for (const version of MCP_SUPPORTED_VERSIONS) {
      const whole = await page(gate, version);
      expect(whole.tools).toHaveLength(300);
      expect(whole).not.toHaveProperty('nextCursor');
    }
  } finally {
    await gate.close();
  }
});
