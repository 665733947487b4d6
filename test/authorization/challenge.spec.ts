/**
 * A protected gate sends away whoever brings no valid token, and says what to bring (A7, A9).
 */
import type { INestApplication } from '@nestjs/common';
import { RequireScopes, Annotations, McpModule, McpTool } from 'nestjs-mcp-gate';
import { rawRequest } from '../e2e/raw-request.js';
import { LocalIssuer } from '../oauth/local-issuer.js';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { dial } from '../support/http.js';
import { judgeTheLog, open, opened } from './log-watch.js';
import { protectedGate, READS, SHOP_SCOPES, ShopTools } from './shop.js';
import { bearing, keep, STRANGE_KEYS, tokenFor, unsigned } from './tokens.js';

const calls: string[] = [];

class OtherTools {
  @McpTool({ name: 'other_read', description: 'Of the other gate.' })
  @Annotations(READS)
  @RequireScopes('other:read')
  read() {
    calls.push('other_read');
    return 'other';
  }

  @McpTool({ name: 'other_free', description: 'Needs no scope.' })
  @Annotations(READS)
  free() {
    calls.push('other_free');
    return 'free';
  }
}

class FreeTools {
  @McpTool({ name: 'free', description: 'Needs no scope.' })
  @Annotations(READS)
  free() {
    return 'free';
  }
}

const LIMIT = 2_000;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const FREE_CALL = JSON.stringify({ ...PING, method: 'tools/call', params: { name: 'other_free', arguments: {} } });

