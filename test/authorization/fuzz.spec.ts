/**
 * Noise in place of a token, over real HTTP: never a fault of the server, never a caller, and never a word of it in the
 * log (A8, A9; issue 3). The floor below is judged by 10,000 of them in `test/oauth/fuzz.spec.ts`.
 */
import * as fc from 'fast-check';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { LocalIssuer } from '../oauth/local-issuer.js';
import { judgeTheLog, logFromNow, open } from './log-watch.js';
import { protectedGate, ShopTools } from './shop.js';
import { keep, KEYS, tokenFor } from './tokens.js';

const SEED = 20_260_728;
const RUNS = 500;
/** What may stand in a header at all: tab, printable ASCII, and the upper half of Latin-1. */
const HEADER_TEXT = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
const B64 = 'AZaz09-._~+/='.split('');

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Everything between plain noise and a token that is wrong in one place. */
function headers(good: readonly string[], issuer: string, resource: string): fc.Arbitrary<string | string[]> {
  const noise = fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => HEADER_TEXT.test(text));
  const latin = fc
    .array(fc.integer({ min: 32, max: 255 }), { maxLength: 60 })
    .map((codes) => String.fromCharCode(...codes.filter((code) => code < 127 || code > 159)));
  const b64token = fc.string({ unit: fc.constantFrom(...B64), maxLength: 120 });
  const json = fc.jsonValue({ maxDepth: 2 });
  /** Right three times out of four, so that the noise reaches the later checks. */
  const mostly = (...right: (string | number)[]) => fc.oneof({ arbitrary: fc.constantFrom(...right), weight: 3 }, json);
  const kid = KEYS.keys[0]!.kid!;
  const header = fc.record(
    {
      alg: mostly('ES256', 'none', 'None', 'HS256', 'RS256'),
      typ: mostly('at+jwt', 'JWT'),
      kid: mostly(kid, 'first'),
      jku: fc.constant('http://127.0.0.1:1/keys'),
      crit: json,
    },
    { requiredKeys: ['alg'] },
  );
  const claims = fc.record(
    {
      iss: mostly('urn:nestjs-mcp-gate:own-keys', issuer),
      aud: fc.oneof(mostly(resource), fc.array(json, { maxLength: 3 })),
      exp: mostly(9_999_999_999, -1, 1e300),
      nbf: mostly(0),
      iat: mostly(0),
      sub: mostly('ada'),
      scope: mostly('shop:read'),
    },
    { requiredKeys: ['iss'] },
  );
  const built = fc
    .tuple(fc.oneof(header, json), fc.oneof(claims, json), b64token)
    .map(([head, body, signature]) => `${b64(head)}.${b64(body)}.${signature}`);
  const mutated = fc
    .tuple(fc.constantFrom(...good), fc.nat(), fc.constantFrom(...B64))
    .map(([token, at, other]) => [token, at % token.length, other] as const)
    .map(([token, at, other]) => token.slice(0, at) + other + token.slice(at + 1))
    .filter((token) => !good.some((each) => sameBytes(each, token)));
  const cut = fc
    .tuple(fc.constantFrom(...good), fc.integer({ min: 1, max: 40 }))
    .map(([token, less]) => token.slice(0, -less));
  const huge = fc.integer({ min: 5_000, max: 12_000 }).map((length) => 'A'.repeat(length));
  const token = fc.oneof(noise, latin, b64token, built, mutated, cut, { arbitrary: huge, weight: 1 });
  const scheme = fc.constantFrom(
    'Bearer ',
    'bearer  ',
    'BEARER ',
    'Bearer',
    'Bearer\t',
    'Bearer,',
    'Basic ',
    'DPoP ',
    '',
  );
  const one = fc.oneof(
    fc.tuple(scheme, token).map((parts) => parts.join('')),
    { arbitrary: fc.oneof(built, mutated, cut).map((text) => `Bearer ${text}`), weight: 3 },
  );
  // A good header among several is no good either.
  const beside = fc.tuple(fc.constantFrom(...good), one).map(([token, other]) => [`Bearer ${token}`, other]);
  const some = fc.oneof({ arbitrary: one, weight: 12 }, fc.array(one, { minLength: 2, maxLength: 3 }), beside);
  return some.filter((value) => [value].flat().every((text) => HEADER_TEXT.test(text)));
}

