/** G2–G5, G7, G9, P14, P15: a gate over a bare `node:http` server: who comes in, and what is sent back. */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { defineMcpGate } from '../../src/gate/gate.js';
import { currentAmbient } from '../../src/runs/ambient.js';
import { account } from '../support/callers.js';
import { serve, type ServedGate } from '../support/gates.js';
import { collectGarbage } from '../support/garbage.js';
import { dial, listen, postText, send } from '../support/http.js';
import { makeEntry, makeTool } from '../support/tools.js';
import { declareMcpTools } from '../../src/tools/declare.js';

const open: ServedGate[] = [];
const serving: typeof serve = async (...given) => {
  const served = await serve(...given);
  open.push(served);
  return served;
};
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

const APP = 'https://app.test';
const EVIL = 'https://evil.test';
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

describe('an answer', () => {
  it('comes whole whatever it is written in: a long list, whose bytes are sent as they are, a short one, and a text', async () => {
    const words = 'prüft 在庫 \u{1f600} ';
    for (const times of [1, 2_000]) {
      const tool = makeTool({ description: words.repeat(times), handler: () => words });
      const { ask } = await serving({ tools: [tool] });
      for (const asked of ['tools/list', 'tools/list']) {
        const { headers, text } = await ask('2026-07-28', asked);
        const { result } = JSON.parse(text) as { result: { tools: { description: string }[] } };
        expect(result.tools.map(({ description }) => description)).toEqual([tool.description]);
        expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
      }
      const { text } = await ask('2026-07-28', 'tools/call', { name: 'shop_stock' });
      expect((JSON.parse(text) as { result: { content: object[] } }).result.content).toEqual([
        { type: 'text', text: words },
      ]);
    }
  });

  it('G6: is JSON that no cache keeps and no proxy changes', async () => {
    const { ask } = await serving();
    const answer = await ask('2025-11-25', 'tools/call', { name: 'shop_stock' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'content-length': String(Buffer.byteLength(answer.text)),
    });
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } }]);
  });

  it('P2: to a notification is 202 without a body', async () => {
    const { send: ask } = await serving();
    const answer = await ask({ body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
    expect(answer.status).toBe(202);
    expect(answer.text).toBe('');
    expect(answer.headers['content-length']).toBe('0');
  });

  it('P9, P6: carries the status of the protocol', async () => {
    const { ask } = await serving();
    expect((await ask('2026-07-28', 'no/such')).status).toBe(404);
    expect((await ask('2025-11-25', 'ping', {}, { headers: { 'mcp-protocol-version': '1999-01-01' } })).status).toBe(
      400,
    );
  });

  it.each<[string, string | Buffer, Record<string, string>, number, number]>([
    ['broken JSON', '{', {}, 400, -32700],
    ['an empty body', '', {}, 400, -32700],
    ['too large a body', JSON.stringify('x'.repeat(2_000)), {}, 413, -32600],
    ['another media type', ping, { 'content-type': 'text/plain' }, 415, -32600],
    ['another charset', ping, { 'content-type': 'application/json; charset=utf-16' }, 415, -32600],
    ['another encoding', ping, { 'content-encoding': 'zstd' }, 415, -32600],
  ])('P14: to %s is a JSON-RPC error', async (_, body, headers, status, code) => {
    const { send: ask } = await serving({ bodyLimit: 1_000 });
    const answer = await ask({ body, headers });
    expect(answer.status).toBe(status);
    expect(answer.messages).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code } }]);
  });

  it('P15: to a fault says an id, and the log has the cause under it', async () => {
    const broken = makeTool({ handler: () => Promise.reject(new Error('ECONNREFUSED 10.0.0.7')) });
    const { ask, log } = await serving({ tools: [broken] });
    const answer = await ask('2026-07-28', 'tools/call', { name: 'shop_stock' });
    const { error } = answer.messages[0] as { error: { code: number; message: string } };
    expect(error.code).toBe(-32603);
    expect(answer.text).not.toMatch(/ECONNREFUSED|\.ts|at /);
    const id = /under ([0-9a-f-]{36})\.$/.exec(error.message)?.[1];
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(new RegExp(`^error \\[shop\\] tool shop_stock failed \\(${id}\\): Error: ECONNREFUSED`));
  });

  it.each<[string, unknown]>([
    ['an object without prototype', Object.create(null)],
    ['nothing', undefined],
    ['an error without stack', Object.assign(new Error('x'), { stack: undefined })],
  ])('P15: to a tool that throws %s is an error like any other', async (_, thrown) => {
    const broken = makeTool({
      handler: () => {
        throw thrown;
      },
    });
    const { ask, log } = await serving({ tools: [broken] });
    const answer = await ask('2026-07-28', 'tools/call', { name: 'shop_stock' });
    expect(answer.messages).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(log.join()).toMatch(/tool shop_stock failed/);
  });

  it('A3: to a list leaves a line at DEBUG for each tool that is withheld, and none at WARN', async () => {
    const { ask, log } = await serving({ tools: [makeTool({ scopes: ['read'] })] });
    await ask('2026-07-28', 'tools/list');
    expect(log).toEqual(['debug [shop] tool shop_stock is withheld: it needs the scopes read.']);
  });

  it('G7: neither mints a session nor heeds one', async () => {
    const { ask } = await serving();
    const plain = await ask('2025-11-25', 'initialize', { protocolVersion: '2025-11-25' });
    const claimed = await ask(
      '2025-11-25',
      'initialize',
      { protocolVersion: '2025-11-25' },
      {
        headers: { 'mcp-session-id': 'abc', 'last-event-id': '7' },
      },
    );
    expect(claimed.text).toBe(plain.text);
    expect(Object.keys({ ...plain.headers, ...claimed.headers })).not.toContain('mcp-session-id');
  });

  it('P14: to a batch is a batch', async () => {
    const { send: ask } = await serving();
    const answer = await ask({ body: `[${ping}]`, headers: { 'mcp-protocol-version': '2025-03-26' } });
    expect(JSON.parse(answer.text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });
});

