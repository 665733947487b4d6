/**
 * The `WWW-Authenticate` value that tells a client what to bring (RFC 6750, section 3; RFC 9728, section 5.1).
 */

/** What a challenge says. */
export interface McpChallenge {
  /** `invalid_token`, `insufficient_scope`… Leave it out when the request carried no token. */
  readonly error?: string;
  /** A sentence for people. */
  readonly errorDescription?: string;
  /** ALL scopes of the operation, so that the client asks for them once. */
  readonly scope?: readonly string[];
  /** The URL of the gate's RFC 9728 document. */
  readonly resourceMetadata: string;
}

const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * The header's value. Always a valid header: in `error` and `error_description` quotes become `'` and backslashes `/`
 * (RFC 6750 has no other way), control characters and everything outside ASCII become spaces; a scope that is no
 * scope-token (RFC 6749, section 3.3) is left out, and so is `offline_access`, which is no requirement of a resource.
 *
 * Does NOT check that `resourceMetadata` is a URL, and does not limit lengths.
 */
export function bearerChallenge(challenge: McpChallenge): string {
  const scopes = [...new Set(challenge.scope ?? [])].filter(
    (scope) => isScopeToken(scope) && scope !== 'offline_access',
  );
  const parameters: readonly (readonly [name: string, value: string])[] = [
    ['error', plain(challenge.error ?? '')],
    ['error_description', plain(challenge.errorDescription ?? '')],
    ['scope', scopes.join(' ')],
    ['resource_metadata', escaped(challenge.resourceMetadata)],
  ];
  const written = parameters.filter(([, value]) => value !== '').map(([name, value]) => `${name}="${value}"`);
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`;
}

/** Whether a text can stand in a `scope` parameter (RFC 6749, section 3.3). */
export function isScopeToken(scope: unknown): scope is string {
  return typeof scope === 'string' && SCOPE_TOKEN.test(scope);
}

/** The charset of RFC 6750, section 3: ASCII without quote and backslash. */
function plain(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7E]+/g, ' ')
    .trim();
}

/** The inside of a quoted-string (RFC 9110, section 5.6.4); what is not printable ASCII has no place in a URL. */
function escaped(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/g, '').replaceAll(/["\\]/g, '\\$&');
}
