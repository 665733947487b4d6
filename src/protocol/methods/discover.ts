/**
 * `server/discover`: what this server speaks and offers, for a client that asks first (2026-07-28, discovery).
 */
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { CAPABILITIES, instructionsFor } from '../introduction.js';
import type { McpCall } from '../read.js';

export async function discover(call: McpCall, context: McpMessageContext): Promise<Record<string, unknown>> {
  if (!context.server.discover) throw McpProtocolError.methodNotFound(call.method);
  const instructions = await instructionsFor(context);
  return {
    supportedVersions: [...context.server.versions],
    capabilities: CAPABILITIES,
    ...(instructions !== undefined && { instructions }),
  };
}
