/**
 * The document by which a client finds out who issues tokens for a gate, and where it stands (RFC 9728).
 */

/** The document. Parameters without a value are left out, as section 3.2 demands. */
export interface McpProtectedResourceDocument {
  /** The gate's canonical URI, to the byte what tokens carry as their audience. */
  readonly resource: string;
  readonly authorization_servers?: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_name?: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * The document of one gate. `scopes` is what its tools declare; it comes out sorted, each once, and without
 * `offline_access`: a refresh token is the client's wish, not a requirement of the resource.
 */
export function protectedResourceDocument(gate: {
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
  readonly name?: string;
}): McpProtectedResourceDocument {
  const scopes = [...new Set(gate.scopes)].filter((scope) => scope !== 'offline_access').toSorted();
  return {
    resource: gate.resource,
    ...(gate.authorizationServers.length > 0 && { authorization_servers: [...gate.authorizationServers] }),
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    ...(gate.name !== undefined && { resource_name: gate.name }),
  };
}

/**
 * Where the document of the gate at `path` stands, on the same host: `/api/mcp` has
 * `/.well-known/oauth-protected-resource/api/mcp`, `/` the root one. A slash at the end is dropped, as the official
 * clients do.
 */
export function protectedResourcePath(path: string): string {
  return WELL_KNOWN + withoutEndingSlash(path);
}

/**
 * The URL of the document of a resource: the well-known part goes between host and path, a query stays at the end
 * (section 3.1).
 *
 * @throws TypeError when `resource` is not an http(s) URL.
 */
export function protectedResourceMetadataUrl(resource: string): string {
  const url = URL.canParse(resource) ? new URL(resource) : undefined;
  if (url === undefined || url.origin === 'null') {
    throw new TypeError(`"${resource}" is not the URL of a gate. It is written like "https://shop.example/api/mcp".`);
  }
  return url.origin + protectedResourcePath(url.pathname) + url.search;
}

function withoutEndingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
