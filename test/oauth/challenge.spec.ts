/**
 * Challenges and the document that they point to (A4, A7).
 */
import * as fc from 'fast-check';
import { bearerChallenge } from '../../src/oauth/challenge.js';
import {
  protectedResourceDocument,
  protectedResourceMetadataUrl,
  protectedResourcePath,
} from '../../src/oauth/protected-resource.js';

const resourceMetadata = 'https://shop.example/.well-known/oauth-protected-resource/api/mcp';

describe('A challenge (A4, A7)', () => {
  it('says where to find out more, and no error to a stranger', () => {
    expect(bearerChallenge({ resourceMetadata, scope: ['shop:read'] })).toBe(
      `Bearer scope="shop:read", resource_metadata="${resourceMetadata}"`,
    );
    expect(bearerChallenge({ resourceMetadata })).toBe(`Bearer resource_metadata="${resourceMetadata}"`);
  });

  it('names all scopes of an operation at once, each once, and never offline_access', () => {
    const challenge = bearerChallenge({
      error: 'insufficient_scope',
      errorDescription: 'Publishing needs more.',
      scope: ['shop:write', 'shop:read', 'shop:write', 'offline_access'],
      resourceMetadata,
    });
    expect(challenge).toBe(
      'Bearer error="insufficient_scope", error_description="Publishing needs more.", ' +
        `scope="shop:write shop:read", resource_metadata="${resourceMetadata}"`,
    );
  });

  it('cannot be broken out of', () => {
    const challenge = bearerChallenge({
      error: 'x", realm="y',
      errorDescription: 'say "hi" \\ twice\r\nSet-Cookie: a=b\u0000 é 日本',
      scope: ['a b', 'a"b', 'a\\b', '', 'ok', 'é', 'x\r\ny'],
      resourceMetadata: 'https://shop.example/"\\\r\né',
    });
    expect(challenge).toBe(
      `Bearer error="x', realm='y", error_description="say 'hi' / twice Set-Cookie: a=b", ` +
        'scope="ok", resource_metadata="https://shop.example/\\"\\\\"',
    );
  });

  it('is a valid header whatever it is made of', () => {
    const text = fc.string({ unit: 'binary' });
    const quoted = '"(?:[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]|\\\\["\\\\])+"';
    const parameter = `[a-z_]+=${quoted}`;
    const grammar = new RegExp(`^Bearer(?: ${parameter}(?:, ${parameter})*)?$`);
    fc.assert(
      fc.property(text, text, fc.array(text), text, (error, errorDescription, scope, resourceMetadata) => {
        expect(bearerChallenge({ error, errorDescription, scope, resourceMetadata })).toMatch(grammar);
      }),
      { seed: 9728, numRuns: 1_000 },
    );
  });
});

describe('The document of a protected resource (A7, RFC 9728)', () => {
  it('carries the resource to the byte and the scopes sorted, each once, without offline_access', () => {
    const document = protectedResourceDocument({
      resource: 'https://shop.example/api/mcp',
      authorizationServers: ['https://login.example/'],
      scopes: ['shop:write', 'shop:read', 'offline_access', 'shop:write'],
      name: 'shop',
    });
    expect(document).toEqual({
      resource: 'https://shop.example/api/mcp',
      authorization_servers: ['https://login.example/'],
      scopes_supported: ['shop:read', 'shop:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'shop',
    });
  });

  it('leaves out what has no value (section 3.2)', () => {
    const document = protectedResourceDocument({ resource: 'https://a.example', authorizationServers: [], scopes: [] });
    expect(document).toEqual({ resource: 'https://a.example', bearer_methods_supported: ['header'] });
  });

  it.each([
    ['/api/mcp', '/.well-known/oauth-protected-resource/api/mcp'],
    ['/mcp/', '/.well-known/oauth-protected-resource/mcp'],
    ['/', '/.well-known/oauth-protected-resource'],
    ['', '/.well-known/oauth-protected-resource'],
  ])('of the gate at %j stands at %s', (path, place) => {
    expect(protectedResourcePath(path)).toBe(place);
  });

  it.each([
    ['https://a.example', 'https://a.example/.well-known/oauth-protected-resource'],
    ['https://a.example/', 'https://a.example/.well-known/oauth-protected-resource'],
    ['https://a.example:8443/v1/mcp', 'https://a.example:8443/.well-known/oauth-protected-resource/v1/mcp'],
    ['https://a.example/?k=v', 'https://a.example/.well-known/oauth-protected-resource?k=v'],
    ['https://a.example/mcp?k=v', 'https://a.example/.well-known/oauth-protected-resource/mcp?k=v'],
  ])('of %s is found at %s (section 3.1)', (resource, url) => {
    expect(protectedResourceMetadataUrl(resource)).toBe(url);
  });

  it('cannot be had for what is no URL', () => {
    expect(() => protectedResourceMetadataUrl('shop')).toThrow('"shop" is not the URL of a gate');
    expect(() => protectedResourceMetadataUrl('urn:shop')).toThrow('"urn:shop" is not the URL of a gate');
  });
});
