/**
 * One token per fault that a check exists for (A9): everything else about it is right, so that the check alone refuses it.
 */
import { createHmac } from 'node:crypto';
import { type CryptoKey, exportSPKI, importJWK, SignJWT } from 'jose';
import { createMcpAuthenticator, type McpAuthenticator } from '../../src/oauth/authenticate.js';
import type { McpAuthorizationSettings } from '../../src/oauth/settings.js';
import { forge, LocalIssuer, RESOURCE } from './local-issuer.js';

let issuer: LocalIssuer;
let other: LocalIssuer;
let authenticator: McpAuthenticator;
const environment = {};

beforeAll(async () => {
  [issuer, other] = await Promise.all([LocalIssuer.start('', 'RS256'), LocalIssuer.start('', 'RS256')]);
  authenticator = gate();
});
afterAll(() => Promise.all([issuer.stop(), other.stop()]));

function gate(settings: McpAuthorizationSettings = {}): McpAuthenticator {
  return createMcpAuthenticator(
    { issuers: [issuer.url, other.url], publicUrl: RESOURCE, ...settings },
    { environment },
  );
}

async function outcome(token: string, by = authenticator): Promise<string> {
  const answer = await by.authenticate(`Bearer ${token}`, RESOURCE);
  return answer.kind === 'rejected' ? answer.reason : answer.kind;
}

const now = () => Math.floor(Date.now() / 1000);
const goodClaims = () => ({ iss: issuer.url, aud: RESOURCE, sub: 'ada', iat: now(), exp: now() + 300 });

describe('A token without a fault (A9)', () => {
  it('establishes its caller', async () => {
    const token = await issuer.sign({ scope: 'shop:read shop:write', client_id: 'agent' });
    const answer = await authenticator.authenticate(`Bearer ${token}`, RESOURCE);
    expect(answer).toMatchObject({
      kind: 'caller',
      caller: {
        authenticated: true,
        subject: 'ada',
        clientId: 'agent',
        scopes: ['shop:read', 'shop:write'],
        roles: [],
      },
    });
    expect(Object.isFrozen(answer.kind === 'caller' && answer.caller)).toBe(true);
  });

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', undefined])('may have the typ %s', async (typ) => {
    expect(await outcome(await issuer.sign({}, { typ }))).toBe('caller');
  });

  it('may have several audiences, if the gate is one of them to the byte', async () => {
    expect(await outcome(await issuer.sign({ aud: ['https://other.example', RESOURCE] }))).toBe('caller');
    expect(await outcome(await issuer.sign({ aud: ['https://other.example', `${RESOURCE}/`] }))).toBe('audience-other');
  });

  it('may be past its end or ahead of its time by the clock tolerance, and no more', async () => {
    expect(await outcome(await issuer.sign({ exp: now() - 20 }))).toBe('caller');
    expect(await outcome(await issuer.sign({ nbf: now() + 20, iat: now() + 20 }))).toBe('caller');
    expect(await outcome(await issuer.sign({ exp: now() - 20 }), gate({ clockToleranceSec: 5 }))).toBe('expired');
  });
});

