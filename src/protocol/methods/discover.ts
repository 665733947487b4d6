/**
 * `server/discover`: what this server speaks and offers, for a client that asks first (2026-07-28, discovery).
 */
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { introduce } from '../introduction.js';
import type { McpCall } from '../read.js';

export async function discover(call: McpCall, context: McpMessageContext): Promise<Record<string, unknown>> {
  if (!context.server.discover) throw McpProtocolError.methodNotFound(call.method);
  return {
    supportedVersions: [...context.server.versions],
    ...(await introduce(context, context.news !== undefined)),
  };
}
