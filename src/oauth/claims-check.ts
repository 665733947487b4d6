/**
 * Is a token meant for this gate, and is it time: the claims that decide, in a stated order.
 */
import type { McpTokenClaims } from './settings.js';
import { McpTokenRejection } from './token-fault.js';

/** What claims are held against. Times are seconds since the epoch. */
export interface ClaimRules {
  /** What `aud` must contain, to the byte. */
  readonly audience: string;
  readonly now: number;
  readonly tolerance: number;
  /** Claims that must be there; the others are checked when they are. `sub` must always be. */
  readonly demanded: readonly ('aud' | 'exp')[];
}

/**
 * `aud` → `exp` → `nbf` → `iat` → `sub`. A claim of the wrong type fails like a wrong one.
 *
 * Does NOT check the signature, the issuer, scopes, or a sender constraint (`cnf`): a token bound to a key is taken as
 * a bearer token, as RFC 9449 leaves it to servers that know bearer tokens only.
 *
 * @throws McpTokenRejection
 */
export function checkTokenClaims(claims: McpTokenClaims, rules: ClaimRules): void {
  const { aud, exp, nbf, iat } = claims;
  if (rules.demanded.includes('aud') || aud !== undefined) {
    const named = Array.isArray(aud) ? aud : [aud];
    if (!named.includes(rules.audience)) throw new McpTokenRejection('audience-other');
  }
  if (exp === undefined ? rules.demanded.includes('exp') : !isTime(exp)) throw new McpTokenRejection('expiry-missing');
  if (isTime(exp) && exp <= rules.now - rules.tolerance) throw new McpTokenRejection('expired');
  if (nbf !== undefined && !isReached(nbf, rules)) throw new McpTokenRejection('not-yet-valid');
  if (iat !== undefined && !isReached(iat, rules)) throw new McpTokenRejection('issued-in-future');
  subjectOf(claims);
}

/**
 * The account that a token speaks for.
 *
 * @throws McpTokenRejection when there is none.
 */
export function subjectOf(claims: McpTokenClaims): string {
  const subject = claims['sub'];
  if (typeof subject !== 'string' || subject === '') throw new McpTokenRejection('subject-missing');
  return subject;
}

/**
 * When the credential ends, in milliseconds: at `exp`, or, for one that is taken past it thanks to the tolerance, when
 * the tolerance ends; else its runs would die at birth.
 */
export function endOf(claims: McpTokenClaims, rules: Pick<ClaimRules, 'now' | 'tolerance'>): number | undefined {
  const { exp } = claims;
  if (!isTime(exp)) return undefined;
  return (exp > rules.now ? exp : exp + rules.tolerance) * 1000;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isReached(value: unknown, { now, tolerance }: ClaimRules): boolean {
  return isTime(value) && value <= now + tolerance;
}
