/**
 * The issuers that a gate trusts, each with its keys, its rules and, if it has one, its introspection.
 */
import type { JSONWebKeySet } from 'jose';
import { discoverIssuer } from './discovery.js';
import { errorName } from './error-name.js';
import { FetchedValue } from './fetched-value.js';
import { createFetchJson, McpEndpointFault } from './fetch-json.js';
import { Introspection } from './introspection.js';
import { IssuerKeys } from './issuer-keys.js';
import { type JwtRules, tokenType, USUAL_ALGORITHMS, USUAL_TOKEN_TYPES } from './jwt.js';
import { type McpEnvironment, ownKeySet } from './key-set.js';
import type { McpAuthorizationSettings, McpIssuer } from './settings.js';

/** One issuer, ready to be asked. */
export interface TrustedIssuer {
  readonly jwt: JwtRules;
  readonly introspection?: Introspection;
}

/** What asking issuers needs of its surroundings. */
export interface TrustedIssuerParts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly warn: (message: string) => void;
  readonly environment: McpEnvironment;
}

/**
 * `iss` of the tokens that `mintMcpToken` makes. Not a URL, so that it can never be the name of a configured issuer;
 * what keeps one application's tokens from another is the key and the audience.
 */
export const MCP_OWN_ISSUER = 'urn:nestjs-mcp-gate:own-keys';

const METADATA_FRESH_MS = 60 * 60_000;
const FETCH_TIMEOUT_MS = 5_000;

/** The issuers of a gate by their name in `iss`, the application itself among them when it has keys. */
export function trustIssuers(
  settings: McpAuthorizationSettings,
  parts: TrustedIssuerParts,
): ReadonlyMap<string, TrustedIssuer> {
  const timeoutMs = settings.fetchTimeoutMs ?? FETCH_TIMEOUT_MS;
  const named = (settings.issuers ?? []).map((entry) => (typeof entry === 'string' ? { issuer: entry } : entry));
  const own = ownKeySet(settings.ownKeys, parts.environment) as JSONWebKeySet | undefined;
  const all = own === undefined ? named : [...named, { issuer: MCP_OWN_ISSUER, jwks: own, tokenTypes: ['at+jwt'] }];
  return new Map(all.map((issuer) => [issuer.issuer, trustIssuer(issuer, timeoutMs, parts)]));
}

function trustIssuer(settings: McpIssuer, timeoutMs: number, parts: TrustedIssuerParts): TrustedIssuer {
  const { issuer } = settings;
  const { now } = parts;
  const fetchJson = createFetchJson(parts.fetch, timeoutMs);
  const metadata = new FetchedValue(() => discoverIssuer(issuer, fetchJson), {
    now,
    freshMs: METADATA_FRESH_MS,
    usableMs: METADATA_FRESH_MS,
  });
  const warn = (what: string, error: unknown, retryInMs: number) =>
    parts.warn(
      `Issuer "${issuer}" cannot be asked ${what}: ${describe(error)}. ` +
        (retryInMs === 0
          ? 'The token is refused; others are asked about.'
          : `Tokens that need it are refused; it is asked again in ${retryInMs / 1000} s at the earliest.`),
    );
  const keys = new IssuerKeys(settings, {
    now,
    fetchJson,
    metadata,
    failed: (error, retryInMs) => warn('for its keys', error, retryInMs),
  });
  const failed = (error: unknown, retryInMs: number) => warn('about a token', error, retryInMs);
  return {
    jwt: {
      algorithms: settings.algorithms === undefined ? USUAL_ALGORITHMS : new Set(settings.algorithms),
      types: settings.tokenTypes === undefined ? USUAL_TOKEN_TYPES : new Set(settings.tokenTypes.map(tokenType)),
      keyFor: (header) => keys.keyFor(header),
    },
    ...(settings.introspection && {
      introspection: new Introspection(issuer, settings.introspection, { now, fetchJson, metadata, failed }),
    }),
  };
}

/** Only words of our own reach the log: what a stand-in for `fetch` throws may quote what was sent. */
function describe(error: unknown): string {
  if (error instanceof McpEndpointFault) return error.message;
  return `an unexpected fault (${errorName(error)})`;
}