describe('a request that does not come in', () => {
  const untouched = async (served: ServedGate, headers: Record<string, string>, method = 'POST') => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shop_stock' } });
    return served.send({ method, headers, ...(method === 'POST' && { body }) });
  };
  let ran = 0;
  const counting = makeTool({ handler: () => (ran += 1) });
  beforeEach(() => {
    ran = 0;
  });

  it.each<[string, Record<string, string>]>([
    ['an origin that is not listed', { origin: EVIL }],
    ['the origin null', { origin: 'null' }],
    ['a foreign host (DNS rebinding)', { host: 'evil.test' }],
    ['a relay', { 'x-forwarded-for': '203.0.113.7' }],
    ['Via', { via: '1.1 proxy' }],
  ])('G3, G4: because of %s is 403, and its tool never runs', async (_, headers) => {
    const answer = await untouched(await serving({ tools: [counting], allowedOrigins: [APP] }), headers);
    expect(answer.status).toBe(403);
    expect(answer.messages).toMatchObject([{ error: { code: -32600 } }]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(ran).toBe(0);
  });

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('G5: by %s is 405 with Allow: POST', async (method) => {
    const answer = await untouched(await serving(), { accept: 'text/event-stream' }, method);
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('POST');
  });

  it('G2: to a gate that is off is 404, whatever it is', async () => {
    const served = await serving({ enabled: false, tools: [counting], allowedOrigins: [APP] });
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const answer = await untouched(served, { origin: EVIL }, method);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe('');
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(ran).toBe(0);
  });

  it('leaves its connection usable, however much of it is unread', async () => {
    const served = await serving();
    const body = JSON.stringify('x'.repeat(500_000));
    const answer = await served.send({ body, headers: { origin: EVIL } });
    expect(answer.status).toBe(403);
  });
});

