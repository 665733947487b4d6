/**
 * One spelling for URIs that are the same (RFC 3986, 6.2.2.2): what need not be percent-encoded is not, and hexadecimal digits
 * are capitals. Else `shop://s%65cret` would pass by the reserved `shop://secret`, to a template that says both.
 *
 * What it does NOT change: the case of scheme and host, an encoded `/` (`%2F` is not `/`), `..`.
 */
export function normalUri(uri: string): string {
  return uri.includes('%') ? uri.replace(/%[0-9A-Fa-f]{2}/g, normalOctet) : uri;
}

/** Longer texts are no URI of anybody's, and not looked at: respelling a body full of `%41` takes half a second. */
export const MAX_URI_CHARS = 16_384;

const UNRESERVED = /[A-Za-z0-9._~-]/;

function normalOctet(encoded: string): string {
  const letter = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return UNRESERVED.test(letter) ? letter : encoded.toUpperCase();
}
