/**
 * Which URLs of an issuer may be asked: https ones, and http ones on this machine for development.
 */

/** What is wrong with a URL that a setting or an issuer's metadata names; `undefined` when it may be used. */
export function endpointFault(text: unknown): string | undefined {
  const url = typeof text === 'string' ? parsed(text) : undefined;
  if (url === undefined) return 'must be an absolute URL such as "https://login.example"';
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password';
  if (url.hash !== '' || String(text).includes('#')) return 'must not carry a fragment (#)';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))) return undefined;
  return 'must be an https URL (http is borne on localhost, 127.0.0.0/8 and [::1] only)';
}

/** Whether a URL stays on this machine. Does NOT resolve names: only `localhost` and loopback addresses count. */
export function isLoopbackUrl(text: string): boolean {
  const url = parsed(text);
  return url !== undefined && isLoopbackName(url.hostname);
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
