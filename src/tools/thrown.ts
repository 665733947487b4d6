/**
 * What somebody else's code threw, in words. It may be anything at all, also something that throws when it is looked at.
 */

const UNREADABLE = 'something that cannot be read';

/** The class of an error, the type of anything else. Never its message, which may hold what no log should. */
export function thrownKind(thrown: unknown): string {
  return words(() => (thrown instanceof Error ? thrown.name : typeof thrown));
}

/** The message of an error, anything else as text. For a developer. */
export function thrownMessage(thrown: unknown): string {
  return words(() => (thrown instanceof Error ? thrown.message : String(thrown)));
}

function words(read: () => unknown): string {
  try {
    const text = read();
    return typeof text === 'string' ? text : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}
