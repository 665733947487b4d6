/** What a call does with servers that are not ours: older ones, unruly ones, and what stands before them. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { exchange } from '../../src/cli/http/exchange.js';
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
  return { url, asked, call, methods: () => asked.map(({ method }) => method) };
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

describe('a server that answers whatever it likes', () => {
  const answering = (body: (id: unknown) => unknown) =>
    serving((asked, res) => {
      if (asked.method === 'server/discover') return reply(asked, res, MODERN);
      return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body(asked.message.id)));
    });

  it.each<[string, (id: unknown) => unknown]>([
    ['nothing', () => null],
    ['a number', () => 5],
    ['a list', (id) => [{ jsonrpc: '2.0', id, result: said('one of many') }]],
    ['no result', (id) => ({ jsonrpc: '2.0', id, result: null })],
    ['a text for a result', (id) => ({ jsonrpc: '2.0', id, result: 'done' })],
    ['a list for a result', (id) => ({ jsonrpc: '2.0', id, result: [said('done')] })],
    ['no error', (id) => ({ jsonrpc: '2.0', id, error: null })],
    ['a text for an error', (id) => ({ jsonrpc: '2.0', id, error: 'no' })],
    ['an error that says nothing', (id) => ({ jsonrpc: '2.0', id, error: {} })],
    ['an error of other types', (id) => ({ jsonrpc: '2.0', id, error: { code: '1', message: ['no'] } })],
  ])('has not answered: %s', async (_, body) => {
    const { call } = await answering(body);
    const { code, stdout, stderr } = await call();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^200, application\/json: .*\nWhat answers here does not speak MCP/);
  });

  it('shows what it can of a result whose content is none', async () => {
    const { call } = await answering((id) => ({
      jsonrpc: '2.0',
      id,
      result: { content: [null, 1, {}, { type: 'text' }, { type: 'te\u009bxt' }, { type: 'text', text: 'done' }] },
    }));
    expect(await call()).toEqual({
      code: 0,
      stdout: 'done\n',
      stderr: 'Not shown: a block of no type. --json has it.\nNot shown: te xt. --json has it.\n',
    });
    await close();
    const { call: empty } = await answering((id) => ({ jsonrpc: '2.0', id, result: { content: 'done' } }));
    expect((await empty()).stderr).toBe('The result is empty.\n');
  });

  it.each(['2099-01-01', '2026-07-28', 'latest', '2025-06-18\r\nx-evil: 1', ''])(
    'is not followed to a revision that no handshake leads to: %j',
    async (protocolVersion) => {
      const { call, methods } = await serving((asked, res) => {
        if (asked.method === 'initialize') return reply(asked, res, { protocolVersion });
        return json(res, { jsonrpc: '2.0', id: asked.message.id, error: { code: -32601, message: 'no' } }, 404);
      });
      const { code, stderr } = await call();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^The server wants to speak the revision .* does not\.\n$/),
      ]);
      expect(methods()).toEqual(['server/discover', 'initialize']);
    },
  );

  it.each<[string, (page: number) => object, number]>([
    ['a list without an end', () => ({ tools: [], nextCursor: 'next' }), 100],
    ['a list that is none', () => ({ tools: { find: 1 } }), 1],
    ['tools that are none', () => ({ tools: [null, 5, { name: 'tool' }, { name: 'tool', inputSchema: [] }] }), 1],
  ])('is not asked for ever what a tool takes: %s', async (_, list, pages) => {
    let page = 0;
    const { call, methods } = await serving((asked, res) => {
      if (asked.method === 'server/discover') return reply(asked, res, MODERN);
      if (asked.method === 'tools/list') return reply(asked, res, list((page += 1)));
      const error = { code: -32020, message: 'a header is missing' };
      return json(res, { jsonrpc: '2.0', id: asked.message.id, error }, 400);
    });
    expect(await call(['{"a":1}'])).toEqual({ code: 1, stdout: '', stderr: '-32020: a header is missing\n' });
    expect(methods().filter((method) => method === 'tools/list')).toHaveLength(pages);
  });

  /** Writes as many pieces as are taken. */
  async function pour(res: ServerResponse, piece: string, count: number): Promise<void> {
    const pieces = Readable.from(
      (function* () {
        for (let sent = 0; sent < count; sent += 1) yield piece;
      })(),
    );
    pieces.pipe(res, { end: false });
    await once(pieces, 'end');
  }

  it.each([
    ['a text', 'application/json', ' '.repeat(1_000_000)],
    ['a line of a stream', 'text/event-stream', 'x'.repeat(1_000_000)],
    ['an event of a stream', 'text/event-stream', `data: ${'x'.repeat(1_000_000)}\n`],
  ])('is left at %s that does not end', async (_, type, piece) => {
    let left: () => void;
    const closed = new Promise<void>((resolve) => (left = resolve));
    const { call } = await serving((asked, res) => {
      if (asked.method === 'server/discover') return reply(asked, res, MODERN);
      res.on('close', () => left());
      void pour(res.writeHead(200, { 'content-type': type }), piece, Infinity);
    });
    const { code, stdout, stderr } = await call();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'The answer is longer than the 64 MB that are read of one. Let the tool give less, or a link to it.\n',
    );
    await closed;
  });

  it('is heard to the end of a stream that is longer, and none of that is kept', async () => {
    const { call } = await serving(async (asked, res) => {
      if (asked.method === 'server/discover') return reply(asked, res, MODERN);
      await pour(res.writeHead(200, { 'content-type': 'text/event-stream' }), `: ${'x'.repeat(1_000_000)}\n\n`, 70);
      res.end(data({ id: asked.message.id, result: said('done') }));
    });
    expect(await call()).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
  });
});

