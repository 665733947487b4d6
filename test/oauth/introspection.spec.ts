/**
 * Opaque tokens are asked about (RFC 7662), and the application's verifier is asked first (A9).
 */
import { createMcpAuthenticator, type McpAuthenticator } from '../../src/oauth/authenticate.js';
import type { McpAuthorizationSettings, McpTokenVerifier } from '../../src/oauth/settings.js';
import { forge, json, LocalIssuer, METADATA, RESOURCE } from './local-issuer.js';
import { alsoRead } from '../support/written.js';

const CLIENT = { clientId: 'the gate', clientSecret: 's&cret:ü' };
let issuer: LocalIssuer;
let warnings: string[] = [];
let later = 0;

beforeEach(async () => {
  warnings = [];
  later = 0;
  issuer = await LocalIssuer.start();
});
afterEach(() => issuer.stop());

function gate(settings: McpAuthorizationSettings = {}): McpAuthenticator {
  return createMcpAuthenticator(
    {
      issuers: [{ issuer: issuer.url, introspection: CLIENT }],
      publicUrl: RESOURCE,
      clockToleranceSec: 0,
      ...settings,
    },
    {
      log: { warn: (message) => (warnings.push(message), alsoRead(message)) },
      now: () => Date.now() + later,
      environment: {},
    },
  );
}

async function outcome(by: McpAuthenticator, token: string): Promise<string> {
  const answer = await by.authenticate(`Bearer ${token}`, RESOURCE);
  return answer.kind === 'rejected' ? answer.reason : answer.kind;
}

const now = () => Math.floor(Date.now() / 1000);
const active = (claims: Record<string, unknown> = {}) => ({
  active: true,
  sub: 'ada',
  aud: RESOURCE,
  scope: 'shop:read',
  client_id: 'agent',
  exp: now() + 300,
  ...claims,
});

describe('An opaque token', () => {
  it('is what its issuer says, asked by POST with Basic and a form-encoded secret', async () => {
    issuer.opaque.set('abc', active({ token_type: 'Bearer', iss: issuer.url }));
    const answer = await gate().authenticate('Bearer abc', RESOURCE);
    expect(answer).toMatchObject({ caller: { subject: 'ada', clientId: 'agent', scopes: ['shop:read'] } });
    const [sent] = issuer.authorizations;
    expect(Buffer.from(sent!.slice('Basic '.length), 'base64').toString()).toBe('the+gate:s%26cret%3A%C3%BC');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['not active', { active: false }, 'inactive'],
    ['"true" instead of true', { active: 'true' }, 'inactive'],
    ['for another gate', { aud: 'https://other.example' }, 'audience-other'],
    ['for nobody in particular', { aud: undefined }, 'audience-other'],
    ['of another issuer', { iss: 'https://other.example' }, 'issuer-unknown'],
    ['expired', { exp: now() - 60 }, 'expired'],
    ['not yet valid', { nbf: now() + 60 }, 'not-yet-valid'],
    ['without a subject', { sub: undefined }, 'subject-missing'],
    ['a DPoP token', { token_type: 'DPoP' }, 'type-refused'],
    ['a refresh token', { token_type: 'refresh_token' }, 'type-refused'],
  ])('that is %s is refused', async (_, claims, reason) => {
    issuer.opaque.set('abc', active(claims));
    expect(await outcome(gate(), 'abc')).toBe(reason);
  });

  it('may come without an end', async () => {
    issuer.opaque.set('abc', active({ exp: undefined }));
    const answer = await gate().authenticate('Bearer abc', RESOURCE);
    expect(answer.kind === 'caller' && answer.caller.expiresAt).toBeUndefined();
    expect(answer.kind).toBe('caller');
  });

  it('is asked about once in 30 seconds, and once for concurrent requests', async () => {
    issuer.opaque.set('abc', active());
    const by = gate();
    await Promise.all(Array.from({ length: 20 }, () => outcome(by, 'abc')));
    expect(await outcome(by, 'abc')).toBe('caller');
    expect(issuer.count('/introspect')).toBe(1);
    issuer.opaque.set('abc', { active: false });
    later = 29_000;
    expect(await outcome(by, 'abc')).toBe('caller');
    later = 31_000;
    expect(await outcome(by, 'abc')).toBe('inactive');
  });

  it('is kept no longer than it lives', async () => {
    issuer.opaque.set('abc', active({ exp: now() + 10 }));
    const by = gate();
    expect(await outcome(by, 'abc')).toBe('caller');
    issuer.opaque.set('abc', { active: false });
    later = 11_000;
    expect(await outcome(by, 'abc')).toBe('inactive');
    expect(issuer.count('/introspect')).toBe(2);
  });

  it('that is refused is not asked about again for ten seconds', async () => {
    const by = gate();
    expect(await outcome(by, 'abc')).toBe('inactive');
    expect(await outcome(by, 'abc')).toBe('inactive');
    expect(issuer.count('/introspect')).toBe(1);
    issuer.opaque.set('abc', active());
    later = 11_000;
    expect(await outcome(by, 'abc')).toBe('caller');
  });

  it('is refused when the issuer cannot be asked, and never let through', async () => {
    issuer.opaque.set('abc', active());
    for (const [status, text] of [
      [500, ''],
      [401, ''],
      [200, 'no JSON'],
      [302, ''],
    ] as const) {
      issuer.answers.set('/introspect', (_, res) => res.writeHead(status, { location: '/elsewhere' }).end(text));
      expect(await outcome(gate(), 'abc')).toBe('issuer-unreachable');
    }
    expect(issuer.count('/elsewhere')).toBe(0);
    await issuer.stop();
    expect(await outcome(gate(), 'abc')).toBe('issuer-unreachable');
    expect(warnings).toHaveLength(5);
    expect(warnings.join()).not.toContain('abc');
    expect(warnings.join()).not.toContain('cret');
    issuer = await LocalIssuer.start();
  });

  it('asks a failing issuer again after a second only', async () => {
    issuer.answers.set('/introspect', (_, res) => res.writeHead(500).end());
    const by = gate();
    expect(await outcome(by, 'abc')).toBe('issuer-unreachable');
    expect(await outcome(by, 'def')).toBe('issuer-unreachable');
    expect(issuer.count('/introspect')).toBe(1);
    later = 1_001;
    expect(await outcome(by, 'def')).toBe('issuer-unreachable');
    expect(issuer.count('/introspect')).toBe(2);
  });

  it.each([400, 413, 414, 422])(
    'that the issuer itself finds fault with (%p) is refused and told of once a second, and no other has to wait for it',
    async (status) => {
      issuer.opaque.set('abc', active());
      issuer.answers.set('/introspect', (_, res) => res.writeHead(status).end());
      const by = gate();
      expect(await outcome(by, 'odd')).toBe('issuer-unreachable');
      expect(await outcome(by, 'odder')).toBe('issuer-unreachable');
      expect(issuer.count('/introspect')).toBe(2);
      expect(warnings).toEqual([expect.stringContaining('The token is refused; others are asked about.')]);
      later = 1_001;
      expect(await outcome(by, 'oddest')).toBe('issuer-unreachable');
      expect(warnings).toHaveLength(2);
      issuer.answers.delete('/introspect');
      expect(await outcome(by, 'abc')).toBe('caller');
    },
  );

  it('says how to mend an issuer whose metadata has no endpoint', async () => {
    issuer.answers.set(METADATA, (_, res) => json(res, { issuer: issuer.url }));
    expect(await outcome(gate(), 'abc')).toBe('issuer-unreachable');
    expect(warnings[0]).toContain('set introspection.endpoint');
  });

  it('goes to the next issuer when one fails or does not know it', async () => {
    const second = await LocalIssuer.start();
    try {
      second.opaque.set('abc', active());
      issuer.answers.set('/introspect', (_, res) => res.writeHead(500).end());
      const issuers = [issuer, second].map(({ url }) => ({ issuer: url, introspection: CLIENT }));
      expect(await outcome(gate({ issuers }), 'abc')).toBe('caller');
      issuer.answers.delete('/introspect');
      expect(await outcome(gate({ issuers }), 'abc')).toBe('caller');
    } finally {
      await second.stop();
    }
  });

  it('is the only kind that is introspected: a JWT is verified by keys', async () => {
    const by = gate();
    expect(await outcome(by, await issuer.sign())).toBe('caller');
    expect(await outcome(by, await issuer.sign({ iss: 'https://elsewhere.example' }))).toBe('issuer-unknown');
    expect(issuer.count('/introspect')).toBe(0);
  });
});

