/**
 * A broken server for every fault that the doctor knows of.
 */
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { generateKeyPair, SignJWT } from 'jose';
import type { FaultId } from '../../../src/cli/doctor/faults.js';
import { KEYS, STRANGE_KEYS, tokenFor } from '../../authorization/tokens.js';
import { LocalIssuer, METADATA } from '../../oauth/local-issuer.js';
import { makeCertificate } from '../../support/certificate.js';
import { makeTool } from '../../support/tools.js';
import { keep } from '../../support/written.js';
import { page, serve, serveGate, serveProxy, without, type Proxying, type Served } from './servers.js';

/** What the doctor is called with, and what it must find: this and no other fault. */
export interface Broken {
  readonly url: string;
  readonly token?: string;
  readonly words?: readonly string[];
  /** Faults that cannot but come with it. */
  readonly with?: readonly FaultId[];
}

/** Nobody listens at the discard port. */
export const NOBODY = 'http://127.0.0.1:9';
const ORIGIN = 'https://app.example';
const DAY = 86_400_000;
export const WORDS_OF_CALL = ['--tool', 'count', '--args', '{"to":8}', '--idle', '3s'];

const ending: (() => Promise<unknown>)[] = [];

/** Call it in `afterEach`. */
export async function endBroken(): Promise<void> {
  for (const end of ending.splice(0)) await end();
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** A server that speaks no HTTP. */
async function tcp(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  const port = await listening(server);
  ending.unshift(() => {
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  });
  return `http://127.0.0.1:${port}/mcp`;
}

/** A server with a certificate that is for something else, or for another time; `trusted` is the certificate itself. */
export async function tlsServer(
  wish: Partial<Parameters<typeof makeCertificate>[0]>,
): Promise<{ url: string; trusted: string }> {
  const certificate = makeCertificate({
    ip: '127.0.0.1',
    from: new Date(Date.now() - DAY),
    until: new Date(Date.now() + DAY),
    ...wish,
  });
  const server = createTlsServer(certificate, (_, res) => res.end());
  server.on('tlsClientError', () => undefined);
  const port = await listening(server);
  ending.unshift(() => Promise.resolve(server.closeAllConnections()));
  return { url: `https://127.0.0.1:${port}/mcp`, trusted: certificate.cert };
}

async function issuer(): Promise<LocalIssuer> {
  const started = await LocalIssuer.start();
  ending.push(() => started.stop());
  started.answers.set(METADATA, (_, res) => res.end(JSON.stringify(metadataOf(started.url))));
  return started;
}

function metadataOf(url: string): Record<string, unknown> {
  return { issuer: url, jwks_uri: `${url}/jwks`, code_challenge_methods_supported: ['S256'] };
}

/** A gate that wants tokens of its own keys, under the address of what stands before it. */
async function protectedGate(proxying: Proxying, more: object = {}): Promise<Served> {
  let gate: Served | undefined;
  const proxy = await serveProxy(() => gate!, proxying);
  gate = await serveGate({
    allowRemote: true,
    authorization: { ownKeys: KEYS, publicUrl: proxy.url },
    ...more,
  });
  return proxy;
}

const before =
  (proxying: Proxying, settings: Parameters<typeof serveGate>[0] = {}) =>
  async (): Promise<Broken> => {
    const gate = await serveGate(settings);
    return { url: (await serveProxy(gate, proxying)).url };
  };

const answers = (status: number, body: string, headers: Record<string, string>) => async (): Promise<Broken> =>
  serve((_, res) => res.writeHead(status, headers).end(body));

const html = (status: number) => answers(status, '<html><title>no</title></html>', { 'content-type': 'text/html' });

/** With a token that the gate takes. */
async function withToken(served: Served, words: readonly string[] = []): Promise<Broken> {
  return { url: served.url, token: await tokenFor(served.url), words };
}

const cors = (proxying: Proxying) => async (): Promise<Broken> => ({
  ...(await before(proxying, { allowedOrigins: [ORIGIN] })()),
  words: ['--origin', ORIGIN],
});

const called = (proxying: Proxying) => async (): Promise<Broken> => ({
  ...(await before(proxying)()),
  words: WORDS_OF_CALL,
});

const isCall = (body: Buffer) => body.includes('"tools/call"') && body.includes('"count"');

export const BROKEN: Readonly<Record<FaultId, () => Promise<Broken>>> = {
  'name-unknown': async () => ({ url: 'http://doctor.invalid/mcp' }),
  refused: async () => ({ url: `${NOBODY}/mcp` }),
  silent: async () => ({ url: await tcp(() => undefined), words: ['--timeout', '200ms'] }),
  'hung-up': async () => ({ url: await tcp((socket) => socket.destroy()) }),
  'tls-untrusted': async () => ({ url: (await tlsServer({})).url }),
  'tls-expired': async () => ({ url: (await tlsServer({ until: new Date(Date.now() - 1_000) })).url }),
  'tls-name': async () => ({ url: (await tlsServer({ ip: '127.0.0.2', name: 'other.example' })).url }),
  'tls-plain': async () => ({ url: (await serveGate()).url.replace('http:', 'https:') }),
  redirected: answers(308, '', { location: 'https://shop.example/mcp/' }),
  'not-found': async () => ({ url: (await serveGate()).url.replace('/mcp', '/api/mcp') }),
  'not-a-gate': html(200),
  'bad-gateway': html(502),
  forbidden: html(403),
  'too-many': html(429),
  relayed: before({ request: (headers) => ({ ...headers, 'x-forwarded-for': '203.0.113.7' }) }),
  'host-refused': before({ request: (headers) => ({ ...headers, host: 'shop.internal' }) }),
  'not-local': async () =>
    serveGate({}, (req) => Object.defineProperty(req.socket, 'remoteAddress', { value: '203.0.113.7' })),

  'authorization-stripped': async () =>
    withToken(await protectedGate({ request: (headers) => without(headers, 'authorization') })),
  'token-refused': async () => {
    const gate = await protectedGate({});
    return { url: gate.url, token: await tokenFor(gate.url, { key: STRANGE_KEYS }) };
  },
  'issuer-away-from-gate': async () => {
    const gate = await serveGate({ authorization: { issuers: [NOBODY] } });
    const { privateKey } = await generateKeyPair('ES256');
    const claims = { iss: NOBODY, aud: gate.url, sub: 'ada', exp: Date.now() / 1000 + 300 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
    return { url: gate.url, token: keep(token), with: ['issuer-away'] };
  },

  'no-version': answers(400, '{"jsonrpc":"2.0","error":{"code":-32022,"message":"none"}}', {
    'content-type': 'application/json',
  }),
  'discover-broken': before({
    answer: (_, res, body) => body.includes('server/discover') && page(res, 500),
  }),
  'notification-answered': before({
    answer: (_, res, body) => {
      if (!body.includes('notifications/')) return false;
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      return true;
    },
  }),
  'instances-differ': async () => {
    const instances = [await serveGate(), await serveGate({ tools: [makeTool({ name: 'shop_other' })] })];
    let turn = 0;
    return { url: (await serveProxy(() => instances[turn++ % 2]!)).url };
  },

  'mcp-headers-stripped': before({ request: (headers) => without(headers, /^mcp-(?!protocol)/) }),
  'version-header-stripped': before({ request: (headers) => without(headers, 'mcp-protocol-version') }),
  'accept-rewritten': before({ request: (headers) => ({ ...headers, accept: 'application/json' }) }),
  'get-answered': before({ answer: ({ method }, res) => method === 'GET' && page(res, 200) }),

  'origin-served': before({ request: (headers) => without(headers, 'origin') }),
  'host-served': before({ request: (headers) => ({ ...headers, host: 'localhost' }) }),

  'challenge-missing': async () => protectedGate({ response: (headers) => without(headers, 'www-authenticate') }),
  'challenge-malformed': async () =>
    protectedGate({
      response: (headers) => ({
        ...headers,
        ...(headers['www-authenticate'] && { 'www-authenticate': 'Basic realm="shop"' }),
      }),
    }),
  'challenge-elsewhere': async () => {
    const gate = await serveGate((url) => ({
      authorization: { ownKeys: KEYS, publicUrl: url.replace('127.0.0.1', 'localhost') },
    }));
    return { url: gate.url, with: ['resource-differs'] };
  },
  'document-missing': async () =>
    protectedGate({ answer: ({ url }, res) => url!.startsWith('/.well-known') && page(res, 404) }),
  'resource-differs': async () => serveGate((url) => ({ authorization: { ownKeys: KEYS, publicUrl: `${url}/` } })),
  'issuer-away': async () => serveGate({ authorization: { issuers: [NOBODY] } }),
  'issuer-differs': async () => {
    const { url, answers: replaced } = await issuer();
    replaced.set(METADATA, (_, res) => res.end(JSON.stringify(metadataOf(`${url}/`))));
    return serveGate({ authorization: { issuers: [url] } });
  },
  'issuer-without-pkce': async () => {
    const { url, answers: replaced } = await issuer();
    replaced.set(METADATA, (_, res) =>
      res.end(JSON.stringify({ ...metadataOf(url), code_challenge_methods_supported: ['plain'] })),
    );
    return serveGate({ authorization: { issuers: [url] } });
  },

  'preflight-refused': cors({ answer: ({ method }, res) => method === 'OPTIONS' && page(res, 401) }),
  'origin-refused': async () => ({ url: (await serveGate()).url, words: ['--origin', ORIGIN] }),
  'preflight-headers': cors({
    response: (headers) => ({
      ...headers,
      ...(headers['access-control-allow-headers'] && { 'access-control-allow-headers': 'content-type, *' }),
    }),
  }),
  'answer-hidden': cors({
    response: (headers, { method }) => (method === 'POST' ? without(headers, 'access-control-allow-origin') : headers),
  }),
  'cors-twice': cors({
    response: (headers, { method }) =>
      method === 'POST' ? { ...headers, 'access-control-allow-origin': `${ORIGIN}, *` } : headers,
  }),
  'challenge-hidden': async () => ({
    ...(await protectedGate(
      { response: (headers) => without(headers, 'access-control-expose-headers') },
      { allowedOrigins: [ORIGIN] },
    )),
    words: ['--origin', ORIGIN],
  }),
  'document-hidden': async () => ({
    ...(await protectedGate(
      {
        response: (headers, { method }) =>
          method === 'GET' ? without(headers, 'access-control-allow-origin') : headers,
      },
      { allowedOrigins: [ORIGIN] },
    )),
    words: ['--origin', ORIGIN],
  }),

  'body-limit-before': before({ answer: (_, res, body) => body.length > 1_048_576 && page(res, 413) }),
  'body-cut': before({ onBody: (req, size) => size > 200_000 && req.socket.destroy() }),

  compressed: before({
    response: (headers) => ({ ...headers, ...(isEvents(headers) && { 'content-encoding': 'gzip' }) }),
    back(from, res) {
      if (!isEvents(from.headers)) return void from.pipe(res);
      const chunks: Buffer[] = [];
      from.on('data', (chunk: Buffer) => chunks.push(chunk));
      from.on('end', () => res.end(gzipSync(Buffer.concat(chunks))));
    },
  }),
  buffered: called({
    back(from, res) {
      const chunks: Buffer[] = [];
      from.on('data', (chunk: Buffer) => chunks.push(chunk));
      from.on('end', () => res.end(Buffer.concat(chunks)));
    },
  }),
  'stream-cut': called({
    back(from, res) {
      from.pipe(res);
      if (isEvents(from.headers)) from.once('data', () => from.once('data', () => res.destroy()));
    },
  }),
  'gave-up-waiting': called({ answer: (_, res, body) => isCall(body) && page(res, 504) }),
};

function isEvents(headers: { 'content-type'?: string | undefined }): boolean {
  return headers['content-type'] === 'text/event-stream';
}
