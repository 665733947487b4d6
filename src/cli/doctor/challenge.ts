/**
 * A `WWW-Authenticate` header, read as strictly as clients may (RFC 9110, section 11.6.1; RFC 6750, section 3).
 */

/** A Bearer challenge. */
export interface Challenge {
  readonly parameters: Readonly<Record<string, string>>;
}

/** All challenges of an answer, as they came. */
export function challengesOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && /^www-authenticate$/i.test(rawHeaders[at - 1]!));
}

/** The Bearer challenge; `undefined` when there is none, more than one, or one that cannot be read. */
export function readChallenge(rawHeaders: readonly string[]): Challenge | undefined {
  const challenges = challengesOf(rawHeaders);
  const [only] = challenges;
  if (only === undefined || challenges.length > 1) return undefined;
  const [, rest] = /^Bearer(?: +(.*))?$/i.exec(only.trim()) ?? [];
  if (rest === undefined) return /^Bearer$/i.test(only.trim()) ? { parameters: {} } : undefined;
  const parameters: Record<string, string> = {};
  const pair = /\s*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]+))\s*(?:,|$)/y;
  while (pair.lastIndex < rest.length) {
    const [, name, text, token] = pair.exec(rest) ?? [];
    if (name === undefined) return undefined;
    parameters[name.toLowerCase()] = text?.replace(/\\(.)/g, '$1') ?? token ?? '';
  }
  return { parameters };
}
