/**
 * The authorization server's rules: authorization code with PKCE, clients that register themselves, and access tokens
 * that are JWTs for ONE gate (ES256, `at+jwt`, RFC 9068) with the scopes that the user allowed.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Context, errors, interactionPolicy, Provider } from 'oidc-provider';
import { faultPage } from './consent.page.js';
import { memoryAdapters } from './memory.adapter.js';
import { SCOPES } from './users.js';

const HOUR = 3_600;
const ALG = 'ES256';

/** A provider of tokens for the gates that `isGate` knows. Its keys live as long as it does. */
export function createProvider(issuer: string, isGate: (resource: string) => boolean): Provider {
  return new Provider(issuer, {
    adapter: memoryAdapters(),
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clientDefaults: { id_token_signed_response_alg: ALG },
    responseTypes: ['code'],
    pkce: { required: () => true },
    ttl: {
      AccessToken: HOUR,
      RefreshToken: 24 * HOUR,
      Grant: 24 * HOUR,
      Session: 24 * HOUR,
      Interaction: HOUR,
      IdToken: HOUR,
    },
    findAccount: (_context: Context, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: {
      policy: askEachTime(),
      url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    clientBasedCORS: () => true,
    extraClientMetadata: { properties: ['scope'], validator: forgetScope },
    renderError(context: Context, { error_description }: { error_description?: string }) {
      context.type = 'html';
      context.body = faultPage(error_description ?? 'The authorization request cannot be answered.');
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo(_context: Context, resource: string) {
          if (!isGate(resource)) throw new errors.InvalidTarget(`${resource} is no gate of the shop`);
          return {
            audience: resource,
            scope: Object.keys(SCOPES).join(' '),
            accessTokenFormat: 'jwt',
            accessTokenTTL: HOUR,
            jwt: { sign: { alg: ALG } },
          };
        },
      },
    },
  });
}

/** Two people share the demonstration's browser, so each authorization asks who is there. */
function askEachTime(): object {
  const policy = interactionPolicy.base();
  const unasked = ({ oidc }: Context): boolean => oidc.result?.login === undefined;
  policy.get('login').checks.add(new interactionPolicy.Check('user_choice', 'the user must be chosen', unasked));
  return policy;
}

/**
 * MCP clients register with the scopes of the FIRST challenge. Kept, they would be all that the client may ever ask for,
 * and a step-up to another scope would be refused before the user is asked.
 */
function forgetScope(_context: Context, _property: 'scope', _value: unknown, metadata: { scope?: unknown }): void {
  delete metadata.scope;
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: ALG, use: 'sig', kid: randomBytes(8).toString('hex') };
}
