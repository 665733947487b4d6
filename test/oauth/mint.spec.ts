/**
 * Tokens that the application signs itself (A9, A11).
 */
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import { createMcpAuthenticator } from '../../src/oauth/authenticate.js';
import { publicKeySet } from '../../src/oauth/key-set.js';
import { generateMcpKeys, mintMcpToken } from '../../src/oauth/mint.js';
import type { McpAuthorizationSettings } from '../../src/oauth/settings.js';
import { MCP_OWN_ISSUER } from '../../src/oauth/trusted-issuer.js';
import { RESOURCE } from './local-issuer.js';

let key: JSONWebKeySet;
const request = () => ({ key, account: 'ada', resource: RESOURCE, scopes: ['shop:read'], ttlSec: 60 });

beforeAll(async () => {
  key = await generateMcpKeys();
});

async function outcome(token: string, settings: McpAuthorizationSettings, environment = {}): Promise<string> {
  const by = createMcpAuthenticator({ publicUrl: RESOURCE, ...settings }, { environment });
  const answer = await by.authenticate(`Bearer ${token}`, RESOURCE);
  return answer.kind === 'rejected' ? answer.reason : answer.kind;
}

describe('A minted token (A11)', () => {
  it('is shaped after RFC 9068', async () => {
    const token = await mintMcpToken({ ...request(), scopes: ['a', 'b', 'a'], clientId: 'desk' });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: key.keys[0]!.kid });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ iss: MCP_OWN_ISSUER, sub: 'ada', aud: RESOURCE, scope: 'a b', client_id: 'desk' });
    expect(claims.exp! - claims.iat!).toBe(60);
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('passes a gate that has the keys, private or public, by settings or by MCP_JWKS, without an issuer', async () => {
    const token = await mintMcpToken(request());
    expect(await outcome(token, { ownKeys: key })).toBe('caller');
    expect(await outcome(token, { ownKeys: publicKeySet(key) })).toBe('caller');
    expect(await outcome(token, {}, { MCP_JWKS: JSON.stringify(key) })).toBe('caller');
    expect(await outcome(token, { issuers: ['https://login.example'] }, { MCP_JWKS: JSON.stringify(key) })).toBe(
      'caller',
    );
  });

  it('does not pass without them, with others, or where the settings say none', async () => {
    const token = await mintMcpToken(request());
    const issuers = ['https://login.example'];
    expect(await outcome(token, { issuers })).toBe('issuer-unknown');
    expect(await outcome(token, { ownKeys: await generateMcpKeys() })).toBe('key-unknown');
    expect(await outcome(token, { issuers, ownKeys: { keys: [] } }, { MCP_JWKS: JSON.stringify(key) })).toBe(
      'key-unknown',
    );
  });

  it('passes the gate that it was minted for only, and must say that it is an access token', async () => {
    expect(await outcome(await mintMcpToken({ ...request(), resource: `${RESOURCE}2` }), { ownKeys: key })).toBe(
      'audience-other',
    );
    const pair = await generateKeyPair('ES256', { extractable: true });
    const own = { keys: [await exportJWK(pair.publicKey)] };
    const token = await new SignJWT({ sub: 'ada', aud: RESOURCE, iss: MCP_OWN_ISSUER })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setExpirationTime('1m')
      .sign(pair.privateKey);
    expect(await outcome(token, { ownKeys: own })).toBe('type-refused');
  });

  it.each(['RS256', 'ES384', 'EdDSA'])('may be signed with a key for %s that does not say so', async (algorithm) => {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const other = { keys: [await exportJWK(privateKey)] };
    expect(await outcome(await mintMcpToken({ ...request(), key: other }), { ownKeys: other })).toBe('caller');
  });

  it.each([
    ['an account', { account: ' ' }, 'needs an account'],
    ['a URL for the gate', { resource: '/mcp' }, '"/mcp" is not an absolute URL'],
    ['a lifetime', { ttlSec: 0 }, 'whole number of seconds'],
    ['scopes that are ones', { scopes: ['a b'] }, '"a b" is not a scope'],
    ['a private key', { key: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] } }, 'no private key'],
    ['a key set', { key: {} as JSONWebKeySet }, 'no private key'],
  ])('needs %s', async (_, change, message) => {
    await expect(mintMcpToken({ ...request(), ...change })).rejects.toThrow(message);
  });
});

it('Public parts are all that a gate keeps of a private key', () => {
  const [kept] = publicKeySet(key).keys;
  expect(Object.keys(kept!).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  const ops = (...key_ops: string[]) => publicKeySet({ keys: [{ kty: 'EC', key_ops }] }).keys.length;
  expect([ops('sign'), ops('verify'), ops('encrypt')]).toEqual([1, 1, 0]);
});
