/**
 * What may be logged of an exception that somebody else's code threw while it held a token.
 */

/** The error's name and nothing more: its message may quote the token. */
export function errorName(error: unknown): string {
  try {
    const name: unknown = (error as { name?: unknown } | null | undefined)?.name;
    return typeof name === 'string' && /^[A-Za-z]{1,40}$/.test(name) ? name : 'an unnamed error';
  } catch {
    return 'an unnamed error';
  }
}
