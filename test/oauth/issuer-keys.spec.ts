/**
 * Where an issuer's keys come from, how often it is asked, and what its failures cost (A9, issue 3).
 */
import { createMcpAuthenticator, type McpAuthenticator } from '../../src/oauth/authenticate.js';
import { issuerMetadataUrls } from '../../src/oauth/discovery.js';
import type { McpAuthorizationSettings } from '../../src/oauth/settings.js';
import { json, LocalIssuer, METADATA, OPENID_METADATA, RESOURCE } from './local-issuer.js';

const started: LocalIssuer[] = [];
let warnings: string[] = [];
/** Added to the clock. */
let later = 0;

beforeEach(() => {
  warnings = [];
  later = 0;
});
afterEach(() => Promise.all(started.splice(0).map((issuer) => issuer.stop())));

async function start(path = ''): Promise<LocalIssuer> {
  const issuer = await LocalIssuer.start(path);
  started.push(issuer);
  return issuer;
}

function gate(issuers: McpAuthorizationSettings['issuers'], more: McpAuthorizationSettings = {}): McpAuthenticator {
  const log = { warn: (message: string) => void warnings.push(message) };
  const parts = { log, now: () => Date.now() + later, environment: {} };
  return createMcpAuthenticator({ issuers, publicUrl: RESOURCE, clockToleranceSec: 0, ...more }, parts);
}

async function outcome(by: McpAuthenticator, token: string): Promise<string> {
  const answer = await by.authenticate(`Bearer ${token}`, RESOURCE);
  return answer.kind === 'rejected' ? answer.reason : answer.kind;
}

/** Claims that outlive a clock put forward by hours. */
const lasting = () => ({ exp: Math.floor(Date.now() / 1000) + 86_400 });

