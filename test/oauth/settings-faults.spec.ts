/**
 * Settings that cannot be used stop the boot with a sentence that mends them (G1, G2).
 */
import { createMcpAuthenticator } from '../../src/oauth/authenticate.js';
import { authorizationServers, type McpAuthorizationSettings } from '../../src/oauth/settings.js';
import { authorizationFaults } from '../../src/oauth/settings-faults.js';

const issuers = ['https://login.example'];
const environment = {};
const faultsOf = (settings: unknown, around = {}) => authorizationFaults(settings, { environment, ...around });

describe('Settings of authorization (G1)', () => {
  it('may be as little as an issuer, or as much as this', () => {
    const all: McpAuthorizationSettings = {
      issuers: [
        'https://login.example/',
        'http://localhost:9000',
        {
          issuer: 'https://other.example/realms/shop',
          jwksUri: 'https://other.example/keys',
          algorithms: ['ES256'],
          tokenTypes: ['at+jwt'],
          introspection: { clientId: 'gate', clientSecret: 'secret' },
        },
        { issuer: 'https://fixed.example', jwks: { keys: [{ kty: 'RSA', n: 'n', e: 'AQAB' }] } },
      ],
      publicUrl: 'https://shop.example/api/mcp',
      audience: 'api://shop',
      anonymous: true,
      roles: { 'shop:admin': ['admin'] },
      scopeHierarchy: { 'shop:write': ['shop:read'] },
      verifier: { verify: () => undefined },
      ownKeys: { keys: [] },
      isRevoked: () => false,
      isAccountActive: () => true,
      clockToleranceSec: 0,
      fetchTimeoutMs: 1_000,
    };
    expect(faultsOf(all, { allowRemote: true })).toEqual([]);
    expect(faultsOf({ issuers })).toEqual([]);
    expect(authorizationServers(all)).toEqual([
      'https://login.example/',
      'http://localhost:9000',
      'https://other.example/realms/shop',
      'https://fixed.example',
    ]);
  });

  it.each<[unknown, string]>([
    [7, '"authorization" must be an object'],
    [{}, 'takes tokens from nobody'],
    [{ issuers: [] }, 'takes tokens from nobody'],
    [{ issuers: 'https://login.example' }, '"authorization.issuers" must be an array'],
    [{ issuers: ['login.example'] }, '"authorization.issuers[0].issuer" must be an absolute URL'],
    [{ issuers: ['http://login.example'] }, 'must be an https URL'],
    [{ issuers: ['https://user:pw@login.example'] }, 'must not carry a user'],
    [{ issuers: ['https://login.example/?a'] }, 'must not carry a query'],
    [{ issuers: ['https://login.example/#a'] }, 'must not carry a fragment'],
    [{ issuers: [...issuers, { issuer: 'https://login.example' }] }, 'names "https://login.example" twice'],
    [{ issuers: [null] }, '"authorization.issuers[0]" must be'],
    [{ issuers: [{ issuer: 'https://a.example', jwkUri: 'x' }] }, '"authorization.issuers[0].jwkUri" is not a setting'],
    [
      { issuers: [{ issuer: 'https://a.example', jwksUri: 'http://a.example' }] },
      'issuers[0].jwksUri" must be an https',
    ],
    [
      { issuers: [{ issuer: 'https://a.example', algorithms: ['HS256'] }] },
      '"none" and symmetric algorithms are never',
    ],
    [{ issuers: [{ issuer: 'https://a.example', algorithms: ['none'] }] }, '"none" and symmetric algorithms are never'],
    [{ issuers: [{ issuer: 'https://a.example', algorithms: [] }] }, 'algorithms" must be an array'],
    [{ issuers: [{ issuer: 'https://a.example', tokenTypes: [''] }] }, 'tokenTypes" must be an array of texts'],
    [{ issuers: [{ issuer: 'https://a.example', introspection: true }] }, 'an object with clientId'],
    [
      { issuers: [{ issuer: 'https://a.example', introspection: { clientId: 'a' } }] },
      'introspection.clientSecret" must be',
    ],
    [{ issuers: [{ issuer: 'https://a.example', jwks: { keys: [{ kty: 'oct' }] } }] }, 'holds a key at 0'],
    [
      { issuers: [{ issuer: 'https://a.example', jwks: { keys: [] }, jwksUri: 'https://a.example' }] },
      'has both "jwks"',
    ],
    [{ issuers, publicUrl: '/api/mcp' }, '"authorization.publicUrl" must be an absolute URL'],
    [{ issuers, publicUrl: 'https://Shop.example:443/mcp' }, 'canonical form, "https://shop.example/mcp"'],
    [{ issuers, publicUrl: 'https://shop.example/mcp?a=b' }, 'must not carry a query'],
    [{ issuers, audience: '' }, '"authorization.audience" must be a text'],
    [{ issuers, anonymous: 'yes' }, '"authorization.anonymous" must be true or false'],
    [{ issuers, roles: ['admin'] }, '"authorization.roles" must be an object'],
    [{ issuers, roles: { 'shop:admin': 'admin' } }, '"authorization.roles" of "shop:admin" must be an array'],
    [{ issuers, roles: { 'a b': ['admin'] } }, 'names "a b", which is not a scope'],
    [{ issuers, scopeHierarchy: { a: ['b c'] } }, '"authorization.scopeHierarchy" of "a" must be an array'],
    [{ issuers, verifier: () => undefined }, 'an object with a method verify'],
    [{ issuers, verifier: null }, 'an object with a method verify'],
    [{ issuers, ownKeys: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, '"authorization.ownKeys" holds a key at 0'],
    [{ issuers, isRevoked: true }, '"authorization.isRevoked" must be a function'],
    [{ issuers, isAccountActive: 'yes' }, '"authorization.isAccountActive" must be a function'],
    [{ issuers, clockToleranceSec: 301 }, 'seconds from 0 to 300'],
    [{ issuers, fetchTimeoutMs: 0 }, 'milliseconds from 1 to 60000'],
  ])('%j: %s', (settings, message) => {
    expect(faultsOf(settings).join('\n')).toContain(message);
    expect(() => createMcpAuthenticator(settings as McpAuthorizationSettings, { environment })).toThrow(TypeError);
  });

  it('takes the key set of the environment for a source of tokens, and never quotes it', () => {
    expect(faultsOf({}, { environment: { MCP_JWKS: '{"keys":[]}' } })).toEqual([]);
    expect(faultsOf({}, { environment: { MCP_JWKS: '' } })[0]).toContain('takes tokens from nobody');
    for (const text of ['{"d":"secret"', '{"keys":[{"kty":"oct","k":"secret"}]}', '"secret"']) {
      const [fault] = faultsOf({}, { environment: { MCP_JWKS: text } });
      expect(fault).toContain('MCP_JWKS');
      expect(fault).not.toContain('secret');
    }
  });

  it('must name the URI of a gate that others reach: a Host header is the client’s choice', () => {
    expect(faultsOf({ issuers }, { allowRemote: true }).join()).toContain('needs "publicUrl"');
    expect(faultsOf({ issuers, publicUrl: 'https://shop.example/mcp' }, { allowRemote: true })).toEqual([]);
    expect(faultsOf({ issuers, audience: 'api://shop' }, { allowRemote: true })).toEqual([]);
    expect(faultsOf({ issuers }, { allowRemote: true, allowedHosts: ['shop.example'] })).toEqual([]);
    expect(faultsOf({ issuers }, { allowRemote: true, allowedHosts: [] })).toHaveLength(1);
  });

  it('name every fault at once', () => {
    expect(faultsOf({ issuers: ['x'], audience: 7, anonymous: 1 })).toHaveLength(3);
  });
});
