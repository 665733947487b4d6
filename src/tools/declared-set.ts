/**
 * Checked declarations of one kind, and the sets of them that callers have. A set is remembered by what is in it and
 * nothing else: whatever hangs on it (its projection, its text) is made once, and belongs to exactly these entries, never
 * to a caller.
 */

/** How many different sets are remembered. */
const MOST_SETS = 32;

/** Checked declarations, in the order of their declaration and by name. */
export class McpDeclaredSet<E extends { readonly name: string }> {
  private readonly byName: ReadonlyMap<string, E>;
  private readonly sets = new Map<string, readonly E[]>();

  constructor(readonly entries: readonly E[]) {
    this.byName = new Map(entries.map((entry) => [entry.name, entry]));
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get(name: string): E | undefined {
    return this.byName.get(name);
  }

  /** The entries whose place says `true`: the same array for the same set, while it is remembered. */
  subset(admitted: readonly boolean[]): readonly E[] {
    if (!admitted.includes(false)) return this.entries;
    const key = bits(admitted);
    const known = this.sets.get(key);
    if (known !== undefined) return known;
    const set = this.entries.filter((_, at) => admitted[at]);
    if (this.sets.size >= MOST_SETS) this.sets.delete(this.sets.keys().next().value!); // the oldest
    this.sets.set(key, set);
    return set;
  }
}

/** Decisions as text, sixteen in a character. */
function bits(decisions: readonly boolean[]): string {
  const words = new Uint16Array(Math.ceil(decisions.length / 16));
  for (const [at, decision] of decisions.entries()) if (decision) words[at >> 4]! |= 1 << (at & 15);
  return String.fromCharCode.apply(null, words as unknown as number[]);
}
