/**
 * What a gate's author says about tokens: whose are taken, for which resource, and what they grant.
 */
import type { JSONWebKeySet } from 'jose';

/** What a token says of itself, once something has vouched for it. Deeply frozen when it comes from a JWT. */
export type McpTokenClaims = Readonly<Record<string, unknown>>;

/** Whose tokens a gate takes, and what they grant. */
export interface McpAuthorizationSettings {
  /** Authorization servers whose tokens are taken: issuer URLs, or an object for what cannot be discovered. */
  issuers?: readonly (string | McpIssuer)[];
  /**
   * The gate's URI as clients know it, behind whatever proxy: `https://shop.example/api/mcp`. A gate that others reach
   * needs it, `audience` or `allowedHosts`: a URI taken from any `Host` would let the client choose the audience.
   */
  publicUrl?: string;
  /** What a token's `aud` must contain, to the byte. @default publicUrl, else the URI derived from the request */
  audience?: string;
  /** Mixed gate: serves public tools without a token. @default false */
  anonymous?: boolean;
  /** Roles that scopes stand for: `{ 'shop:admin': ['admin'] }`. @default {} */
  roles?: Readonly<Record<string, readonly string[]>>;
  /** Scopes that contain others, transitively: `{ 'shop:write': ['shop:read'] }`. Cycles are fine. @default {} */
  scopeHierarchy?: Readonly<Record<string, readonly string[]>>;
  /** The application's own verifier, asked for tokens that no issuer claims. */
  verifier?: McpTokenVerifier;
  /**
   * Keys of tokens that the application signs itself with `mintMcpToken` or the `token` command; public parts are used.
   * An empty set takes none. A token that the application signs under an issuer name of its own needs an entry in
   * `issuers` with `jwks` instead. @default the key set in the environment variable MCP_JWKS
   */
  ownKeys?: JSONWebKeySet;
  /**
   * Whether a token that is otherwise good was withdrawn (logout, a list of `jti`). Asked for every request, not timed
   * out. Anything but `false`, and a throw, refuses.
   */
  isRevoked?(claims: McpTokenClaims): boolean | Promise<boolean>;
  /** Whether the account may still call. Asked for every request, not timed out. Anything but `true` refuses. */
  isAccountActive?(subject: string, claims: McpTokenClaims): boolean | Promise<boolean>;
  /** Seconds that clocks may differ by, for `exp`, `nbf` and `iat`; at most 300. @default 30 */
  clockToleranceSec?: number;
  /** Milliseconds that one request to an issuer may take. @default 5000 */
  fetchTimeoutMs?: number;
}

/** An authorization server, with what cannot be discovered. */
export interface McpIssuer {
  /** Its identifier, exactly as its tokens carry it in `iss` (a trailing slash counts). */
  issuer: string;
  /** Where its keys are. @default `jwks_uri` of its RFC 8414 or OpenID metadata */
  jwksUri?: string;
  /** Its keys themselves; nothing is fetched then. */
  jwks?: JSONWebKeySet;
  /** Signature algorithms taken; asymmetric ones only. @default all of MCP_TOKEN_ALGORITHMS */
  algorithms?: readonly McpTokenAlgorithm[];
  /**
   * Accepted `typ`, without `application/` and whatever the case. With a list of one's own a token without `typ` is
   * refused; `['at+jwt']` is RFC 9068 to the letter. @default at+jwt, JWT or none, as most servers in use send
   */
  tokenTypes?: readonly string[];
  /** Asks the issuer about tokens that are not JWTs (RFC 7662). JWTs are verified by its keys, never introspected. */
  introspection?: McpIntrospection;
}

/** How an issuer is asked about an opaque token. */
export interface McpIntrospection {
  /** @default `introspection_endpoint` of the issuer's metadata */
  endpoint?: string;
  /** The gate's own client at the issuer, sent by HTTP Basic. */
  clientId: string;
  clientSecret: string;
}

/** Tells whether a token is good, for tokens that no issuer claims: API keys, tokens of an older system. */
export interface McpTokenVerifier {
  /**
   * The claims of a token that it vouches for (`sub` at least; `exp`, `nbf`, `iat` and `aud` are checked when given);
   * `undefined` when the token is none of its own. A throw refuses the token. It must itself see to it that the token
   * was meant for `audience`, and it must not log the token.
   */
  verify(token: string, audience: string): McpTokenClaims | undefined | Promise<McpTokenClaims | undefined>;
}

/** Signature algorithms that a gate can take. No symmetric one: a key that verifies must not be able to sign. */
export const MCP_TOKEN_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const;

/** One of them. */
export type McpTokenAlgorithm = (typeof MCP_TOKEN_ALGORITHMS)[number];

/** The known keys of {@link McpAuthorizationSettings}. */
export const MCP_AUTHORIZATION_KEYS = [
  'issuers',
  'publicUrl',
  'audience',
  'anonymous',
  'roles',
  'scopeHierarchy',
  'verifier',
  'ownKeys',
  'isRevoked',
  'isAccountActive',
  'clockToleranceSec',
  'fetchTimeoutMs',
] as const satisfies readonly (keyof McpAuthorizationSettings)[];

/** The URLs of the authorization servers, in the order they were written; for the RFC 9728 document. */
export function authorizationServers(settings: McpAuthorizationSettings): string[] {
  return (settings.issuers ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.issuer));
}
