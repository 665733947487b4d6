/**
 * Who vouches for a token: the issuer that it names, the application's verifier, or an issuer that is asked about it.
 */
import type { ClaimRules } from './claims-check.js';
import { errorName } from './error-name.js';
import { decodeToken, verifyJwt } from './jwt.js';
import type { Introspection } from './introspection.js';
import type { McpTokenClaims, McpTokenVerifier } from './settings.js';
import { McpTokenRejection } from './token-fault.js';
import type { TrustedIssuer } from './trusted-issuer.js';

/** What somebody vouches for, and which claims must be in it. */
export interface VouchedClaims {
  readonly claims: McpTokenClaims;
  readonly demanded: ClaimRules['demanded'];
  /** Whether a signature proved it, which stays true until the token ends. */
  readonly signed: boolean;
}

/** Who may vouch. */
export interface TokenVouchers {
  readonly issuers: ReadonlyMap<string, TrustedIssuer>;
  readonly verifier?: McpTokenVerifier;
  readonly log: { warn(message: string): void };
}

/**
 * - A JWT whose `iss` is a known issuer: that issuer's keys alone decide; what they refuse nobody else is asked about.
 * - Everything else: the application's verifier first, since it sends the token nowhere.
 * - An opaque token that it does not know: the issuers with introspection, in the order they were written; the first
 *   that calls it active has it. One that fails does not stop the others.
 *
 * Does NOT check claims (see `checkTokenClaims`).
 *
 * @throws McpTokenRejection
 */
export async function vouchFor(token: string, audience: string, by: TokenVouchers): Promise<VouchedClaims> {
  const jwt = await decodeToken(token);
  const issuer = jwt && by.issuers.get(jwt.claims['iss'] as string);
  if (jwt !== undefined && issuer !== undefined) {
    await verifyJwt(jwt, issuer.jwt);
    return { claims: deepFreeze(jwt.claims), demanded: ['aud', 'exp'], signed: true };
  }
  const own = await askVerifier(token, audience, by);
  if (own !== undefined) return { claims: own, demanded: [], signed: false };
  if (jwt !== undefined) throw new McpTokenRejection('issuer-unknown');
  const introspections = [...by.issuers.values()].flatMap(({ introspection }) => introspection ?? []);
  return { claims: await introspected(token, introspections), demanded: ['aud'], signed: false };
}

async function askVerifier(token: string, audience: string, by: TokenVouchers): Promise<McpTokenClaims | undefined> {
  try {
    const claims: unknown = await by.verifier?.verify(token, audience);
    if (claims === undefined) return undefined;
    if (typeof claims === 'object' && claims !== null) return Object.freeze({ ...claims });
    by.log.warn(
      `The verifier of a gate gave ${claims === null ? 'null' : typeof claims} for claims. The token is refused.`,
    );
  } catch (error) {
    by.log.warn(`The verifier of a gate threw ${errorName(error)}. The token is refused.`);
  }
  throw new McpTokenRejection('verifier-refused');
}

async function introspected(token: string, introspections: readonly Introspection[]): Promise<McpTokenClaims> {
  let failure = new McpTokenRejection(introspections.length > 0 ? 'inactive' : 'token-unknown');
  for (const introspection of introspections) {
    try {
      const claims = await introspection.ask(token);
      if (claims !== undefined) return deepFreeze(claims);
    } catch (error) {
      if (!(error instanceof McpTokenRejection)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Claims are handed to hooks and to later requests: nobody may write into them. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
