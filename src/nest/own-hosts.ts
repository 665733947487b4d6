/**
 * The classes of this package whose methods are tools: only they may take the reserved prefix, and only a gate that lists them
 * serves them.
 */

const OWN = new WeakSet<Function>();

/** Makes classes the package's own. */
export function markOwnHosts(types: readonly Function[]): void {
  for (const type of types) OWN.add(type);
}

/** Whether a class is the package's own. */
export function isOwnHost(type: Function): boolean {
  return OWN.has(type);
}
