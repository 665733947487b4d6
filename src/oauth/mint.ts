/**
 * Tokens that the application signs itself: for a workstation, a script, a test. A gate takes them by `ownKeys` (A11).
 */
import { randomUUID } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import { isScopeToken } from './challenge.js';
import { loadJose } from './load-jose.js';
import { MCP_TOKEN_ALGORITHMS } from './settings.js';
import { MCP_OWN_ISSUER } from './trusted-issuer.js';

/** What a token is to say. */
export interface McpTokenRequest {
  /** A key set with a private key; the first one that can sign signs. */
  readonly key: JSONWebKeySet;
  /** The account that the token speaks for: its `sub`. */
  readonly account: string;
  /** The canonical URI of the one gate that is to take it: its `aud`. */
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Seconds until it ends. */
  readonly ttlSec: number;
  /** The client that it is for. @default 'nestjs-mcp-gate' */
  readonly clientId?: string;
}

/**
 * A signed token, shaped after RFC 9068.
 *
 * Does NOT check that the account exists, nor that a gate knows the scopes.
 *
 * @throws TypeError that names what cannot be minted; never with a part of the key.
 */
export async function mintMcpToken(request: McpTokenRequest): Promise<string> {
  const { account, resource, scopes, ttlSec, clientId = 'nestjs-mcp-gate' } = request;
  if (account.trim() === '') throw new TypeError('A token needs an account to speak for.');
  if (!URL.canParse(resource)) throw new TypeError(`The resource "${resource}" is not an absolute URL of a gate.`);
  if (!Number.isSafeInteger(ttlSec) || ttlSec <= 0)
    throw new TypeError('A token lives a whole number of seconds above 0.');
  const odd = scopes.find((scope) => !isScopeToken(scope));
  if (odd !== undefined)
    throw new TypeError(`${JSON.stringify(odd)} is not a scope: no spaces, quotes or backslashes.`);
  const { jwk, algorithm } = signingKey(request.key);
  const { importJWK, SignJWT } = await loadJose();
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({ scope: [...new Set(scopes)].join(' '), client_id: clientId })
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', ...(jwk.kid !== undefined && { kid: jwk.kid }) })
    .setIssuer(MCP_OWN_ISSUER)
    .setSubject(account)
    .setAudience(resource)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlSec)
    .sign(await importJWK(jwk, algorithm));
}

/** A new private key set (ES256), for `MCP_JWKS`. Whoever has it can mint tokens for every gate that takes it. */
export async function generateMcpKeys(): Promise<JSONWebKeySet> {
  const { exportJWK, generateKeyPair } = await loadJose();
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: randomUUID() }] };
}

function signingKey(set: JSONWebKeySet): { readonly jwk: JWK; readonly algorithm: string } {
  for (const jwk of Array.isArray(set?.keys) ? set.keys : []) {
    const algorithm = jwk.alg ?? usualAlgorithm(jwk);
    if (jwk.d !== undefined && MCP_TOKEN_ALGORITHMS.some((known) => known === algorithm)) return { jwk, algorithm };
  }
  throw new TypeError(
    'The key set holds no private key that can sign (EC, OKP or RSA). Make one with generateMcpKeys().',
  );
}

/** For keys that do not say what they are for. */
function usualAlgorithm({ kty, crv }: JWK): string {
  if (kty === 'RSA') return 'RS256';
  const byCurve: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
  return kty === 'EC' ? (byCurve[crv ?? ''] ?? '') : 'EdDSA';
}