describe.each(PLATFORMS)('A protected gate on %s', (platform) => {
  let gate: Served;
  let issuer: LocalIssuer;
  let resource: string;
  /** The whole challenge of a gate. */
  const challenge = (path: string, scopes: readonly string[], error?: string) =>
    [
      `Bearer ${error === undefined ? '' : `error="${error}", `}${scopes.length > 0 ? `scope="${scopes.join(' ')}", ` : ''}`,
      `resource_metadata="${gate.url}/.well-known/oauth-protected-resource${path}"`,
    ].join('');

  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    const imports = [
      protectedGate({ tools: [ShopTools], bodyLimit: LIMIT, authorization: { issuers: [issuer.url] } }),
      protectedGate({
        name: 'other',
        path: '/other/mcp',
        tools: [OtherTools],
        allowedOrigins: ['https://agents.example'],
      }),
      protectedGate({ name: 'free', path: '/free', tools: [FreeTools] }),
      McpModule.forRoot({ name: 'open', path: '/open', tools: [FreeTools] }),
    ];
    gate = await open({ imports, providers: [ShopTools, OtherTools, FreeTools] }, { platform });
    resource = `${gate.url}/mcp`;
  });
  afterAll(async () => {
    await gate.close();
    await issuer.stop();
  });
  beforeEach(() => calls.splice(0));

  test('answers 401 with its scopes and its document, and no error code, where no token came (A7)', async () => {
    for (const authorization of [
      undefined,
      '',
      'Basic YWRhOnNlY3JldC1vZi1hZGE=',
      'DPoP abcdefghijkl',
      'abcdefghijkl',
    ]) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const refused = await gate.rpc('tools/list', {}, { headers });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe(challenge('/mcp', SHOP_SCOPES));
      expect(refused.headers.get('cache-control')).toBe('no-store, no-transform');
      expect(refused.body).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'This gate needs a valid access token.' },
      });
    }
  });

  test('asks for the scopes of its own tools only, and for none where they need none (A7, G9)', async () => {
    const other = await gate.rpc('tools/list', {}, { path: '/other/mcp' });
    expect(other.headers.get('www-authenticate')).toBe(challenge('/other/mcp', ['other:read']));
    const free = await gate.rpc('tools/list', {}, { path: '/free' });
    expect(free.headers.get('www-authenticate')).toBe(challenge('/free', []));
    const unprotected = await gate.rpc('tools/list', {}, { path: '/open' });
    expect([unprotected.status, unprotected.headers.get('www-authenticate')]).toEqual([200, null]);
  });

  test.each<[string, string, () => string | Promise<string>]>([
    ['noise', 'token-unknown', () => 'not-a-token-of-anybody'],
    ['nothing behind the scheme', 'token-malformed', () => ''],
    ['two words', 'token-malformed', () => 'one-word and-another'],
    ['an expired one', 'expired', () => issuer.sign({ aud: resource, exp: Math.floor(Date.now() / 1000) - 31 })],
    ['one without a signature', 'algorithm-refused', () => unsigned(resource)],
    ['one of unknown keys', 'key-unknown', () => tokenFor(resource, { key: STRANGE_KEYS })],
    [
      'one with another account written in',
      'signature-invalid',
      async () => withAccount(await tokenFor(resource), 'eve'),
    ],
    ['one of an unknown issuer', 'issuer-unknown', () => issuer.sign({ aud: resource, iss: 'https://evil.example' })],
    ['one of another gate of the application', 'audience-other', () => tokenFor(`${gate.url}/other/mcp`)],
    ['one for the whole host', 'audience-other', () => tokenFor(gate.url)],
    ['one with a slash too many in its audience', 'audience-other', () => tokenFor(`${resource}/`)],
  ])(
    'answers %s with 401 and invalid_token, and tells its log alone that it is "%s" (A7, A9)',
    async (_, reason, make) => {
      const token = await make();
      const before = gate.log.of('warn').length;
      const refused = await gate.rpc('tools/list', {}, bearing(token));
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe(challenge('/mcp', SHOP_SCOPES, 'invalid_token'));
      const stranger = await gate.rpc('tools/list', {});
      expect(refused.text).toBe(stranger.text);
      expect(gate.log.of('warn').slice(before)).toEqual([`[shop] a token was refused: ${reason}.`]);
    },
  );

  test('takes a token that is meant for it, and no other gate of the application does (A9, G9)', async () => {
    const token = await tokenFor(resource, { scopes: ['shop:read', 'shop:billing', 'other:read'] });
    expect(await gate.list(bearing(token))).toEqual(['shop_stock', 'shop_known', 'shop_refund', 'shop_report']);
    const elsewhere = await gate.rpc('tools/list', {}, { ...bearing(token), path: '/other/mcp' });
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers.get('www-authenticate')).toBe(challenge('/other/mcp', ['other:read'], 'invalid_token'));
    const other = await tokenFor(`${gate.url}/other/mcp`, { scopes: ['other:read'] });
    expect(await gate.list({ ...bearing(other), path: '/other/mcp' })).toEqual(['other_read', 'other_free']);
  });

  test('never reads a token in a query or in a body (A9)', async () => {
    const token = await tokenFor(resource, { scopes: ['shop:read'] });
    for (const name of ['access_token', 'token', 'authorization', 'bearer_token']) {
      const refused = await gate.send({ path: `/mcp?${name}=${token}`, body: JSON.stringify(PING) });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe(challenge('/mcp', SHOP_SCOPES));
      expect(refused.text).not.toContain(token);
    }
    const form = { body: `access_token=${token}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await gate.send(form)).status).toBe(401);
    const inBody = { ...PING, access_token: token, params: { access_token: token, _meta: { authorization: token } } };
    expect((await gate.send({ body: JSON.stringify(inBody) })).status).toBe(401);
    // Beside a good header a query changes nothing: it is no part of the audience.
    expect(await gate.list({ ...bearing(token), path: '/mcp?access_token=x&a=b' })).toContain('shop_known');
  });

  test('asks for a token before it looks at what was sent (A7)', async () => {
    const sent: [string, RequestInit][] = [
      ['no JSON', { body: '{not json' }],
      ['nothing', { body: '' }],
      ['text', { body: 'text', headers: { 'content-type': 'text/plain' } }],
      ['too much', { body: JSON.stringify({ ...PING, params: { x: 'x'.repeat(LIMIT) } }) }],
      ['what does not inflate', { body: 'x', headers: { 'content-encoding': 'gzip' } }],
      ['an id that is none', { body: JSON.stringify({ ...PING, id: null }) }],
      ['a revision that is none', { body: JSON.stringify(PING), headers: { 'mcp-protocol-version': '1999-01-01' } }],
      ['a notification', { body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) }],
      ['a batch', { body: JSON.stringify([PING, PING]), headers: { 'mcp-protocol-version': '2025-03-26' } }],
      ['the handshake', { body: JSON.stringify({ ...PING, method: 'initialize', params: {} }) }],
      ['an unknown method', { body: JSON.stringify({ ...PING, method: 'nothing/known' }) }],
    ];
    for (const [what, init] of sent) {
      const refused = await gate.send(init);
      expect([what, refused.status]).toEqual([what, 401]);
      expect(refused.headers.get('www-authenticate')).toBe(challenge('/mcp', SHOP_SCOPES));
    }
    expect((await gate.send({ path: '/other/mcp', body: FREE_CALL })).status).toBe(401);
    expect(calls).toEqual([]);
  });

  test('asks at every request, not only at the handshake (A7)', async () => {
    const token = await tokenFor(resource);
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
    const first = await gate.rpc('initialize', hello, bearing(token));
    expect(first.status).toBe(200);
    const session = { headers: { 'mcp-session-id': first.headers.get('mcp-session-id') ?? 'made-up' } };
    expect((await gate.rpc('tools/list', {}, session)).status).toBe(401);
    expect((await gate.rpc('tools/call', { name: 'shop_stock' }, session)).status).toBe(401);
  });

  test('refuses two Authorization headers, whichever of them is good: to choose would be a guess (A9)', async () => {
    const good = await tokenFor(resource);
    const bad = await tokenFor(resource, { key: STRANGE_KEYS });
    for (const authorization of [
      [`Bearer ${good}`, `Bearer ${bad}`],
      [`Bearer ${bad}`, `Bearer ${good}`],
      ['Basic YWRhOnNlY3JldC1vZi1hZGE=', `Bearer ${good}`],
    ]) {
      const refused = await rawRequest(new URL(resource), { body: JSON.stringify(PING), headers: { authorization } });
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toBe(challenge('/mcp', SHOP_SCOPES, 'invalid_token'));
    }
    expect(gate.log.of('warn')).toContain('[shop] a token was refused: header-repeated.');
  });

  test('refuses other verbs, foreign pages and relayed requests without asking for a token (G3, G4, G5)', async () => {
    const of = async (init: RequestInit) => {
      const answer = await gate.send({ path: '/other/mcp', ...init });
      return [answer.status, answer.headers.get('www-authenticate')];
    };
    expect(await of({ method: 'GET' })).toEqual([405, null]);
    expect(await of({ method: 'DELETE' })).toEqual([405, null]);
    expect(await of({ body: FREE_CALL, headers: { origin: 'https://evil.example' } })).toEqual([403, null]);
    expect(await of({ body: FREE_CALL, headers: { 'x-forwarded-for': '10.0.0.1' } })).toEqual([403, null]);
    const token = await tokenFor(`${gate.url}/other/mcp`);
    const relayed = { ...bearing(token).headers, forwarded: 'for=10.0.0.1' };
    expect(await of({ body: FREE_CALL, headers: relayed })).toEqual([403, null]);
    expect(calls).toEqual([]);
  });

  test('lets a listed web page ask first without a token, and read the challenge (A7, G5)', async () => {
    const origin = 'https://agents.example';
    const preflight = await gate.send({
      path: '/other/mcp',
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const refused = await gate.send({ path: '/other/mcp', body: FREE_CALL, headers: { origin } });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    expect(refused.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate');
  });

  test.each([
    ['a port that is none', '127.0.0.1:99999'],
    ['a port of nothing', '127.0.0.1:'],
    ['a name in capitals', 'LOCALHOST:80'],
  ])('never fails over a Host with %s', async (_, host) => {
    for (const headers of [{ host }, { host, ...bearing(await tokenFor(resource)).headers }]) {
      const answer = await rawRequest(new URL(resource), { body: JSON.stringify(PING), headers });
      expect(answer.status).toBeLessThan(500);
    }
    expect(gate.log.of('error')).toEqual([]);
  });

  test('never fails over a whole URL as the target of a request (RFC 9112, section 3.2.2)', async () => {
    const { host, port } = new URL(gate.url);
    const wire = await dial(Number(port));
    const body = JSON.stringify(PING);
    const headers = `host: ${host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    wire.socket.write(`POST ${resource} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    const answer = await wire.until(/\r\n\r\n/);
    wire.socket.destroy();
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(answer).toContain(`WWW-Authenticate: ${challenge('/mcp', SHOP_SCOPES)}\r\n`);
    expect(gate.log.of('error')).toEqual([]);
  });
});

describe.each(PLATFORMS)('A listed web page on %s, where the application has CORS of its own,', (platform) => {
  test.each([
    ['nothing', undefined],
    ['headers of its own', ['x-total']],
  ])('reads the challenge beside an application that exposes %s (A7, A4)', async (_, exposedHeaders) => {
    const origin = 'https://agents.example';
    const imports = [protectedGate({ tools: [ShopTools], allowedOrigins: [origin] })];
    const configure = (app: INestApplication) =>
      app.enableCors({ origin: true, ...(exposedHeaders && { exposedHeaders }) });
    await opened({ imports, providers: [ShopTools] }, { platform, configure }, async (gate) => {
      const token = bearing(await tokenFor(`${gate.url}/mcp`)).headers;
      const params = { name: 'shop_report', arguments: { publish: true } };
      const refused = await gate.rpc('tools/list', {}, { headers: { origin } });
      const stepUp = await gate.rpc('tools/call', params, { headers: { ...token, origin } });
      expect([refused.status, stepUp.status]).toEqual([401, 403]);
      for (const { headers } of [refused, stepUp]) {
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual([
          ...(exposedHeaders ?? []),
          'WWW-Authenticate',
        ]);
      }
      const foreign = await gate.rpc('tools/list', {}, { headers: { origin: 'https://evil.example' } });
      expect(foreign.status).toBe(403);
    });
  });
});

describe.each(PLATFORMS)('A remote gate that names an audience and no URL on %s', (platform) => {
  test('never fails over a Host that is none', async () => {
    const settings = { allowRemote: true, tools: [FreeTools], authorization: { audience: 'shop' } };
    const app = { imports: [protectedGate(settings)], providers: [FreeTools] };
    await opened(app, { platform }, async (gate) => {
      for (const host of ['a b', '"', '[::1', 'shop.example:x', '@', '\u00e4']) {
        const answer = await rawRequest(new URL(`${gate.url}/mcp`), { body: JSON.stringify(PING), headers: { host } });
        expect([400, 401]).toContain(answer.status);
        const path = '/.well-known/oauth-protected-resource/mcp';
        const document = await rawRequest(new URL(gate.url + path), { method: 'GET', headers: { host } });
        expect([200, 400]).toContain(document.status);
      }
      expect(gate.log.of('error')).toEqual([]);
    });
  });
});

/** The token with another subject, signed as it was. */
function withAccount(token: string, account: string): string {
  const [head, body, signature] = token.split('.') as [string, string, string];
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: account };
  return keep(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`);
}

judgeTheLog();
