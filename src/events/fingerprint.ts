/**
 * What stands for a list that a client was shown: small, however long the list.
 */
import { createHash } from 'node:crypto';

const known = new WeakMap<object, string>();

/**
 * The same text for lists that say the same, and another for any other.
 *
 * @param list what is published. It never changes: the next state is another array
 */
export function fingerprint(list: readonly unknown[]): string {
  let print = known.get(list);
  if (print === undefined) {
    print = createHash('sha256').update(JSON.stringify(list)).digest('base64url');
    known.set(list, print);
  }
  return print;
}