/** The last character of a Base64 text has spare bits: another one may stand for the same token. */
function sameBytes(left: string, right: string): boolean {
  const bytes = (token: string) => token.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return bytes(left).join() === bytes(right).join();
}

describe.each(PLATFORMS)('Noise in the Authorization header on %s', (platform) => {
  let gate: Served;
  let issuer: LocalIssuer;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    const verify = (token: string) => {
      if (token.length % 2 === 0) throw new Error(`cannot read ${token}`);
      return undefined;
    };
    const authorization = { issuers: [issuer.url], verifier: { verify } };
    const imports = [
      protectedGate({ tools: [ShopTools], authorization }),
      protectedGate({
        name: 'mixed',
        path: '/mixed',
        tools: [ShopTools],
        authorization: { ...authorization, anonymous: true },
      }),
    ];
    gate = await open({ imports, providers: [ShopTools] }, { platform });
  });
  afterAll(async () => {
    agent.destroy();
    await gate.close();
    await issuer.stop();
  });

  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  async function post(path: string, authorization: string | string[]) {
    const sent: Record<string, string | string[]> = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'mcp-protocol-version': '2025-11-25',
      authorization,
    };
    const req = request(gate.url + path, { method: 'POST', agent, headers: sent });
    req.end(body);
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of res) text += String(chunk);
    return { status: res.statusCode, challenge: res.headers['www-authenticate'], text };
  }

  test(`${RUNS} times over is a 401 at a protected gate, a stranger's at a mixed one, and silent (A8, A9)`, async () => {
    const stranger = (await post('/mixed', 'none')).text;
    const good: string[] = [];
    for (const path of ['/mcp', '/mixed']) {
      good.push(await tokenFor(gate.url + path, { scopes: ['shop:read'] }));
      good.push(keep(await issuer.sign({ aud: gate.url + path, scope: 'shop:read' })));
    }
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(headers(good, issuer.url, `${gate.url}/mcp`), async (authorization) => {
        const logged = logFromNow(gate);
        const [refused, served] = await Promise.all([post('/mcp', authorization), post('/mixed', authorization)]);
        if (refused.status !== 401) throw new Error(`${refused.status} of a protected gate`);
        const error = /error="([^"]+)"/.exec(refused.challenge ?? '')?.[1] ?? 'none';
        if (served.status !== 200 || served.text !== stranger) throw new Error(`${served.status} ${served.text}`);
        const parts = [authorization].flat().flatMap((value) => value.split(/[\s.,]+/));
        const words = parts.filter((part) => part.length > 6);
        const told = logged().filter((line) => words.some((word) => line.includes(word)));
        if (told.length > 0) throw new Error(told.join('\n'));
        for (const word of words) keep(word);
        const reasons = logged('warn').map((line) => /a token was refused: ([\w-]+)/.exec(line)?.[1] ?? 'other');
        for (const each of new Set([error, ...reasons])) outcomes.set(each, (outcomes.get(each) ?? 0) + 1);
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    expect(gate.log.of('error')).toEqual([]);
    expect(outcomes.has('verification-failed')).toBe(false);
    // The noise reached every floor.
    for (const reached of [
      'none',
      'invalid_token',
      'token-malformed',
      'header-repeated',
      'algorithm-refused',
      'verifier-refused',
      'signature-invalid',
    ]) {
      expect([reached, (outcomes.get(reached) ?? 0) > 5]).toEqual([reached, true]);
    }
    expect(await gate.list({ headers: { authorization: `Bearer ${good[0]}` } })).toContain('shop_known');
  });
});

judgeTheLog();
