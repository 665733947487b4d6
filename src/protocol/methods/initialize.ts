/**
 * `initialize`: the handshake of the legacy revisions (2025-11-25, lifecycle). The revision was agreed on when the
 * request was read.
 */
import type { McpMessageContext } from '../context.js';
import { serverInfo } from '../era.js';
import { introduce } from '../introduction.js';
import type { McpCall } from '../read.js';

export async function initialize(call: McpCall, context: McpMessageContext): Promise<Record<string, unknown>> {
  return {
    protocolVersion: call.version,
    serverInfo: serverInfo(context.server),
    ...(await introduce(context, context.channel !== undefined)),
  };
}