describe('A forged or misused token is refused (A9)', () => {
  it('alg none, whatever the case, even when a verifier would take it', async () => {
    const credulous = gate({ verifier: { verify: () => ({ sub: 'ada' }) } });
    for (const alg of ['none', 'None', 'NONE']) {
      expect(await outcome(forge({ alg, typ: 'at+jwt' }, goodClaims()))).toBe('algorithm-refused');
      expect(await outcome(forge({ alg }, { sub: 'ada' }), credulous)).toBe('algorithm-refused');
    }
  });

  it('HS256 signed with the RSA public key of the issuer', async () => {
    const key = await importJWK(issuer.keys[0]!.publicJwk, 'RS256', { extractable: true });
    const pem = await exportSPKI(key as CryptoKey);
    for (const secret of [pem, pem.trim(), JSON.stringify(issuer.keySet.keys[0])]) {
      const unsigned = forge({ alg: 'HS256', typ: 'at+jwt', kid: 'first' }, goodClaims()).slice(0, -1);
      const signature = createHmac('sha256', secret).update(unsigned).digest('base64url');
      expect(await outcome(`${unsigned}.${signature}`)).toBe('algorithm-refused');
    }
  });

  it('an algorithm that is not on the list of its issuer', async () => {
    const strict = gate({ issuers: [{ issuer: issuer.url, algorithms: ['ES256'] }] });
    expect(await outcome(await issuer.sign(), strict)).toBe('algorithm-refused');
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'Refresh', ''])('typ %j', async (typ) => {
    expect(await outcome(await issuer.sign({}, { typ }))).toBe('type-refused');
  });

  it('typ JWT or none, where the settings ask for RFC 9068 to the letter', async () => {
    const strict = gate({ issuers: [{ issuer: issuer.url, tokenTypes: ['application/at+jwt'] }] });
    expect(await outcome(await issuer.sign({}, { typ: 'JWT' }), strict)).toBe('type-refused');
    expect(await outcome(await issuer.sign({}, { typ: undefined }), strict)).toBe('type-refused');
    expect(await outcome(await issuer.sign(), strict)).toBe('caller');
  });

  it('a critical header that nobody here knows', async () => {
    const [, payload, signature] = (await issuer.sign()).split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'first', crit: ['b64'], b64: true }));
    expect(await outcome(`${header.toString('base64url')}.${payload}.${signature}`)).toBe('header-critical');
  });

  it('an issuer that is not configured, or differs by a slash', async () => {
    expect(await outcome(await issuer.sign({ iss: 'https://elsewhere.example' }))).toBe('issuer-unknown');
    expect(await outcome(await issuer.sign({ iss: `${issuer.url}/` }))).toBe('issuer-unknown');
    expect(await outcome(await issuer.sign({ iss: undefined }))).toBe('issuer-unknown');
    expect(await outcome(await issuer.sign({ iss: [issuer.url] }))).toBe('issuer-unknown');
  });

  it('the name of one configured issuer on a token of another one', async () => {
    expect(await outcome(await other.sign({ iss: issuer.url }))).toBe('signature-invalid'); // both call their key "first"
  });

  it("another gate's audience, none, or a part of the right one", async () => {
    for (const aud of [
      'https://shop.example/admin/mcp',
      undefined,
      'https://shop.example',
      `${RESOURCE}x`,
      [],
      [[RESOURCE]],
    ]) {
      expect(await outcome(await issuer.sign({ aud }))).toBe('audience-other');
    }
  });

  it('expired, without an end, or with one that is no time', async () => {
    expect(await outcome(await issuer.sign({ exp: now() - 31 }))).toBe('expired');
    expect(await outcome(await issuer.sign({ exp: undefined }))).toBe('expiry-missing');
    expect(await outcome(await issuer.sign({ exp: '9999999999' }))).toBe('expiry-missing');
  });

  it('not yet valid, or issued in the future', async () => {
    expect(await outcome(await issuer.sign({ nbf: now() + 40 }))).toBe('not-yet-valid');
    expect(await outcome(await issuer.sign({ iat: now() + 40 }))).toBe('issued-in-future');
    expect(await outcome(await issuer.sign({ nbf: 'tomorrow' }))).toBe('not-yet-valid');
  });

  it('without a subject', async () => {
    for (const sub of [undefined, '', 7, null])
      expect(await outcome(await issuer.sign({ sub }))).toBe('subject-missing');
  });

  it('a kid that the issuer does not have', async () => {
    expect(await outcome(await issuer.sign({}, { kid: 'made-up' }))).toBe('key-unknown');
  });

  it('its own key in jwk, or a pointer to one in jku and x5u: none of them is looked at', async () => {
    const thief = await LocalIssuer.start('', 'RS256');
    try {
      const brought = {
        jwk: thief.keySet.keys[0]!,
        jku: `${thief.url}/keys`,
        x5u: `${thief.url}/chain`,
        x5c: ['AA=='],
      };
      const good = await issuer.sign({}, brought);
      expect(await outcome(good)).toBe('caller'); // they do no harm either
      const stolen = await new SignJWT(goodClaims())
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'first', ...brought })
        .sign(thief.keys[0]!.privateKey);
      expect(await outcome(stolen)).toBe('signature-invalid');
      expect(thief.requests.size).toBe(0);
    } finally {
      await thief.stop();
    }
  });

  it('signature truncated, missing, or of other claims', async () => {
    const token = await issuer.sign();
    const [header, , signature] = token.split('.');
    const [, claims] = (await issuer.sign({ sub: 'root' })).split('.');
    expect(await outcome(token.slice(0, -4))).toBe('signature-invalid');
    expect(await outcome(`${token.split('.').slice(0, 2).join('.')}.`)).toBe('signature-invalid');
    expect(await outcome(`${header}.${claims}.${signature}`)).toBe('signature-invalid');
  });

  it('a payload that is no JSON object', async () => {
    const junk = Buffer.from('{"iss":').toString('base64url');
    const header = Buffer.from(JSON.stringify({ alg: 'RS256' })).toString('base64url');
    expect(await outcome(`${header}.${junk}.AA`)).toBe('token-undecodable');
    expect(await outcome(forge({ alg: 'RS256' }, ['iss'], 'AA'))).toBe('token-undecodable');
  });

  it('an opaque text, when nobody is there who could vouch for it', async () => {
    expect(await outcome('opaque')).toBe('token-unknown');
    expect(await outcome('a.b.c')).toBe('token-unknown');
    expect(await outcome('a.b.c.d.e')).toBe('token-unknown');
  });

  it('a key without kid only when one key of the issuer fits', async () => {
    const lone = await LocalIssuer.start();
    const several = await LocalIssuer.start();
    try {
      const [first] = several.keys;
      await several.rotate('second');
      several.keys = [first!, ...several.keys];
      const both = gate({ issuers: [lone.url, several.url] });
      expect(await outcome(await lone.sign({}, { kid: undefined }), both)).toBe('caller');
      expect(await outcome(await several.sign({}, { kid: undefined }), both)).toBe('key-ambiguous');
    } finally {
      await Promise.all([lone.stop(), several.stop()]);
    }
  });

  it('a key that the issuer publishes for encryption', async () => {
    const odd = await LocalIssuer.start();
    try {
      odd.answers.set('/keys', (_, res) =>
        res.end(JSON.stringify({ keys: odd.keySet.keys.map((key) => ({ ...key, use: 'enc' })) })),
      );
      expect(await outcome(await odd.sign(), gate({ issuers: [odd.url] }))).toBe('key-unknown');
    } finally {
      await odd.stop();
    }
  });

  it('an RSA key that is too short to trust', async () => {
    const { generateKeyPairSync, createSign } = await import('node:crypto');
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const jwks = { keys: [{ ...(publicKey.export({ format: 'jwk' }) as { kty: 'RSA' }), kid: 'short', alg: 'RS256' }] };
    const unsigned = forge({ alg: 'RS256', kid: 'short' }, { ...goodClaims(), iss: 'https://short.example' }).slice(
      0,
      -1,
    );
    const signature = createSign('sha256').update(unsigned).sign(privateKey, 'base64url');
    const weak = gate({ issuers: [{ issuer: 'https://short.example', jwks }] });
    expect(await outcome(`${unsigned}.${signature}`, weak)).toBe('signature-invalid');
  });
});

