/**
 * The tools of this package itself, told from those of applications by their names.
 */
import type { McpTool } from './tool.js';

/** No application's tool has it: its declaration is discarded. */
export const MCP_RESERVED_PREFIX = 'nest_';

/** Whether a tool is one of the package's own. */
export function isOwnTool({ name }: Pick<McpTool, 'name'>): boolean {
  return name.startsWith(MCP_RESERVED_PREFIX);
}