describe('what is kept of an answer', () => {
  const ask = async (piece: string, listens: boolean) => {
    const { url } = await serving((_, res) => {
      res.writeHead(200);
      for (let sent = 0; sent < 20; sent += 1) res.write(piece);
      res.end();
    });
    let heard = 0;
    const listen = (text: string) => (heard += text.length);
    const answer = await exchange({ url, body: '{}', onHead: () => (listens ? listen : undefined) });
    return { kept: answer.text.length, heard, ending: answer.ending };
  };

  it('is all of it, or how it began where somebody listens', async () => {
    const piece = 'x'.repeat(50_000);
    expect(await ask(piece, false)).toEqual({ kept: 1_000_000, heard: 0, ending: 'complete' });
    await close();
    const { kept, heard, ending } = await ask(piece, true);
    expect([kept > 0, kept <= 64 * 1024, heard, ending]).toEqual([true, true, 1_000_000, 'complete']);
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

  it('is not taken along to where a redirection leads, and not shown where that is cut', async () => {
    const token = keep('t0ken/of+a-member=');
    const elsewhere = await listen((_, res) => res.end());
    const asked: unknown[] = [];
    elsewhere.server.on('request', (req: IncomingMessage) => asked.push(req.url));
    const { call } = await serving((_, res) => {
      const location = `http://127.0.0.1:${elsewhere.port}/${'x'.repeat(160)}?t=${encodeURIComponent(token)}`;
      return res.writeHead(307, { location }).end();
    });
    const { code, stdout, stderr } = await call(['--token-env', 'T'], { env: { T: token } });
    await elsewhere.close();
    expect([code, stdout, asked]).toEqual([1, '', []]);
    expect(stderr).toMatch(/^307 to http:.*\nClients do not follow/);
    expect(stderr).not.toContain('t0ken');
  });

  it('is not shown where JSON has escaped it', async () => {
    const token = keep('t0ken/of/a/member');
    const { call } = await serving((_, res) =>
      res.writeHead(200, { 'content-type': 'text/html' }).end(`<p>"${token.replaceAll('/', '\\/')}"`),
    );
    const { stderr } = await call(['--token-env', 'T'], { env: { T: token } });
    expect(stderr).toMatch(/^200, text\/html: <p>"\(token\)"\n/);
  });
});
