/** A request's body: read within a limit, inflated and parsed; what is wrong with it is a value (P14). */
import { once } from 'node:events';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { bodyRefusal } from '../../src/gate/body-refusal.js';
import { readMcpBody, type McpBody, type McpBodyFault } from '../../src/gate/body.js';
import { dial, listen, postText, send } from '../support/http.js';

const LIMIT = 1_000;
let server: Awaited<ReturnType<typeof listen>>;
/** What the server read, request by request. */
const read: ((body: McpBody) => void)[] = [];
const nextBody = () => new Promise<McpBody>((resolve) => read.push(resolve));

beforeAll(async () => {
  server = await listen(async (req, res) => {
    if (req.url === '/destroyed') req.once('data', () => req.destroy()); // a host that loses its patience
    const body = await readMcpBody(req, LIMIT);
    read.shift()?.(body);
    // What is not used must be drained here: Node itself would do so only after the response.
    if (!req.readableEnded && !req.destroyed) await once(req, 'end');
    res.end(JSON.stringify(body));
  });
});
afterAll(() => server.close());

const post = async (body: string | Buffer, headers: Record<string, string | undefined> = {}) =>
  JSON.parse((await send(server.port, { body, headers })).text) as McpBody;

const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
const text = JSON.stringify(message);

describe('a body', () => {
  it.each<[string, string | undefined]>([
    ['JSON', 'application/json'],
    ['JSON in UTF-8', 'application/json; charset=utf-8'],
    ['JSON in "UTF-8"', 'application/json;charset="UTF-8"'],
    ['JSON in UTF8, with another parameter', 'Application/JSON; profile=x; Charset=utf8'],
  ])('is parsed when it says that it is %s', async (_, type) => {
    expect(await post(text, { 'content-type': type })).toEqual({ value: message });
  });

  it.each<[string, (data: string) => Buffer, string]>([
    ['gzip', gzipSync, 'gzip'],
    ['x-gzip', gzipSync, 'x-gzip'],
    ['deflate', deflateSync, 'deflate'],
    ['br', brotliCompressSync, 'br'],
    ['GZIP in capitals', gzipSync, 'GZIP'],
    ['nothing, said as identity', (data) => Buffer.from(data), 'identity'],
  ])('is inflated from %s', async (_, compress, encoding) => {
    expect(await post(compress(text), { 'content-encoding': encoding })).toEqual({ value: message });
  });

  it('may be anything that JSON can say', async () => {
    for (const value of [null, 7, 'x', [], [message]]) expect(await post(JSON.stringify(value))).toEqual({ value });
  });

  it('may be as large as the limit, and not a byte larger', async () => {
    expect(await post(JSON.stringify('x'.repeat(LIMIT - 2)))).toEqual({ value: 'x'.repeat(LIMIT - 2) });
    expect(await post(JSON.stringify('x'.repeat(LIMIT - 1)))).toEqual({ fault: 'too-large' });
    expect(await post(gzipSync(JSON.stringify('x'.repeat(LIMIT - 2))), { 'content-encoding': 'gzip' })).toHaveProperty(
      'value',
    );
  });

  it('may come in pieces that cut a character', async () => {
    const bytes = Buffer.from(JSON.stringify('ä€😀'));
    const wire = await dial(server.port);
    const body = nextBody();
    wire.socket.write(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    for (const byte of bytes)
      wire.socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
    wire.socket.write('0\r\n\r\n');
    expect(await body).toEqual({ value: 'ä€😀' });
    wire.socket.destroy();
  });
});

describe('a body that cannot be used', () => {
  const latin = Buffer.concat([Buffer.from('"'), Buffer.from([0xe4]), Buffer.from('"')]);
  it.each<[McpBodyFault, string, string | Buffer, Record<string, string | undefined>]>([
    ['invalid-json', 'broken JSON', '{"a":', {}],
    ['invalid-json', 'two values', '{}{}', {}],
    ['invalid-json', 'text', 'hello', {}],
    ['invalid-json', 'bytes that are no UTF-8', latin, {}],
    ['invalid-json', 'gzip that is none', 'hello', { 'content-encoding': 'gzip' }],
    ['invalid-json', 'gzip that ends early', gzipSync(text).subarray(0, 20), { 'content-encoding': 'gzip' }],
    ['empty', 'nothing', '', {}],
    ['empty', 'gzip of nothing', gzipSync(''), { 'content-encoding': 'gzip' }],
    ['unsupported-media-type', 'no media type', text, { 'content-type': undefined }],
    ['unsupported-media-type', 'text', text, { 'content-type': 'text/plain' }],
    ['unsupported-media-type', 'a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['unsupported-media-type', 'something like JSON', text, { 'content-type': 'application/json-patch+json' }],
    ['unsupported-media-type', 'two types', text, { 'content-type': 'application/json, text/plain' }],
    ['unsupported-charset', 'Latin 1', text, { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['unsupported-charset', 'UTF-16', text, { 'content-type': 'application/json; charset=utf-16' }],
    ['unsupported-encoding', 'zstd', text, { 'content-encoding': 'zstd' }],
    ['unsupported-encoding', 'two encodings', text, { 'content-encoding': 'gzip, gzip' }],
    ['unsupported-encoding', 'an encoding called like what objects inherit', text, { 'content-encoding': 'toString' }],
    ['too-large', 'too much that is announced', 'x'.repeat(LIMIT + 1), {}],
  ])('%s: %s', async (fault, _, body, headers) => {
    expect(await post(body, headers)).toEqual({ fault });
  });

  it('too-large: too much in pieces that nobody announced', async () => {
    const wire = await dial(server.port);
    wire.socket.write(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    for (let piece = 0; piece < 30; piece += 1) wire.socket.write(`64\r\n${'x'.repeat(100)}\r\n`);
    wire.socket.write('0\r\n\r\n');
    expect(await wire.until(/fault/)).toContain('too-large');
    wire.socket.destroy();
  });

  it.each<[string, (data: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ])('too-large: a %s bomb, of which no more than the limit is ever held', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(20_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await post(bomb, { 'content-encoding': encoding })).toEqual({ fault: 'too-large' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it('leaves the connection usable: what is left of it is drained', async () => {
    const wire = await dial(server.port);
    wire.socket.write(postText('x'.repeat(LIMIT * 100)));
    wire.socket.write(postText(text, { connection: 'close' }));
    await once(wire.socket, 'close');
    expect(wire.text).toMatch(/too-large[\s\S]*"method":"ping"/);
  });

  it.each<[string, string, Buffer]>([
    ['plain', '', Buffer.from('{"half":')],
    ['gzip', 'content-encoding: gzip\r\n', gzipSync(text).subarray(0, 12)],
    ['nothing of it', '', Buffer.alloc(0)],
  ])('aborted: its client leaves in the middle of it (%s)', async (_, encoding, half) => {
    const wire = await dial(server.port);
    const body = nextBody();
    wire.socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${encoding}content-length: 900\r\n\r\n`,
    );
    wire.socket.write(half, () => wire.socket.destroy());
    expect(await body).toEqual({ fault: 'aborted' });
  });

  it('aborted: its host destroys the request', async () => {
    const wire = await dial(server.port);
    const body = nextBody();
    wire.socket.write(
      'POST /destroyed HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    );
    expect(await body).toEqual({ fault: 'aborted' });
    wire.socket.destroy();
  });
});

describe('the refusal of a body', () => {
  it.each<[McpBodyFault, number, number, RegExp]>([
    ['invalid-json', 400, -32700, /The body is not valid JSON/],
    ['empty', 400, -32700, /The body is empty: send one JSON-RPC message/],
    ['aborted', 400, -32700, /ended before it was complete/],
    ['too-large', 413, -32600, /larger than the 77 bytes that this gate takes/],
    ['unsupported-media-type', 415, -32600, /Content-Type: application\/json/],
    ['unsupported-charset', 415, -32600, /in UTF-8/],
    ['unsupported-encoding', 415, -32600, /plain, or with gzip, deflate or br/],
  ])('P14: for %s is %i and %i, and says the way out', (fault, status, code, said) => {
    const error = bodyRefusal(fault, 77);
    expect(error).toMatchObject({ status, code });
    expect(error.message).toMatch(said);
  });
});

describe('others who listen to a body', () => {
  it.each(['before', 'after', 'a turn after'])('hear all of it, having begun %s it is read', async (when) => {
    const heard: Buffer[] = [];
    const own = await listen((req, res) => {
      const tap = () => req.on('data', (chunk: Buffer) => heard.push(chunk));
      if (when === 'before') tap();
      void readMcpBody(req, LIMIT).then((body) => res.end(JSON.stringify(body)));
      if (when === 'after') tap();
      if (when === 'a turn after') process.nextTick(tap);
    });
    try {
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        heard.length = 0;
        expect(JSON.parse((await send(own.port, { body: text, headers })).text)).toEqual({ value: message });
        if (when !== 'a turn after') expect(Buffer.concat(heard).toString()).toBe(text);
      }
    } finally {
      await own.close();
    }
  });
});

describe('a request that somebody had before', () => {
  it.each([{}, { 'transfer-encoding': 'chunked' }])(
    'is read although an encoding was set on it (%j)',
    async (headers) => {
      const own = await listen((req, res) => {
        req.setEncoding('utf8');
        void readMcpBody(req, LIMIT).then((body) => res.end(JSON.stringify(body)));
      });
      try {
        const said = { ...message, method: 'größer' };
        const answer = await send(own.port, { body: JSON.stringify(said), headers });
        expect(JSON.parse(answer.text)).toEqual({ value: said });
      } finally {
        await own.close();
      }
    },
  );

  it('is told as aborted when its client has left, whole or in pieces', async () => {
    const bodies: Promise<McpBody>[] = [];
    let read: () => void = () => undefined;
    const own = await listen((req) => {
      req.once('close', () => {
        bodies.push(readMcpBody(req, LIMIT));
        read();
      });
    });
    try {
      for (const isChunked of [false, true]) {
        const wire = await dial(own.port);
        const done = new Promise<void>((resolve) => (read = resolve));
        const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
        wire.socket.write(
          isChunked
            ? postText('', { 'transfer-encoding': 'chunked' }).replace(/content-length: 0\r\n/, '') + chunks
            : postText(text),
        );
        await once(own.server, 'request');
        wire.socket.destroy();
        await done;
      }
      expect(await Promise.all(bodies)).toEqual([{ fault: 'aborted' }, { fault: 'aborted' }]);
    } finally {
      await own.close();
    }
  });
});
