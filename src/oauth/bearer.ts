/**
 * The token in an `Authorization` header (RFC 6750, section 2.1), and nowhere else: a token in a query string or in a
 * body is never read.
 */
import type { McpTokenFault } from './token-fault.js';

/** What the header holds. */
export type McpBearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'rejected'; readonly reason: McpTokenFault };

const MAX_TOKEN_CHARS = 16 * 1024;
const NONE: McpBearer = Object.freeze({ kind: 'none' });
const BEARER = /^bearer(?:[ \t,]|$)/i;
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The bearer token of a request.
 *
 * - No header, an empty one, another scheme (`Basic`, `DPoP`) or a text without a scheme: `none`. Nobody presented a
 *   bearer token, so the answer is the one for a stranger (RFC 6750, section 3.1).
 * - `Bearer` (any case) with nothing, or with anything but one b64token behind: `token-malformed`.
 * - More than one header: `header-repeated`. Which of them counts would be a guess.
 * - More than 16,384 characters: `token-too-large`.
 *
 * Does NOT look into the token.
 */
export function readBearer(header: string | readonly string[] | undefined): McpBearer {
  const values = typeof header === 'string' ? [header] : (header ?? []);
  if (values.length > 1) return rejected('header-repeated');
  const value = values[0]?.trim() ?? '';
  if (!BEARER.test(value)) return NONE;
  const token = value.slice('bearer'.length).replace(/^ +/, '');
  if (token.length > MAX_TOKEN_CHARS) return rejected('token-too-large');
  return B64TOKEN.test(token) ? { kind: 'token', token } : rejected('token-malformed');
}

function rejected(reason: McpTokenFault): McpBearer {
  return { kind: 'rejected', reason };
}
