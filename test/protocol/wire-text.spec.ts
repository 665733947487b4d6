/** The text of a message is what JSON says of it, and that of a list is made once for each set of tools and revision. */
import * as fc from 'fast-check';
import { messageText, messageWire, rememberText, type McpWirePieces } from '../../src/protocol/wire-text.js';
import { MCP_SUPPORTED_VERSIONS } from '../../src/protocol/revisions.js';
import type { McpTool } from '../../src/tools/tool.js';
import { account } from '../support/callers.js';
import { serve } from '../support/gates.js';
import { makeTool } from '../support/tools.js';

const id = fc.oneof(fc.string(), fc.integer());

it('is to the byte what JSON.stringify gives, of anything that is sent', () => {
  const list = fc.array(fc.jsonValue()).map((tools) => (rememberText(tools), tools));
  const result = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.tuple(list, fc.dictionary(fc.string(), fc.jsonValue())).map(([tools, rest]) => ({ tools, ...rest })),
    fc.tuple(list, fc.dictionary(fc.string(), fc.jsonValue())).map(([tools, rest]) => ({ ...rest, tools })),
  );
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({ jsonrpc: fc.constant('2.0'), id, result }),
    fc.record({ jsonrpc: fc.constant('2.0'), id, error: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(message, (said) => {
      const expected = JSON.stringify(said);
      expect(messageText(said)).toBe(expected);
      expect(messageText(said)).toBe(expected); // now from what was remembered
    }),
  );
});

it('is the same in pieces, of which the long one is there already', () => {
  const tools = fc.array(fc.jsonValue(), { maxLength: 5 }).map((some) => {
    const list = [...some, 'é\u{1f600}'.repeat(5_000)];
    rememberText(list);
    return list;
  });
  fc.assert(
    fc.property(
      id,
      tools,
      fc.dictionary(fc.constantFrom('_meta', 'nextCursor', 'ttlMs'), fc.jsonValue()),
      (said, list, rest) => {
        const message = { jsonrpc: '2.0', id: said, result: { tools: list, ...rest } };
        const [before, long, after] = messageWire(message) as McpWirePieces;
        expect(before + Buffer.from(long).toString() + after).toBe(JSON.stringify(message));
        expect(messageWire({ ...message, id: 'another' })[1]).toBe(long);
      },
    ),
  );
});

it('is in no pieces where none of them is long, or known', () => {
  const [short, unknown] = [['x'], ['x'.repeat(10_000)]];
  rememberText(short);
  for (const tools of [short, unknown]) {
    const message = { jsonrpc: '2.0', id: 1, result: { tools } };
    expect(messageWire(message)).toBe(JSON.stringify(message));
  }
});

it('does not write a list again that has not changed, in no revision', async () => {
  let written = 0;
  const counted = { toJSON: () => (written += 1) } as unknown as McpTool['_meta'];
  const gate = await serve({ tools: [makeTool({ _meta: counted })] });
  try {
    for (const version of MCP_SUPPORTED_VERSIONS.filter((each) => each >= '2025-06-18')) {
      const first = await gate.ask(version, 'tools/list');
      const before = written;
      const second = await gate.ask(version, 'tools/list');
      expect(second.text).toBe(first.text);
      expect(written).toBe(before);
    }
    expect(written).toBeGreaterThan(0);
  } finally {
    await gate.close();
  }
});

it('is never that of another set: callers whose scopes differ get their own lists, whoever came before', async () => {
  const scopes = ['a', 'b', 'c', 'd'];
  const tools = scopes.map((scope) => makeTool({ name: `tool_${scope}`, scopes: [scope] }));
  const asked = fc.array(fc.subarray(scopes), { minLength: 1, maxLength: 20 });
  const names = (text: string) =>
    (JSON.parse(text) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  let caller = account('ada');
  const gate = await serve({ tools }, () => ({ caller }));
  try {
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom(...MCP_SUPPORTED_VERSIONS), async (callers, version) => {
        for (const granted of callers) {
          caller = { ...account('ada'), scopes: granted };
          const { text } = await gate.ask(version, 'tools/list');
          expect(names(text)).toEqual(granted.toSorted().map((scope) => `tool_${scope}`));
        }
      }),
      { numRuns: 40 },
    );
  } finally {
    await gate.close();
  }
});

it('is never remembered of a tool’s own value, however much it looks like a list', async () => {
  const shared = Object.freeze([{ secret: '' }]);
  const content = [{ type: 'text', text: 'done' }];
  const handler = ({ secret }: Record<string, unknown>) => {
    shared[0]!.secret = String(secret);
    return { tools: shared, content };
  };
  const inputSchema = { type: 'object', properties: { secret: { type: 'string' } } };
  const gate = await serve({ tools: [makeTool({ inputSchema, handler })] });
  try {
    for (const secret of ['for ada', 'for bob']) {
      const { text } = await gate.ask('2026-07-28', 'tools/call', { name: 'shop_stock', arguments: { secret } });
      expect(text).toContain(secret);
    }
  } finally {
    await gate.close();
  }
});
