/**
 * `initialize`: the handshake of the legacy revisions (2025-11-25, lifecycle). The revision was agreed on when the
 * request was read.
 */
import type { McpMessageContext } from '../context.js';
import { serverInfo } from '../era.js';
import { CAPABILITIES, instructionsFor } from '../introduction.js';
import type { McpCall } from '../read.js';

export async function initialize(call: McpCall, context: McpMessageContext): Promise<Record<string, unknown>> {
  const instructions = await instructionsFor(context);
  return {
    protocolVersion: call.version,
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(context.server),
    ...(instructions !== undefined && { instructions }),
  };
}