describe('Discovery', () => {
  it('tries the places in the order of the specification, with the path inserted and appended', () => {
    expect(issuerMetadataUrls('https://auth.example/tenant1/')).toEqual([
      'https://auth.example/.well-known/oauth-authorization-server/tenant1',
      'https://auth.example/.well-known/openid-configuration/tenant1',
      'https://auth.example/tenant1/.well-known/openid-configuration',
    ]);
    expect(issuerMetadataUrls('https://auth.example')).toEqual([
      'https://auth.example/.well-known/oauth-authorization-server',
      'https://auth.example/.well-known/openid-configuration',
    ]);
  });

  it.each([
    ['RFC 8414 with a path', `${METADATA}/tenant`],
    ['OpenID with the path inserted', `${OPENID_METADATA}/tenant`],
    ['OpenID with the path appended', `/tenant${OPENID_METADATA}`],
  ])('finds the keys by %s', async (_, place) => {
    const issuer = await start('/tenant');
    issuer.answers.set(place, (_req, res) => json(res, { issuer: issuer.url, jwks_uri: `${issuer.url}/k` }));
    issuer.answers.set('/tenant/k', (_req, res) => json(res, issuer.keySet));
    expect(await outcome(gate([issuer.url]), await issuer.sign())).toBe('caller');
  });

  it('does not use a document that speaks for another issuer, and says how to write the name', async () => {
    const issuer = await start();
    issuer.answers.set(METADATA, (_, res) => json(res, { issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/keys` }));
    expect(await outcome(gate([issuer.url]), await issuer.sign())).toBe('issuer-unreachable');
    expect(issuer.count('/keys')).toBe(0);
    expect(warnings.join()).toContain(`speaks for "${issuer.url}/", not for "${issuer.url}"`);
  });

  it('follows no redirect, neither of the metadata nor of the keys', async () => {
    const [issuer, elsewhere] = [await start(), await start()];
    issuer.answers.set('/keys', (_, res) => res.writeHead(302, { location: `${elsewhere.url}/keys` }).end());
    expect(await outcome(gate([issuer.url]), await issuer.sign())).toBe('issuer-unreachable');
    expect(elsewhere.requests.size).toBe(0);
    expect(warnings.join()).toContain('redirects (302)');
  });

  it('takes no endpoint over plain http that is not on this machine', async () => {
    const issuer = await start();
    issuer.answers.set(METADATA, (_, res) => json(res, { issuer: issuer.url, jwks_uri: 'http://keys.example/k' }));
    expect(await outcome(gate([issuer.url]), await issuer.sign())).toBe('issuer-unreachable');
    expect(warnings.join()).toContain('must be an https URL');
  });

  it('lets no issuer elsewhere point into this machine', async () => {
    const asked: string[] = [];
    const fetchIt = (async (url: string) => {
      asked.push(url);
      return Response.json({ issuer: 'https://auth.example', jwks_uri: 'https://127.0.0.1:9/keys' });
    }) as unknown as typeof fetch;
    const by = createMcpAuthenticator(
      { issuers: ['https://auth.example'], audience: RESOURCE },
      { fetch: fetchIt, environment: {} },
    );
    const issuer = await start();
    expect(await outcome(by, await issuer.sign({ iss: 'https://auth.example' }))).toBe('issuer-unreachable');
    expect(asked.some((url) => url.includes('127.0.0.1'))).toBe(false);
  });

  it('is skipped for keys that the settings give or locate', async () => {
    const issuer = await start();
    const token = await issuer.sign();
    expect(await outcome(gate([{ issuer: issuer.url, jwks: issuer.keySet }]), token)).toBe('caller');
    expect(issuer.requests.size).toBe(0);
    expect(await outcome(gate([{ issuer: issuer.url, jwksUri: `${issuer.url}/keys` }]), token)).toBe('caller');
    expect([...issuer.requests.keys()]).toEqual(['/keys']);
  });
});

describe('An issuer is asked no more than needed', () => {
  it('asks nothing before the first token', async () => {
    const issuer = await start();
    gate([issuer.url]);
    expect(issuer.requests.size).toBe(0);
  });

  it('asks once for 50 concurrent tokens, and not again while the keys are fresh', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => issuer.sign({ sub: `account ${i}` })));
    expect(new Set(await Promise.all(tokens.map((token) => outcome(by, token))))).toEqual(new Set(['caller']));
    expect(await outcome(by, await issuer.sign())).toBe('caller');
    expect([issuer.count(METADATA), issuer.count('/keys')]).toEqual([1, 1]);
  });

  it('takes a rotated key at once, with one request for 50 concurrent tokens that name it', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    const old = await issuer.sign({ sub: 'old' });
    expect(await outcome(by, await issuer.sign())).toBe('caller');
    await issuer.rotate('second');
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => issuer.sign({ sub: `account ${i}` })));
    expect(new Set(await Promise.all(tokens.map((token) => outcome(by, token))))).toEqual(new Set(['caller']));
    expect(issuer.count('/keys')).toBe(2);
    expect(await outcome(by, old)).toBe('key-unknown');
  });

  it('asks for made-up key names once in 30 seconds', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    const stray = async (kid: string) => outcome(by, await issuer.sign(lasting(), { kid }));
    expect(await outcome(by, await issuer.sign())).toBe('caller');
    for (let i = 0; i < 10; i += 1) expect(await stray(`made up ${i}`)).toBe('key-unknown');
    expect(issuer.count('/keys')).toBe(2);
    later = 31_000;
    for (let i = 0; i < 10; i += 1) expect(await stray(`made up ${i}`)).toBe('key-unknown');
    expect(issuer.count('/keys')).toBe(3);
  });

  it('asks again after ten minutes, so that a withdrawn key stops to count', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    const token = await issuer.sign(lasting());
    expect(await outcome(by, token)).toBe('caller');
    await issuer.rotate('second');
    later = 30_000;
    expect(await outcome(by, token)).toBe('caller'); // remembered
    later = 11 * 60_000;
    expect(await outcome(by, token)).toBe('key-unknown');
  });

  it('never fetches for a token that fails before its key is needed', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    await outcome(by, await issuer.sign({}, { typ: 'logout+jwt' }));
    expect(await outcome(by, await issuer.sign({}, { kid: 7 as unknown as string }))).toBe('key-unknown');
    await outcome(by, await issuer.sign({ iss: 'https://elsewhere.example' }));
    expect(issuer.requests.size).toBe(0);
  });
});

describe('An issuer that fails', () => {
  it('does not stop the tokens of another one', async () => {
    const [broken, good] = [await start(), await start()];
    broken.answers.set(METADATA, (_, res) => res.writeHead(500).end());
    const by = gate([broken.url, good.url]);
    const [lost, fine] = [await broken.sign(), await good.sign()];
    expect(await Promise.all([outcome(by, lost), outcome(by, fine)])).toEqual(['issuer-unreachable', 'caller']);
  });

  it('does not hold up the tokens of another one while it hangs', async () => {
    const [hanging, good] = [await start(), await start()];
    hanging.answers.set(METADATA, () => {});
    const by = gate([hanging.url, good.url], { fetchTimeoutMs: 150 });
    const lost = outcome(by, await hanging.sign());
    expect(await outcome(by, await good.sign())).toBe('caller');
    expect(await lost).toBe('issuer-unreachable');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('did not answer within 150 ms');
    expect(hanging.count(OPENID_METADATA)).toBe(0); // one time-out is enough
  });

  it('is left alone for a second, then two, and is taken back when it recovers', async () => {
    const issuer = await start();
    issuer.answers.set(METADATA, (_, res) => res.writeHead(503).end());
    const by = gate([issuer.url]);
    const token = await issuer.sign(lasting());
    const attempt = async (after: number) => {
      later += after;
      return [await outcome(by, token), issuer.count(METADATA)];
    };
    expect(await attempt(0)).toEqual(['issuer-unreachable', 1]);
    expect(await attempt(0)).toEqual(['issuer-unreachable', 1]);
    expect(await attempt(1_001)).toEqual(['issuer-unreachable', 2]);
    expect(await attempt(1_001)).toEqual(['issuer-unreachable', 2]);
    issuer.answers.delete(METADATA);
    expect(await attempt(1_001)).toEqual(['caller', 3]);
    expect(warnings).toHaveLength(2);
  });

  it('keeps its former keys for an hour, and not longer', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    expect(await outcome(by, await issuer.sign())).toBe('caller');
    issuer.answers.set('/keys', (_, res) => res.writeHead(500).end());
    later = 30 * 60_000;
    expect(await outcome(by, await issuer.sign(lasting()))).toBe('caller');
    later = 61 * 60_000;
    expect(await outcome(by, await issuer.sign(lasting()))).toBe('issuer-unreachable');
  });

  it.each([
    ['sends no JSON', '<html>'],
    ['sends no key set', '{"keys":7}'],
    ['sends holes for keys', '{"keys":[null]}'],
    ['never ends', `{"keys":["${'x'.repeat(600_000)}"]}`],
  ])('and %s has no keys', async (_, text) => {
    const issuer = await start();
    issuer.answers.set('/keys', (_req, res) => res.end(text));
    expect(await outcome(gate([issuer.url]), await issuer.sign())).toBe('issuer-unreachable');
    expect(warnings).toHaveLength(1);
  });

  it('finds the keys again after they moved', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    expect(await outcome(by, await issuer.sign())).toBe('caller');
    issuer.answers.set('/keys', (_, res) => res.writeHead(410).end());
    issuer.answers.set(METADATA, (_, res) => json(res, { issuer: issuer.url, jwks_uri: `${issuer.url}/new` }));
    issuer.answers.set('/new', (_, res) => json(res, issuer.keySet));
    await issuer.rotate('second');
    expect(await outcome(by, await issuer.sign())).toBe('issuer-unreachable'); // the old place is asked once
    later = 31_000;
    expect(await outcome(by, await issuer.sign(lasting()))).toBe('caller');
  });
});

describe('A verified token is remembered', () => {
  it('for a minute, also when its key is withdrawn meanwhile', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    const token = await issuer.sign(lasting());
    expect(await outcome(by, token)).toBe('caller');
    await issuer.rotate('second');
    expect(await outcome(by, await issuer.sign())).toBe('caller'); // the first key is gone from here on
    later = 59_000;
    expect(await outcome(by, token)).toBe('caller');
    later = 61_000;
    expect(await outcome(by, token)).toBe('key-unknown');
  });

  it('never past its end', async () => {
    const issuer = await start();
    const by = gate([issuer.url]);
    const short = await issuer.sign({ exp: Math.floor(Date.now() / 1000) + 20 });
    expect(await outcome(by, short)).toBe('caller');
    later = 21_000;
    expect(await outcome(by, short)).toBe('expired');
  });

  it('for the audience that it was checked for, not for another gate', async () => {
    const issuer = await start();
    const by = createMcpAuthenticator({ issuers: [issuer.url] }, { environment: {} });
    const header = `Bearer ${await issuer.sign()}`;
    expect((await by.authenticate(header, RESOURCE)).kind).toBe('caller');
    expect(await by.authenticate(header, 'https://shop.example/admin')).toMatchObject({ reason: 'audience-other' });
    expect((await by.authenticate(header, RESOURCE)).kind).toBe('caller');
  });
});
