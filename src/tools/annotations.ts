/**
 * Whether a tool says what a client's user must know of it. The specification assumes the worst of what is not said
 * (writes, destroys, reaches outside), so silence is a fault of the author, and a check can find it.
 */
import type { McpTool } from './tool.js';

/**
 * The faults of a tool's annotations, each a sentence with the way out; empty when there are none. For tests and for a
 * warning at boot. Does NOT check that the hints are true, and no hint is an authorization.
 */
export function checkMcpAnnotations(tool: Pick<McpTool, 'name' | 'annotations'>): string[] {
  const hints = tool.annotations ?? {};
  const faults: string[] = [];
  const fault = (text: string) => faults.push(`Tool "${tool.name}": ${text}`);
  if (hints.readOnlyHint === undefined) {
    fault('say with readOnlyHint whether it only reads; unsaid, clients assume that it writes.');
  }
  if (hints.openWorldHint === undefined) {
    fault('say with openWorldHint whether it reaches outside the application; unsaid, clients assume that it does.');
  }
  if (hints.readOnlyHint === false && hints.destructiveHint === undefined) {
    fault('it writes, so say with destructiveHint whether it may destroy; unsaid, clients assume that it does.');
  }
  if (hints.readOnlyHint === true) {
    for (const pointless of ['destructiveHint', 'idempotentHint'] as const) {
      if (hints[pointless] !== undefined) fault(`${pointless} says nothing on a tool that only reads: remove it.`);
    }
  }
  return faults;
}
