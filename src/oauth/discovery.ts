/**
 * Where an issuer keeps its keys and answers questions: RFC 8414 metadata, else OpenID Connect's.
 */
import { endpointFault, isLoopbackUrl } from './endpoint-url.js';
import { type FetchJson, McpEndpointFault } from './fetch-json.js';

/** What a gate reads of an issuer's metadata. */
export interface IssuerMetadata {
  readonly jwksUri?: string;
  readonly introspectionEndpoint?: string;
}

/** Where metadata may stand, in the order of the specification (2026-07-28, authorization server discovery). */
export function issuerMetadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

/**
 * The metadata of an issuer. A document that names another issuer is not used (RFC 8414, section 3.3): a place that
 * speaks for somebody else would hand its own keys to that name. Endpoints must be https, or on this machine when the
 * issuer is.
 *
 * Does NOT check `signed_metadata`.
 *
 * @throws McpEndpointFault that says of each place what was wrong with it.
 */
export async function discoverIssuer(issuer: string, fetchJson: FetchJson): Promise<IssuerMetadata> {
  const faults: string[] = [];
  for (const url of issuerMetadataUrls(issuer)) {
    try {
      return readMetadata(issuer, url, await fetchJson(url));
    } catch (error) {
      if (!(error instanceof McpEndpointFault) || !error.answered) throw error; // the same host would time out again
      faults.push(error.message);
    }
  }
  throw new McpEndpointFault(faults.join('; '), true);
}

function readMetadata(issuer: string, url: string, document: unknown): IssuerMetadata {
  const metadata = typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {};
  if (metadata['issuer'] !== issuer) {
    const named = JSON.stringify(metadata['issuer'])?.slice(0, 200) ?? 'no issuer';
    throw new McpEndpointFault(
      `${url} speaks for ${named}, not for "${issuer}" (they must be the same to the byte: if that is your issuer, ` +
        'write it so)',
      true,
    );
  }
  const jwksUri = endpoint(issuer, url, metadata, 'jwks_uri');
  const introspectionEndpoint = endpoint(issuer, url, metadata, 'introspection_endpoint');
  return { ...(jwksUri && { jwksUri }), ...(introspectionEndpoint && { introspectionEndpoint }) };
}

function endpoint(issuer: string, url: string, metadata: Record<string, unknown>, name: string): string | undefined {
  const value = metadata[name];
  if (value === undefined) return undefined;
  const fault = endpointFault(value);
  if (fault !== undefined) throw new McpEndpointFault(`${url}: "${name}" ${fault}`, true);
  if (isLoopbackUrl(value as string) && !isLoopbackUrl(issuer)) {
    throw new McpEndpointFault(`${url}: "${name}" points into this machine, and the issuer is not on it`, true);
  }
  return value as string;
}
