/**
 * From an `Authorization` header to a caller, or to the reason why not; never to an exception (A1, A9).
 */
import type { Awaitable } from '../awaitable.js';
import { establishCaller } from '../caller.js';
import { authorizationFaults } from './settings-faults.js';
import { admitCaller, asksAboutCallers } from './admission.js';
import { readBearer } from './bearer.js';
import { checkTokenClaims, endOf, subjectOf } from './claims-check.js';
import { errorName } from './error-name.js';
import { createGrants } from './grants.js';
import type { McpEnvironment } from './key-set.js';
import { type EstablishedCaller, RememberedTokens } from './remembered-tokens.js';
import type { McpAuthorizationSettings, McpTokenClaims } from './settings.js';
import { tokenDigest } from './token-digest.js';
import { type McpTokenFault, McpTokenRejection } from './token-fault.js';
import { trustIssuers } from './trusted-issuer.js';
import { vouchFor } from './vouch.js';

/** What a request's header establishes. */
export type McpAuthentication =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'caller' } & EstablishedCaller)
  | { readonly kind: 'rejected'; readonly reason: McpTokenFault };

/** Establishes callers for one gate. */
export interface McpAuthenticator {
  /**
   * Who sends this header: known at once for a token that was verified a moment ago, unless the application is asked about
   * it. `resource` is the gate's canonical URI; it is the audience unless the settings name one.
   * Never throws or rejects. Nothing of a token ever reaches the log or the answer.
   */
  authenticate(
    authorizationHeader: string | readonly string[] | undefined,
    resource: string,
  ): Awaitable<McpAuthentication>;
}

/** What an authenticator takes from its surroundings. */
export interface McpAuthenticatorParts {
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
  readonly log?: { warn(message: string): void };
  /** Where MCP_JWKS is read, once. @default process.env */
  readonly environment?: McpEnvironment;
}

/**
 * An authenticator. The order of a JWT's checks: it decodes → `alg` is not `none` → its `iss` is known → `alg` is on that
 * issuer's list → no `crit` → `typ` → key → signature → `aud` → `exp` → `nbf` → `iat` → `sub` → `isRevoked` →
 * `isAccountActive`. Tokens that name no known issuer: see `vouchFor`.
 *
 * Does NOT check scopes (a tool does), a sender constraint (`cnf`), or that a token is used once.
 *
 * @throws TypeError that lists the faults of the settings.
 */
export function createMcpAuthenticator(
  settings: McpAuthorizationSettings,
  parts: McpAuthenticatorParts = {},
): McpAuthenticator {
  const { now = Date.now, log = SILENT, environment = process.env } = parts;
  const faults = authorizationFaults(settings, { environment });
  if (faults.length > 0) throw new TypeError(`Tokens cannot be checked by these settings:\n${faults.join('\n')}`);
  const fetchIt: typeof fetch = parts.fetch ?? ((input, init) => fetch(input, init));
  const issuers = trustIssuers(settings, { fetch: fetchIt, now, environment, warn: (message) => log.warn(message) });
  const vouchers = { issuers, log, ...(settings.verifier && { verifier: settings.verifier }) };
  const grantsOf = createGrants(settings);
  const remembered = new RememberedTokens();
  const tolerance = settings.clockToleranceSec ?? DEFAULT_TOLERANCE_SEC;

  async function establish(token: string, digest: string, audience: string): Promise<EstablishedCaller> {
    const { claims, demanded, signed } = await vouchFor(token, audience, vouchers);
    const rules = { audience, demanded, tolerance, now: now() / 1000 };
    checkTokenClaims(claims, rules);
    const established = { claims, caller: callerOf(claims, endOf(claims, rules)) };
    if (signed) remembered.remember(digest, audience, now(), established);
    return established;
  }

  function callerOf(claims: McpTokenClaims, expiresAt: number | undefined) {
    const clientId = [claims['client_id'], claims['azp']].find((value) => typeof value === 'string');
    return establishCaller({
      authenticated: true,
      ...(typeof claims['iss'] === 'string' && { issuer: claims['iss'] }),
      subject: subjectOf(claims),
      ...(clientId !== undefined && { clientId }),
      ...grantsOf(claims),
      ...(expiresAt !== undefined && { expiresAt }),
    });
  }

  async function judge(established: Awaitable<EstablishedCaller>): Promise<McpAuthentication> {
    try {
      const { caller, claims } = await established;
      await admitCaller(caller, claims, settings, log);
      return { kind: 'caller', caller, claims };
    } catch (error) {
      if (error instanceof McpTokenRejection) return { kind: 'rejected', reason: error.reason };
      log.warn(`Checking a token failed by ${errorName(error)}. The token is refused.`);
      return { kind: 'rejected', reason: 'verification-failed' };
    }
  }

  return {
    authenticate(header, resource) {
      const bearer = readBearer(header);
      if (bearer.kind !== 'token') return bearer;
      const audience = settings.audience ?? settings.publicUrl ?? resource;
      const digest = tokenDigest(bearer.token);
      const known = remembered.get(digest, audience, now());
      if (known === undefined) return judge(establish(bearer.token, digest, audience));
      const { caller, claims } = known;
      return asksAboutCallers(settings) ? judge(known) : { kind: 'caller', caller, claims };
    },
  };
}

const DEFAULT_TOLERANCE_SEC = 30;
const SILENT = { warn() {} };