describe("The application's verifier", () => {
  const vouches = (claims: Record<string, unknown> | undefined): McpTokenVerifier => ({ verify: () => claims });

  it('is asked before any issuer, told the audience, and sends the token nowhere', async () => {
    const asked: unknown[] = [];
    const verifier: McpTokenVerifier = { verify: async (...args) => (asked.push(args), { sub: 'key 7', scope: 'a' }) };
    expect(await gate({ verifier }).authenticate('Bearer abc', 'http://chosen.example/by-host')).toMatchObject({
      caller: { subject: 'key 7' },
    });
    expect(asked).toEqual([['abc', RESOURCE]]);
    expect(issuer.requests.size).toBe(0);
  });

  it('is asked about a JWT of an unknown issuer, symmetric ones included', async () => {
    const token = forge({ alg: 'HS256' }, { iss: 'legacy' }, 'AA');
    expect(await outcome(gate({ verifier: vouches({ sub: 'ada' }) }), token)).toBe('caller');
    expect(await outcome(gate({ verifier: vouches(undefined) }), token)).toBe('issuer-unknown');
  });

  it('is never asked about a token that an issuer refused', async () => {
    const token = await issuer.sign({ exp: now() - 60 });
    expect(await outcome(gate({ verifier: vouches({ sub: 'ada' }) }), token)).toBe('expired');
    const forged = (await issuer.sign()).slice(0, -8);
    expect(await outcome(gate({ verifier: vouches({ sub: 'ada' }) }), forged)).toBe('signature-invalid');
  });

  it('leaves to the issuers what it does not know', async () => {
    issuer.opaque.set('abc', active());
    expect(await outcome(gate({ verifier: vouches(undefined) }), 'abc')).toBe('caller');
  });

  it('that throws or gives no claims refuses, and its message is not logged: it may quote the token', async () => {
    const verify = (token: string) => Promise.reject(new RangeError(`bad token ${token}`));
    expect(await outcome(gate({ verifier: { verify } }), 'abc')).toBe('verifier-refused');
    expect(await outcome(gate({ verifier: { verify: () => true as never } }), 'abc')).toBe('verifier-refused');
    expect(await outcome(gate({ verifier: { verify: () => null as never } }), 'abc')).toBe('verifier-refused');
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toContain('threw RangeError');
    expect(warnings.join()).not.toContain('abc');
    expect(issuer.requests.size).toBe(0);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an end that has passed', { exp: now() - 1 }, 'expired'],
    ['an end that is no time', { exp: 'soon' }, 'expiry-missing'],
    ['another audience', { aud: 'https://other.example' }, 'audience-other'],
    ['no subject', { sub: undefined }, 'subject-missing'],
  ])('is held to what it says: %s', async (_, claims, reason) => {
    expect(await outcome(gate({ verifier: vouches({ sub: 'ada', ...claims }) }), 'abc')).toBe(reason);
  });
});
