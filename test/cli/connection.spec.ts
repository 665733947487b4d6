/** What a call does with servers that are not ours: older ones, unruly ones, and what stands before them. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../support/http.js';
import { keep } from '../support/written.js';
import { runCommand } from './run-command.js';

interface Asked {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: any;
}

let close: () => Promise<void> = () => Promise.resolve();
afterEach(() => close());

/** A server that answers as `answer` says; what it was asked, in order. */
async function serving(answer: (asked: Asked, res: ServerResponse, req: IncomingMessage) => unknown) {
  const asked: Asked[] = [];
  const server = await listen((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => (body += chunk));
    req.on('end', () => {
      const message = body === '' ? undefined : JSON.parse(body);
      const one = { method: message?.method ?? req.method, headers: req.headers, message };
      asked.push(one);
      answer(one, res, req);
    });
  });
  close = () => server.close();
  const url = `http://127.0.0.1:${server.port}/mcp`;
  const call = (words: readonly string[] = [], around: object = {}) =>
    runCommand(['call', 'tool', '--url', url, ...words], around);
  return { asked, call, methods: () => asked.map(({ method }) => method) };
}

const json = (res: ServerResponse, body: object, status = 200, headers: object = {}) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const reply = ({ message }: Asked, res: ServerResponse, result: object, headers: object = {}) =>
  json(res, { jsonrpc: '2.0', id: message.id, result }, 200, headers);
const data = (message: object) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const said = (text: string) => ({ content: [{ type: 'text', text }] });
const MODERN = { supportedVersions: ['2026-07-28'] };

describe('a server with a session', () => {
  /** As the official SDK of version 1 serves it: a session for each client, and no newer revision. */
  const legacy = (asked: Asked, res: ServerResponse) => {
    const { method, headers } = asked;
    if (method === 'initialize')
      return reply(asked, res, { protocolVersion: '2025-06-18' }, { 'mcp-session-id': 's-1' });
    if (headers['mcp-session-id'] !== 's-1') return json(res, { error: 'no session' }, 400);
    if (method === 'tools/call') return reply(asked, res, said('done'));
    return res.writeHead(method === 'DELETE' ? 200 : 202).end();
  };

  it('is greeted, called in the revision and the session that were agreed on, and left', async () => {
    const { call, asked, methods } = await serving(legacy);
    expect(await call()).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
    expect(methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/call', 'DELETE']);
    const later = asked.slice(2).map(({ headers }) => [headers['mcp-protocol-version'], headers['mcp-session-id']]);
    expect(later).toEqual([1, 2, 3].map(() => ['2025-06-18', 's-1']));
    expect(asked[3]!.message.params).toEqual({ name: 'tool', arguments: {}, _meta: { progressToken: 'call' } });
    expect(asked[2]!.message).not.toHaveProperty('id');
  });

  it('is told that a call is cancelled, before the connection is closed', async () => {
    const pressed = new AbortController();
    const events: string[] = [];
    const { call, asked } = await serving((one, res, req) => {
      if (one.method !== 'tools/call') {
        events.push(one.method);
        return legacy(one, res);
      }
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      req.socket.on('close', () => events.push('closed'));
      pressed.abort(new Error('Interrupted.'));
    });
    expect(await call([], { interrupted: pressed.signal })).toEqual({ code: 130, stdout: '', stderr: 'Cancelled.\n' });
    const [id] = asked.filter(({ method }) => method === 'tools/call').map(({ message }) => message.id);
    const cancelled = asked.find(({ method }) => method === 'notifications/cancelled')!;
    expect(cancelled.message.params.requestId).toBe(id);
    expect(cancelled.headers['mcp-session-id']).toBe('s-1');
    expect(events.indexOf('notifications/cancelled')).toBeGreaterThan(-1);
    expect(
      events.indexOf('closed') === -1 || events.indexOf('closed') > events.indexOf('notifications/cancelled'),
    ).toBe(true);
  });
});

describe('a stream', () => {
  const streaming = (write: (asked: Asked, res: ServerResponse) => void) =>
    serving((asked, res) => {
      if (asked.method === 'server/discover') return reply(asked, res, MODERN);
      res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      write(asked, res);
    });

  it('is read to the reply and left there, whatever else is said on it', async () => {
    const { call } = await streaming(({ message: { id } }, res) => {
      res.write(`: a comment\n\nevent: message\nid: 7\ndata: {"broken\n\n`);
      res.write(data({ method: 'notifications/message', params: { level: 'info' } }));
      res.write(data({ method: 'ping', id: 'theirs' }));
      const progress = (params: object) => res.write(data({ method: 'notifications/progress', params }));
      progress({ progressToken: 'another', progress: 1, total: 2 });
      progress({ progressToken: 'call', progress: 'half' });
      progress({ progressToken: 'call', progress: 1, total: 2, message: 'half' });
      progress({ progressToken: 'call', progress: 7, total: -1 });
      const replies = [[id, 'done'] as const, ['another', 'not this one'] as const];
      res.write(replies.map(([of, text]) => data({ id: of, result: said(text) })).join('')); // and the stream stays open
    });
    expect(await call()).toEqual({ code: 0, stdout: 'done\n', stderr: ' 50 % half\n7\n' });
  });

  it('that breaks before the reply is told of as what it is', async () => {
    const { call } = await streaming((_, res) => {
      res.write(data({ method: 'notifications/progress', params: { progressToken: 'call', progress: 1 } }));
      setImmediate(() => res.destroy());
    });
    const { code, stdout, stderr } = await call();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^1\nThe connection broke before there was a result\. The tool may have done its work\.\n$/);
  });

  it('that ends without a reply has no result', async () => {
    const { call } = await streaming((_, res) => res.end(': nothing\n\n'));
    expect((await call()).stderr).toMatch(/^200, text\/event-stream/);
  });
});

