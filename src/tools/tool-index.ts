/**
 * Checked tools, and the sets of them that callers have. A set is remembered by what is in it and nothing else: whatever
 * hangs on it (its projection, its text) is made once, and belongs to exactly these tools, never to a caller.
 */
import type { McpDeclaredTool } from './declared-tool.js';

/** How many different sets of one index are remembered. */
const MOST_SETS = 32;

/** Checked tools, in the order of their declaration and by name. */
export class McpToolIndex {
  static readonly EMPTY = new McpToolIndex([]);
  private readonly byName: ReadonlyMap<string, McpDeclaredTool>;
  private readonly sets = new Map<string, readonly McpDeclaredTool[]>();

  constructor(readonly entries: readonly McpDeclaredTool[]) {
    this.byName = new Map(entries.map((entry) => [entry.tool.name, entry]));
  }

  get(name: string): McpDeclaredTool | undefined {
    return this.byName.get(name);
  }

  /** The entries whose place says `true`: the same array for the same set, while it is remembered. */
  subset(admitted: readonly boolean[]): readonly McpDeclaredTool[] {
    if (!admitted.includes(false)) return this.entries;
    const key = bits(admitted);
    const known = this.sets.get(key);
    if (known !== undefined) return known;
    const set = this.entries.filter((_, at) => admitted[at]);
    if (this.sets.size >= MOST_SETS) this.sets.delete(this.sets.keys().next().value!); // the oldest
    this.sets.set(key, set);
    return set;
  }

  /** One index of several; of two tools with one name the earlier index's stays. */
  static join(...indexes: readonly McpToolIndex[]): McpToolIndex {
    const entries = new Map<string, McpDeclaredTool>();
    for (const index of indexes) {
      for (const entry of index.entries) if (!entries.has(entry.tool.name)) entries.set(entry.tool.name, entry);
    }
    return new McpToolIndex([...entries.values()]);
  }
}

/** Decisions as text, sixteen in a character. */
function bits(decisions: readonly boolean[]): string {
  const words = new Uint16Array(Math.ceil(decisions.length / 16));
  for (const [at, decision] of decisions.entries()) if (decision) words[at >> 4]! |= 1 << (at & 15);
  return String.fromCharCode.apply(null, words as unknown as number[]);
}
