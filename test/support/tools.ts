/** Tools that tests declare, with everything filled in that a test does not care about. */
import { declareMcpTools } from '../../src/tools/declare.js';
import type { McpToolIndex } from '../../src/tools/tool-index.js';
import type { McpAdmission, McpTool, McpToolEntry } from '../../src/tools/tool.js';

/** A sound tool; what a test gives takes the place of what it is by default. */
export function makeTool(parts: Partial<McpTool> = {}): McpTool {
  return {
    name: 'shop_stock',
    description: 'Stock of a product.',
    inputSchema: { type: 'object' },
    handler: () => 'done',
    ...parts,
  };
}

/** Its entry, with the rule that its place of declaration adds. */
export function makeEntry(
  tool: McpTool,
  admits?: (admission: McpAdmission) => boolean | Promise<boolean>,
): McpToolEntry {
  return { tool, origin: `Tools.${tool.name}`, ...(admits && { admits }) };
}

/** Declares tools that are sound. */
export function declare(...tools: readonly (McpTool | McpToolEntry)[]): McpToolIndex {
  return declareMcpTools(tools.map((each) => ('tool' in each ? each : makeEntry(each))));
}