describe('The audience of a gate (A9)', () => {
  it('is what the settings say: audience before publicUrl, and never the URI of the request beside one of them', async () => {
    const api = await issuer.sign({ aud: 'api://shop' });
    const url = await issuer.sign();
    const attempt = async (settings: McpAuthorizationSettings, token: string) => {
      const answer = await gate(settings).authenticate(`Bearer ${token}`, 'api://shop');
      return answer.kind === 'rejected' ? answer.reason : answer.kind;
    };
    expect(await attempt({ publicUrl: RESOURCE }, api)).toBe('audience-other');
    expect(await attempt({ publicUrl: RESOURCE }, url)).toBe('caller');
    expect(await attempt({ audience: RESOURCE, publicUrl: 'https://shop.example/x' }, url)).toBe('caller');
    expect(await attempt({ publicUrl: undefined }, api)).toBe('caller');
  });
});

describe('The application decides last, for every request (A9)', () => {
  it('asks isRevoked and then isAccountActive each time, remembered or not', async () => {
    const asked: string[] = [];
    const state = { revoked: false, active: true };
    const by = gate({
      isRevoked: ({ jti }) => (asked.push(`revoked ${String(jti)}`), state.revoked),
      isAccountActive: async (subject) => (asked.push(`active ${subject}`), Promise.resolve(state.active)),
    });
    const token = await issuer.sign({ jti: 'one' });
    expect(await outcome(token, by)).toBe('caller');
    expect(await outcome(token, by)).toBe('caller');
    expect(asked).toEqual(['revoked one', 'active ada', 'revoked one', 'active ada']);
    state.active = false;
    expect(await outcome(token, by)).toBe('account-inactive');
    state.revoked = true;
    expect(await outcome(token, by)).toBe('revoked');
    Object.assign(state, { revoked: false, active: true });
    expect(await outcome(token, by)).toBe('caller');
  });

  it('refuses when a hook throws, rejects or forgets to answer', async () => {
    const token = await issuer.sign();
    const none = () => undefined as unknown as boolean;
    const broken = () => Promise.reject(new Error('the database is down'));
    expect(await outcome(token, gate({ isRevoked: none }))).toBe('revocation-unknown');
    expect(await outcome(token, gate({ isRevoked: broken }))).toBe('revocation-unknown');
    expect(await outcome(token, gate({ isAccountActive: none }))).toBe('account-unknown');
    expect(
      await outcome(
        token,
        gate({
          isAccountActive: () => {
            throw new Error('the database is down');
          },
        }),
      ),
    ).toBe('account-unknown');
  });

  it('is not asked about a token that is refused already', async () => {
    let asked = 0;
    const by = gate({ isRevoked: () => (asked++, false), isAccountActive: () => (asked++, true) });
    expect(await outcome(await issuer.sign({ exp: now() - 60 }), by)).toBe('expired');
    expect(asked).toBe(0);
  });

  it('hands out claims that nobody can write into', async () => {
    const by = gate({
      isRevoked: (claims) => {
        (claims['realm_access'] as { roles: string[] }).roles.push('admin');
        return false;
      },
    });
    expect(await outcome(await issuer.sign({ realm_access: { roles: [] } }), by)).toBe('revocation-unknown');
  });
});

it('EdDSA and ES256 keys verify too', async () => {
  for (const algorithm of ['ES256', 'EdDSA', 'PS256']) {
    const modern = await LocalIssuer.start();
    try {
      await modern.rotate('modern', algorithm);
      expect(await outcome(await modern.sign(), gate({ issuers: [modern.url] }))).toBe('caller');
    } finally {
      await modern.stop();
    }
  }
});
