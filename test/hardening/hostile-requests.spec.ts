/** What a client may send: values made to trip a check, bodies made to fill the memory, clients that are gone (T7, P11, G6). */
import { readMcpBody } from '../../src/gate/body.js';
import { defineMcpGate } from '../../src/gate/gate.js';
import { createMcpResponseStream } from '../../src/gate/response-stream.js';
import { argumentsValidator } from '../../src/tools/schemas/json-schema.js';
import { collectGarbage } from '../support/garbage.js';
import { serve } from '../support/gates.js';
import { HandClock } from '../support/hand-clock.js';
import { CLIENT_HEADERS, dial, listen, postText, send } from '../support/http.js';
import { ask } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

async function heapInUse(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('an argument', () => {
  const tool = makeTool({
    inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  });

  it.each<[string, unknown, string]>([
    ['an object that cannot become a text', { toString: 1, valueOf: 1 }, 'x'],
    ['an object, even to its text', {}, '[object Object]'],
    ['an array, even to its text', ['eu'], 'eu'],
  ])(
    'whose header is held against %s does not match, and that is no fault of the server (P11)',
    async (_, region, header) => {
      const { status, body, reports } = await ask(
        '2026-07-28',
        'tools/call',
        { name: tool.name, arguments: { region } },
        { tools: [tool], headers: { 'mcp-param-region': header } },
      );
      expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
      expect(reports).toEqual([]);
    },
  );

  it.each(['integer', 'number'])('of type %s is no 1e400, which arrives as infinity (T7)', (type) => {
    const check = argumentsValidator({ type: 'object', properties: { n: { type } } });
    expect(check(JSON.parse('{"n":1e308}') as never)).toBeUndefined();
    for (const text of ['{"n":1e400}', '{"n":-1e400}']) {
      const faults = check(JSON.parse(text) as Record<string, unknown>);
      expect(faults).toEqual([{ path: 'n', expected: expect.stringMatching(/, got -?Infinity$/) as string }]);
    }
  });

  it('in the format url is checked in time that grows with its length only (T7)', () => {
    const check = argumentsValidator({ type: 'object', properties: { at: { type: 'string', format: 'url' } } });
    const fits = (at: string) => check({ at }) === undefined;
    for (const at of ['https://a.example/b?c=d#e', 'http://user:word@a.example:8080', 'FTP://a.example'])
      expect(fits(at)).toBe(true);
    for (const at of ['', 'a.example', 'mailto:a@b.example', 'http://', 'http://a b', 'javascript:alert(1)'])
      expect(fits(at)).toBe(false);
    expect(fits(`http://a.${'a:a@'.repeat(250_000)}`)).toBe(false); // 40 kB took minutes
  });
});

describe('a body', () => {
  it('that comes byte by byte takes no more room than its size', async () => {
    const size = 200_000;
    let arrived = 0;
    let enough: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (enough = resolve));
    const server = await listen((req, res) => {
      void readMcpBody(req, size).then((body) => res.end(JSON.stringify(body)));
      req.on('data', (chunk: Buffer) => {
        arrived += chunk.length;
        if (arrived === size - 1) enough();
      });
    });
    try {
      const wire = await dial(server.port);
      const chunked = { 'transfer-encoding': 'chunked', host: 'localhost', ...CLIENT_HEADERS };
      const head = Object.entries(chunked).map(([name, value]) => `${name}: ${value}\r\n`);
      wire.socket.write(`POST /mcp HTTP/1.1\r\n${head.join('')}\r\n1\r\n"\r\n`);
      const before = await heapInUse();
      wire.socket.write('1\r\na\r\n'.repeat(size - 2));
      await all;
      expect((await heapInUse()) - before).toBeLessThan(10_000_000); // as a list of chunks it took 30 MB, and the wire's own
      wire.socket.write('1\r\n"\r\n0\r\n\r\n');
      expect(await wire.until(/\}\s*$/)).toContain(JSON.stringify({ value: 'a'.repeat(size - 2) }));
      wire.socket.destroy();
    } finally {
      await server.close();
    }
  });

  it('in several pieces is the same as in one', async () => {
    const server = await listen(async (req, res) => res.end(JSON.stringify(await readMcpBody(req, 100))));
    try {
      const wire = await dial(server.port);
      const text = postText(JSON.stringify({ text: 'é'.repeat(40) }));
      for (const piece of text.match(/[\s\S]{1,50}/g)!) {
        wire.socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await wire.until(/\}\}/)).toContain(JSON.stringify({ value: { text: 'é'.repeat(40) } }));
      wire.socket.destroy();
    } finally {
      await server.close();
    }
  });

  it('of a client that left while its token was checked ends the exchange', async () => {
    let ask: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    let left: Promise<unknown> = asked;
    const verify = async () => {
      ask();
      await left;
      return { sub: 'ada', aud: 'shop' };
    };
    const gate = defineMcpGate({
      name: 'shop',
      tools: [makeTool()],
      authorization: { audience: 'shop', verifier: { verify } },
    });
    let answered: Promise<void> = asked;
    const server = await listen((req, res) => {
      left = new Promise((resolve) => req.once('close', resolve));
      answered = gate.respond(req, res);
    });
    try {
      const { socket } = await dial(server.port);
      socket.write(postText('{"jsonrpc":"2.0"', { authorization: 'Bearer abc', 'content-length': '1000' }));
      await asked;
      socket.destroy();
      await answered;
      expect(gate.liveRuns).toBe(0);
    } finally {
      await server.close();
    }
  });

  it('that a parser has taken before is missed aloud, and nobody waits', async () => {
    const shop = await serve();
    const server = await listen(async (req, res) => {
      for await (const _ of req);
      await shop.gate.respond(req, res);
    });
    try {
      const { status } = await send(server.port, { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
      expect(status).toBe(500);
      expect(shop.log).toEqual([expect.stringContaining('hand it to respond() as { body: { value } }')]);
    } finally {
      await server.close();
      await shop.close();
    }
  });
});

describe('a response that somebody else has begun', () => {
  it('is left to it: no stream opens in it after the grace delay (G6)', async () => {
    const clock = new HandClock();
    const server = await listen((_req, res) => {
      const accept = CLIENT_HEADERS.accept;
      const stream = createMcpResponseStream({ res, accept, graceMs: 10, heartbeatMs: 10, clock });
      stream.expectDelay();
      res.writeHead(503, { 'content-length': 4 });
      res.write('lat');
      clock.turn(50);
      stream.notify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      res.end('e');
    });
    try {
      const { status, text } = await send(server.port, { body: '{}' });
      expect({ status, text }).toEqual({ status: 503, text: 'late' });
    } finally {
      await server.close();
    }
  });
});