describe('a result', () => {
  const giving = (result: object) =>
    serving((asked, res) => reply(asked, res, asked.method === 'server/discover' ? MODERN : result));

  it('that is structured alone is written as JSON', async () => {
    const { call } = await giving({ content: [], structuredContent: { a: 1 }, resultType: 'complete' });
    expect((await call()).stdout).toBe('{"a":1}\n');
  });

  it('that asks for more is none', async () => {
    const { call } = await giving({ resultType: 'input_required', inputRequests: {} });
    expect(await call()).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The tool asks for more (input_required), which this command cannot give.\n',
    });
  });
});

describe('an argument that travels in a header', () => {
  it('is looked for in the schema, page by page, once a call without it was refused', async () => {
    const { call, asked, methods } = await serving((one, res) => {
      const { method, headers, message } = one;
      if (method === 'server/discover') return reply(one, res, MODERN);
      if (method === 'tools/list') {
        const properties = { n: { type: 'integer', 'x-mcp-header': 'N' }, o: { type: 'string', 'x-mcp-header': 'O' } };
        const tools = [{ name: 'tool', inputSchema: { type: 'object', properties } }];
        return reply(one, res, message.params.cursor === 'next' ? { tools } : { tools: [], nextCursor: 'next' });
      }
      if (headers['mcp-param-n'] === '3') return reply(one, res, said('done'));
      return json(res, { jsonrpc: '2.0', id: message.id, error: { code: -32020, message: 'missing' } }, 400);
    });
    expect(await call(['{"n":3}'])).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(methods()).toEqual(['server/discover', 'tools/call', 'tools/list', 'tools/list', 'tools/call']);
    expect(asked.at(-1)!.headers).not.toHaveProperty('mcp-param-o');
    expect((await call(['{"o":"x"}'])).stderr).toBe('-32020: missing\n');
  });
});

describe('what is no gate', () => {
  it.each<[string, (res: ServerResponse) => unknown, RegExp]>([
    [
      'a redirection',
      (res) => res.writeHead(307, { location: 'https://shop.example/mcp' }).end(),
      /^307 to https:\/\/shop.*\nClients do not follow/,
    ],
    [
      'a page',
      (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /^200, text\/html: <html>\n/,
    ],
    [
      'an address that is not there',
      (res) => res.writeHead(404).end('Not here'),
      /^404, no content: Not here\nNo gate answers at this path/,
    ],
    ['a proxy in trouble', (res) => res.writeHead(502).end(), /^502\n/],
    ['a limit of requests', (res) => res.writeHead(429).end(), /429\n.*limit/i],
    ['a refusal', (res) => res.writeHead(401).end(), /^401\nName the environment variable/],
  ])('is called so, with the way out: %s', async (_, answer, says) => {
    const { call, methods } = await serving((__, res) => answer(res));
    const { code, stdout, stderr } = await call();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(methods()).not.toContain('tools/call');
  });

  it('is a port on which nobody listens', async () => {
    const { call } = await serving(() => undefined);
    await close();
    close = () => Promise.resolve();
    expect((await call()).stderr).toMatch(/^ECONNREFUSED.*\nNothing listens .* Start the application/);
  });
});

describe('a token', () => {
  it('goes with every request, and is never shown, however a server sends it back', async () => {
    const token = keep('t0ken-of-a-member-of-the-club');
    const { call, asked } = await serving((one, res) => {
      if (one.method === 'server/discover') return reply(one, res, MODERN);
      const message = `${'x'.repeat(1_980)}${one.headers.authorization}`; // where the message is cut
      return json(res, { jsonrpc: '2.0', id: one.message.id, error: { code: -32603, message, data: { token } } });
    });
    const { stdout, stderr } = await call(['--token-env', 'T', '--json'], { env: { T: token } });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
    expect(JSON.parse(stdout).error.data).toEqual({ token: '(token)' });
    expect(stdout + stderr).not.toContain('t0ken');
  });
});
