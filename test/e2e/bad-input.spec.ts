import { gzipSync } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { rawRequest } from './raw-request.js';
import { StageAppModule } from './tools.module.js';

const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Sent {
  body?: string | Buffer;
  headers?: Record<string, string | string[]>;
  method?: string;
}

interface Answer {
  status: number;
  code?: number;
  /** Expected in the message of the error, or in the text of the `isError` result. */
  says?: RegExp;
  allow?: string;
}

/** A legacy request: revision 2025-11-25 by its header. */
function legacy(message: unknown, headers: Sent['headers'] = {}): Sent {
  return { body: JSON.stringify(message), headers: { 'mcp-protocol-version': '2025-11-25', ...headers } };
}

function modernCall(args: string, headers: Sent['headers'] = {}): Sent {
  const params = `"name":"echo","arguments":${args},"_meta":${JSON.stringify(META)}`;
  return {
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}}}`,
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'echo', ...headers },
  };
}

const ping = (id: unknown) => legacy({ jsonrpc: '2.0', id, method: 'ping' });
const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
const fiveMegabytes = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(5_000_000) } });

const ROWS: readonly [sentence: string, sent: Sent, answer: Answer][] = [
  ['invalid JSON (P14)', { body: '{"jsonrpc":' }, { status: 400, code: -32700 }],
  ['JSON null', { body: 'null' }, { status: 400, code: -32600 }],
  ['a number', { body: '7' }, { status: 400, code: -32600 }],
  ['an empty body', { body: '' }, { status: 400, code: -32700 }],
  ['a body of 5 MB', { body: fiveMegabytes }, { status: 413, code: -32600, says: /4194304 bytes/ }],
  [
    'a gzip that inflates to 5 MB',
    { body: gzipSync(fiveMegabytes), headers: { 'content-encoding': 'gzip' } },
    { status: 413, code: -32600 },
  ],
  ['an unknown encoding', { body: '{}', headers: { 'content-encoding': 'snappy' } }, { status: 415, code: -32600 }],
  [
    'nesting of 10,000 levels',
    { body: deep, headers: { 'mcp-protocol-version': '2025-11-25' } },
    { status: 400, code: -32600 },
  ],
  ['arguments of 10,000 levels (T6)', modernCall(`{"text":"a","deep":${deep}}`), { status: 200, says: /"deep"/ }],
  ['text/plain', { body: '{}', headers: { 'content-type': 'text/plain' } }, { status: 415, code: -32600 }],
  ['no content type', { body: '{}', headers: { 'content-type': '' } }, { status: 415, code: -32600 }],
  [
    'an unknown charset',
    { body: '{}', headers: { 'content-type': 'application/json; charset=klingon' } },
    { status: 415, code: -32600 },
  ],
  ['__proto__ in arguments (T6)', modernCall('{"text":"a","__proto__":{"x":1}}'), { status: 200, says: /__proto__/ }],
  [
    'constructor in arguments (T6)',
    modernCall('{"text":"a","constructor":{"prototype":{"x":1}}}'),
    { status: 200, says: /constructor/ },
  ],
  [
    'a duplicated Mcp-Name (P11)',
    modernCall('{"text":"a"}', { 'mcp-name': ['echo', 'echo'] }),
    { status: 400, code: -32020 },
  ],
  [
    'a duplicated MCP-Protocol-Version (P5)',
    modernCall('{"text":"a"}', { 'mcp-protocol-version': [MODERN, MODERN] }),
    { status: 400, code: -32020 },
  ],
  ['id null (P3)', ping(null), { status: 400, code: -32600 }],
  ['id 1.5 (P3)', ping(1.5), { status: 400, code: -32600 }],
  ['id true (P3)', ping(true), { status: 400, code: -32600 }],
  ['id {} (P3)', ping({}), { status: 400, code: -32600 }],
  ['an id of 1 MB (P3)', ping('x'.repeat(1_000_000)), { status: 400, code: -32600 }],
  ['an unknown method (P9)', legacy({ jsonrpc: '2.0', id: 1, method: 'no/such' }), { status: 404, code: -32601 }],
  ['a batch (P14)', legacy([{ jsonrpc: '2.0', id: 1, method: 'ping' }]), { status: 400, code: -32600 }],
  [
    'an unknown revision (P6)',
    legacy({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'mcp-protocol-version': '1900-01-01' }),
    { status: 400, code: -32022 },
  ],
  [
    'tools/call without a name',
    legacy({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }),
    { status: 400, code: -32602 },
  ],
  ['arguments that are an array (T5)', modernCall('[1]'), { status: 400, code: -32602 }],
  ['GET (G5)', { method: 'GET' }, { status: 405, allow: 'POST' }],
  ['DELETE (G5)', { method: 'DELETE' }, { status: 405, allow: 'POST' }],
  ['PUT with a malformed body (G5)', { method: 'PUT', body: '{' }, { status: 405, allow: 'POST' }],
  [
    'a foreign Origin (G3)',
    { ...modernCall('{"text":"a"}', { origin: 'https://evil.example' }) },
    { status: 403, code: -32600 },
  ],
  ['Origin null (G3)', { ...modernCall('{"text":"a"}', { origin: 'null' }) }, { status: 403, code: -32600 }],
  ['a foreign Host (G3)', { ...modernCall('{"text":"a"}', { host: 'evil.example' }) }, { status: 403, code: -32600 }],
  [
    'a relayed request (G4)',
    { ...modernCall('{"text":"a"}', { 'x-forwarded-for': '10.0.0.1' }) },
    { status: 403, code: -32600 },
  ],
];

describe.each([
  { platform: 'Express', adapter: () => new ExpressAdapter() },
  { platform: 'Fastify', adapter: () => new FastifyAdapter() },
])('bad input on $platform', ({ adapter }) => {
  let app: INestApplication;
  let url: URL;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [StageAppModule] }).compile();
    app = testing.createNestApplication<NestFastifyApplication>(adapter() as FastifyAdapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = new URL('/mcp', await app.getUrl());
  });

  afterAll(() => app.close());

  it.each(ROWS)('refuses %s, and serves the next request', async (_, sent, { status, code, says, allow }) => {
    const refused = await rawRequest(url, sent);
    expect(refused.status).toBe(status);
    if (allow !== undefined) expect(refused.headers['allow']).toBe(allow);
    if (refused.text !== '') {
      const message = JSON.parse(refused.text) as {
        jsonrpc: string;
        error?: { code: number; message: string };
        result?: { isError: boolean; content: { text: string }[] };
      };
      expect(message.jsonrpc).toBe('2.0');
      if (code !== undefined) expect(message.error?.code).toBe(code);
      if (code === undefined && status === 200) expect(message.result?.isError).toBe(true);
      if (says !== undefined) expect(message.error?.message ?? message.result?.content[0]?.text).toMatch(says);
    } else expect(code).toBeUndefined();

    const next = await rawRequest(url, modernCall('{"text":"still here"}'));
    expect(next.status).toBe(200);
    expect(next.text).toContain('still here');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
