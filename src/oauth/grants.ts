/**
 * What a token grants: its scopes, those that they contain, and the roles that they stand for.
 */
import { isScopeToken } from './challenge.js';
import type { McpTokenClaims } from './settings.js';

/** What a caller may do. */
export interface McpGrants {
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
}

type Implications = Readonly<Record<string, readonly string[]>>;

/** Reads grants off claims by the author's tables, which are worked out once. */
export function createGrants(tables: {
  roles?: Implications;
  scopeHierarchy?: Implications;
}): (claims: McpTokenClaims) => McpGrants {
  const hierarchy = new Map(Object.entries(tables.scopeHierarchy ?? {}));
  const contained = new Map([...hierarchy.keys()].map((scope) => [scope, reachable(scope, hierarchy)]));
  const roles = new Map(Object.entries(tables.roles ?? {}));
  return (claims) => {
    const scopes = new Set<string>();
    for (const scope of grantedScopes(claims)) {
      for (const each of contained.get(scope) ?? [scope]) scopes.add(each);
    }
    return { scopes: [...scopes], roles: [...new Set([...scopes].flatMap((scope) => roles.get(scope) ?? []))] };
  };
}

/**
 * The scopes that a token names itself, in `scope` (RFC 8693) and `scp` (as some servers call it), each a text with
 * spaces or an array. What is no scope-token is left out.
 */
export function grantedScopes(claims: McpTokenClaims): string[] {
  const named = [claims['scope'], claims['scp']].flat();
  const texts = named.filter((value): value is string => typeof value === 'string');
  return [...new Set(texts.flatMap((text) => text.split(' ')).filter(isScopeToken))];
}

/** The scope and everything below it; each visited once, so that a cycle ends. */
function reachable(scope: string, hierarchy: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set([scope]);
  for (const each of found) for (const below of hierarchy.get(each) ?? []) found.add(below); // a Set iterates over additions
  return found;
}
