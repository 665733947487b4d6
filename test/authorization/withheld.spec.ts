/**
 * A tool that a caller does not have, and a tool that does not exist, are one and the same to it: on every kind of gate,
 * in either era, in every header and byte (A2, A3, T12).
 */
import { McpModule, type McpToolProvider } from 'nestjs-mcp-gate';
import type { McpVersion } from '../../src/protocol/revisions.js';
import { rawRequest } from '../e2e/raw-request.js';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { request } from '../support/protocol.js';
import { judgeTheLog, logFromNow, open } from './log-watch.js';
import { protectedGate, READS, ShopTools } from './shop.js';
import { bearing, STRANGE_KEYS, tokenFor } from './tokens.js';

class FreshTools implements McpToolProvider {
  getMcpTools() {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'Region' } } };
    const fresh = { description: 'Given anew.', inputSchema, annotations: READS, handler: () => 'fresh' };
    return [
      { ...fresh, name: 'fresh_taken', scopes: ['fresh:read'] },
      { ...fresh, name: 'fresh_known', requiresAuth: true },
    ];
  }
}

/** Everything that a caller is told, with the name that it asked for taken out. */
async function told(url: string, version: McpVersion, name: string, more: Asking): Promise<unknown> {
  const { message, headers } = request(version, 'tools/call', { name, ...more.params }, more.id ?? 1);
  const answer = await rawRequest(new URL(url), {
    body: JSON.stringify(message),
    headers: { ...(headers as Record<string, string>), ...more.headers },
  });
  const { date: _, ...kept } = answer.headers;
  return { status: answer.status, headers: Object.entries(kept), text: answer.text.replaceAll(name, 'NAME') };
}

interface Asking {
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  id?: string | number;
}

/** Why each tool is withheld from whoever has only `shop:read`, and from a stranger. */
const WITHHELD = ['shop_refund', 'shop_orders', 'shop_closed', 'shop_broken', 'fresh_taken'];
const FROM_STRANGERS = [...WITHHELD, 'shop_known', 'fresh_known'];

const ASKED: [string, Asking][] = [
  ['no arguments', {}],
  ['an id that is a text', { id: 'one' }],
  ['arguments', { params: { arguments: { a: 'b', publish: true } } }],
  ['arguments that no tool takes', { params: { arguments: { nothing: { known: [1, 2, 3] } } } }],
  ['arguments that are none', { params: { arguments: ['a'] } }],
  ['a progress token', { params: { arguments: {}, _meta: { progressToken: 'p' } } }],
  ['headers that mirror other arguments', { params: { arguments: { a: 'b' } }, headers: { 'mcp-param-region': 'x' } }],
  ['a wish for a stream', { headers: { accept: 'text/event-stream' } }],
];

describe.each(PLATFORMS)('A withheld tool on %s', (platform) => {
  let gate: Served;

  beforeAll(async () => {
    const tools = [ShopTools, FreshTools];
    const imports = [
      McpModule.forRoot({ name: 'open', path: '/open', tools }),
      protectedGate({ name: 'protected', path: '/protected', tools }),
      protectedGate({ name: 'mixed', path: '/mixed', tools, authorization: { anonymous: true } }),
    ];
    gate = await open({ imports, providers: tools }, { platform });
  });
  afterAll(() => gate.close());

  /** Who asks a gate, and what it does not have. */
  async function callers(path: string): Promise<[string, Record<string, string>, readonly string[]][]> {
    const resource = gate.url + path;
    const reader = bearing(await tokenFor(resource, { scopes: ['shop:read'] })).headers;
    const forged = bearing(
      await tokenFor(resource, { scopes: ['shop:read', 'shop:billing'], key: STRANGE_KEYS }),
    ).headers;
    const known: [string, Record<string, string>, readonly string[]] = ['a reader', reader, WITHHELD];
    if (path === '/protected') return [known];
    const strangers: [string, Record<string, string>, readonly string[]][] = [
      ['a stranger', {}, FROM_STRANGERS],
      ['a forger', forged, FROM_STRANGERS],
    ];
    return path === '/open' ? [...strangers, ['a reader', reader, FROM_STRANGERS]] : [...strangers, known];
  }

  test.each(['/open', '/protected', '/mixed'])(
    'at %s is told as an unknown one, to the byte: status, headers and body (T12, A2)',
    async (path) => {
      for (const [who, headers, withheld] of await callers(path)) {
        for (const version of ['2026-07-28', '2025-11-25'] as const) {
          for (const [how, asking] of ASKED) {
            const more = { ...asking, headers: { ...headers, ...asking.headers } };
            const place = [who, version, how].join(', ');
            const unknown = await told(gate.url + path, version, 'shop_nobody', more);
            const answers = withheld.map((name) => told(gate.url + path, version, name, more));
            for (const [at, same] of (await Promise.all(answers)).entries()) {
              const name = withheld[at]!;
              expect([place, name, withoutLength(same)]).toEqual([place, name, withoutLength(unknown)]);
              // Of one length, so that content-length compares as well.
              if (name.length === 'shop_nobody'.length) expect([place, same]).toEqual([place, unknown]);
            }
          }
        }
      }
    },
  );

  test('gives the words of the specification, and 200: the request was sound (T12)', async () => {
    const answer = await gate.rpc('tools/call', { name: 'shop_refund', arguments: {} }, { path: '/open' });
    expect([answer.status, answer.body.error, answer.headers.get('www-authenticate')]).toEqual([
      200,
      { code: -32602, message: 'Unknown tool: shop_refund' },
      null,
    ]);
  });

  test('is listed nowhere, not even by its scopes or its name in an introduction (A2, A3)', async () => {
    for (const path of ['/open', '/protected', '/mixed']) {
      for (const [who, headers, withheld] of await callers(path)) {
        const list = await gate.rpc('tools/list', {}, { path, headers });
        const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
        const greeting = await gate.rpc('initialize', hello, { path, headers });
        const { message, headers: modern } = request('2026-07-28', 'server/discover');
        const init = {
          path,
          body: JSON.stringify(message),
          headers: { ...(modern as Record<string, string>), ...headers },
        };
        const discovery = await gate.send(init);
        for (const name of withheld) {
          expect([path, who, list.text, greeting.text, discovery.text].join('\n')).not.toContain(name);
        }
        // The two that a guard refuses wait for no authorization.
        const waiting = withheld.length - 2;
        const counted = `${waiting} more tools are available with authorization.`;
        expect([path, who, greeting.body.result.instructions]).toEqual([path, who, counted]);
        expect(discovery.body.result.instructions).toBe(counted);
      }
    }
  });

  test('is normal: said at DEBUG with its reason, and nowhere louder (A3)', async () => {
    const logged = logFromNow(gate);
    await gate.call('shop_refund', {}, { path: '/open' });
    await gate.call('shop_closed', {}, { path: '/open' });
    await gate.call('shop_broken', {}, { path: '/open' });
    await gate.call('shop_known', {}, { path: '/open' });
    await gate.call('shop_nobody', {}, { path: '/open' });
    expect(logged()).toEqual([
      'debug [open] tool shop_refund is withheld: it needs the scopes shop:read, shop:billing.',
      'debug [open] tool shop_closed is withheld: a guard refused it.',
      expect.stringContaining('debug [open] tool shop_broken is withheld: a guard refused it by an exception'),
      'debug [open] tool shop_known is withheld: it needs an authenticated caller.',
    ]);
  });
});

function withoutLength(answer: unknown): unknown {
  const { headers, ...rest } = answer as { headers: [string, unknown][] };
  return { ...rest, headers: headers.filter(([name]) => name !== 'content-length') };
}

judgeTheLog();
