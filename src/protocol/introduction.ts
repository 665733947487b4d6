/**
 * How a server introduces itself to an agent, in either era.
 */
import type { McpMessageContext } from './context.js';

/** What is offered. `listChanged` is not: nothing announces changes. */
export const CAPABILITIES = Object.freeze({ tools: Object.freeze({}) });

/** The gate's instructions, and how many tools wait for authorization: counted, never named (A3). */
export async function instructionsFor(context: McpMessageContext): Promise<string | undefined> {
  const parts: string[] = [];
  if (context.server.instructions !== undefined) parts.push(context.server.instructions);
  const reserved = await context.catalogue.reserved();
  if (reserved === 1) parts.push('1 more tool is available with authorization.');
  if (reserved > 1) parts.push(`${reserved} more tools are available with authorization.`);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}
