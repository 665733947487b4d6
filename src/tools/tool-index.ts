/**
 * The checked tools of a gate, and how several lists of them become one.
 */
import { McpDeclaredSet } from './declared-set.js';
import type { McpDeclaredTool } from './declared-tool.js';

/** Checked tools, in the order of their declaration and by name. */
export class McpToolIndex extends McpDeclaredSet<McpDeclaredTool> {
  static readonly EMPTY = new McpToolIndex([]);

  /** One index of several; of two tools with one name the earlier index's stays. */
  static join(...indexes: readonly McpToolIndex[]): McpToolIndex {
    const entries = new Map<string, McpDeclaredTool>();
    for (const index of indexes) {
      for (const entry of index.entries) if (!entries.has(entry.name)) entries.set(entry.name, entry);
    }
    return new McpToolIndex([...entries.values()]);
  }
}