describe('a web page (G5)', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, mcp-protocol-version, Mcp-Param-Region, x-evil, mcp-param-a b',
  };

  it('of a listed origin is told what it may send', async () => {
    const { send: ask } = await serving({ allowedOrigins: [APP] });
    const answer = await ask({ method: 'OPTIONS', headers: { origin: APP, ...preflight } });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    });
    const allowed = answer.headers['access-control-allow-headers']!.split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'content-type',
        'authorization',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
        'mcp-param-region',
      ]),
    );
    expect(allowed.join()).not.toMatch(/evil|a b/);
  });

  it('of another origin is told nothing', async () => {
    const { send: ask } = await serving({ allowedOrigins: [APP] });
    const answer = await ask({ method: 'OPTIONS', headers: { origin: EVIL, ...preflight } });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('of a listed origin may read every answer, also a refusal', async () => {
    const { send: ask } = await serving({ allowedOrigins: [APP] });
    for (const asked of [{ body: ping }, { body: '{' }, { method: 'GET' }]) {
      const answer = await ask({ ...asked, headers: { origin: APP } });
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': APP, vary: 'Origin' });
    }
  });

  it('is not mentioned to a client that is none', async () => {
    const { send: ask } = await serving({ allowedOrigins: [APP] });
    expect((await ask({ body: ping })).headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('what a host knows of an exchange', () => {
  it('is the body, when it has read it already', async () => {
    const served = await serving({}, () => ({ body: { value: JSON.parse(ping) } }));
    expect((await served.send({ body: 'never looked at', headers: { 'content-type': 'text/plain' } })).status).toBe(
      200,
    );
    const faulty = await serving({}, () => ({ body: { fault: 'too-large' } }));
    expect((await faulty.send({ body: ping })).status).toBe(413);
  });

  it('is its own request and the caller: rules and tools can read them (A1, R5)', async () => {
    const host = { user: 'ada' };
    const seen: unknown[] = [];
    const ada = account('ada', 'read');
    const index = declareMcpTools([
      makeEntry(
        makeTool({
          scopes: ['read'],
          handler: (_, caller) => seen.push(caller, currentAmbient()?.request),
        }),
        ({ request }) => seen.push(request) > 0,
      ),
    ]);
    const gate = defineMcpGate({ name: 'shop' }, { source: { fixed: () => index } });
    const server = await listen((req, res) => void gate.respond(req, res, { request: host, caller: ada }));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shop_stock' } });
    await send(server.port, { body });
    await server.close();
    expect(seen).toEqual([host, ada, host]);
    expect(seen[1]).toBe(ada);
  });

  it('is the headers that it has set: they go along, ours win, and none is sent twice', async () => {
    const given = {
      'x-request-id': '7',
      'cache-control': 'public',
      'content-type': 'text/html',
      'content-length': '1',
    };
    const served = await serving({}, () => ({ headers: given }));
    for (const body of [ping, '{', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })]) {
      const raw = await rawHeaders(served.port, body);
      expect(raw['x-request-id']).toEqual(['7']);
      expect(raw['cache-control']).toEqual(['no-store, no-transform']);
      expect(raw['content-length']).toHaveLength(1);
      if (raw['content-length']?.[0] !== '0') expect(raw['content-type']).toEqual(['application/json; charset=utf-8']);
    }
  });

  it('is its CORS policy, which stays as it is', async () => {
    const given = { 'Access-Control-Allow-Origin': '*' };
    const served = await serving({ allowedOrigins: [APP] }, () => ({ headers: given }));
    const answer = await served.send({ body: ping, headers: { origin: APP } });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    const onResponse = await serving({ allowedOrigins: [APP] }, (_, res) => {
      res.setHeader('access-control-allow-origin', 'https://host.test');
      return {};
    });
    const other = await onResponse.send({ body: ping, headers: { origin: APP } });
    expect(other.headers['access-control-allow-origin']).toBe('https://host.test');
  });

  it('A10: is nobody at an unprotected gate, with the roles that its settings give', async () => {
    const seen: { roles: readonly string[] }[] = [];
    const unprotectedRoles = ['reader'];
    const tools = [makeTool({ handler: (_, caller) => seen.push(caller) })];
    const served = await serving({ tools, unprotectedRoles });
    await served.ask('2025-11-25', 'tools/call', { name: 'shop_stock' }, { headers: { authorization: 'Bearer x' } });
    expect(seen).toEqual([{ authenticated: false, scopes: [], roles: ['reader'] }]);
    expect(Object.isFrozen(seen[0])).toBe(true);
    expect(Object.isFrozen(seen[0]!.roles)).toBe(true);
  });
});

describe('a gate', () => {
  it('never rejects, also when its response is spoiled', async () => {
    const gate = defineMcpGate({ name: 'shop', tools: [makeTool()] }, { log: { debug() {}, warn() {}, error() {} } });
    const outcomes: unknown[] = [];
    const server = await listen(async (req, res) => {
      res.writeHead(200).write('spoiled'); // a host that has answered already
      outcomes.push(await gate.respond(req, res));
    });
    const req = httpRequest({ port: server.port, method: 'POST', headers: { 'content-type': 'application/json' } });
    req.end(ping);
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    await expect(res.toArray()).rejects.toThrow('aborted'); // cut off, and not taken for an answer
    await server.close();
    expect(outcomes).toEqual([undefined]);
  });

  it('G9: is one of several that never mix', async () => {
    const shop = await serving({ name: 'shop', tools: [makeTool({ name: 'stock' })] });
    const office = await serving({ name: 'office', tools: [makeTool({ name: 'invoice' })] });
    const names = async (served: ServedGate) =>
      ((await served.ask('2025-11-25', 'tools/list')).messages[0] as { result: { tools: { name: string }[] } }).result
        .tools;
    expect((await names(shop)).map(({ name }) => name)).toEqual(['stock']);
    expect((await names(office)).map(({ name }) => name)).toEqual(['invoice']);
    const foreign = await shop.ask('2025-11-25', 'tools/call', { name: 'invoice' });
    expect(foreign.messages).toMatchObject([{ error: { message: 'Unknown tool: invoice' } }]);
  });

  it('serves 25 requests on one connection and leaves no listener on it (G10)', async () => {
    const served = await serving();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shop_stock' } });
    const counts: number[] = [];
    for (let at = 0; at < 25; at += 1) {
      const req = httpRequest({
        port: served.port,
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      });
      req.end(body);
      const [res] = (await once(req, 'response')) as [IncomingMessage];
      await res.toArray();
      counts.push(served.exchanges.at(-1)!.req.socket.listenerCount('close'));
    }
    agent.destroy();
    expect(new Set(served.exchanges.map(({ req }) => req.socket)).size).toBe(1);
    expect(Math.max(...counts)).toBe(counts[0]);
    expect(served.gate.liveRuns).toBe(0);
    expect(served.clock.pending).toBe(0);
  });

  it('keeps nothing of calls that are over while their connection lives on (G10)', async () => {
    const runs: WeakRef<object>[] = [];
    const tool = makeTool({ handler: (_, __, run) => runs.push(new WeakRef(run)) });
    const gate = defineMcpGate({ name: 'shop', tools: [tool] });
    const server = await listen((req, res) => void gate.respond(req, res));
    const wire = await dial(server.port);
    for (let id = 1; id <= 50; id += 1) {
      const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'shop_stock' } };
      wire.socket.write(postText(JSON.stringify(call)));
      await wire.until(new RegExp(`"id":${id},`));
    }
    await collectGarbage();
    const alive = runs.filter((reference) => reference.deref() !== undefined).length;
    expect(runs).toHaveLength(50);
    wire.socket.destroy();
    await server.close();
    expect(alive).toBeLessThan(10);
  });
});

/** The headers of an answer as they stand on the wire: duplicates show. */
async function rawHeaders(port: number, body: string): Promise<Record<string, string[]>> {
  const req = httpRequest({ port, method: 'POST', agent: false, headers: { 'content-type': 'application/json' } });
  req.end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  await res.toArray();
  const headers: Record<string, string[]> = {};
  for (let at = 0; at < res.rawHeaders.length; at += 2) {
    (headers[res.rawHeaders[at]!.toLowerCase()] ??= []).push(res.rawHeaders[at + 1]!);
  }
  return headers;
}

describe('a log that is down', () => {
  it('leaves no request unanswered (P15)', async () => {
    const fails = () => {
      throw new Error('the disk is full');
    };
    const handler = () => {
      throw new Error('the tool failed');
    };
    const gate = defineMcpGate(
      { name: 'shop', tools: [makeTool({ handler }), makeTool({ name: 'reserved', scopes: ['a'] })] },
      { log: { debug: fails, warn: fails, error: fails } },
    );
    const server = await listen((req, res) => void gate.respond(req, res));
    const ask = (method: string, params: object) =>
      send(server.port, {
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        headers: { 'mcp-protocol-version': '2025-11-25' },
      });
    try {
      expect((await ask('tools/call', { name: 'shop_stock' })).text).toContain('Tool shop_stock failed.');
      expect((await ask('tools/list', {})).text).not.toContain('reserved');
    } finally {
      await server.close();
    }
  });
});
