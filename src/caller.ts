/**
 * Who asks. A word that every floor uses and none owns.
 */

/**
 * What a gate has ESTABLISHED about the one who asks; never what a request claims of itself.
 * Frozen. Anonymous unless the gate authenticates.
 */
export interface McpCaller {
  /** `true` once a gate has verified a credential. */
  readonly authenticated: boolean;
  /** Who started this process and speaks over its standard input; absent over HTTP. No credential stands behind it. */
  readonly operator?: true;
  /** Who issued the credential. Two issuers may name two people alike: compare it together with the subject. */
  readonly issuer?: string;
  /** The account behind the credential, as its issuer names it. */
  readonly subject?: string;
  /** The client software that the credential was issued to. */
  readonly clientId?: string;
  /** Granted OAuth scopes. Empty for the anonymous caller. */
  readonly scopes: readonly string[];
  /** Roles inside the application. */
  readonly roles: readonly string[];
  /** When the credential ends, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** The caller of a gate that authenticates nobody. */
export const ANONYMOUS_CALLER: McpCaller = Object.freeze({
  authenticated: false,
  scopes: Object.freeze([]),
  roles: Object.freeze([]),
});

/** A frozen caller made of what was established; what is left out is as for the anonymous one. */
export function establishCaller(facts: Partial<McpCaller>): McpCaller {
  return Object.freeze({
    ...ANONYMOUS_CALLER,
    ...facts,
    scopes: Object.freeze([...(facts.scopes ?? [])]),
    roles: Object.freeze([...(facts.roles ?? [])]),
  });
}
