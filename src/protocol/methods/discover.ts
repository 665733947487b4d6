/**
 * `server/discover`: what this server speaks and offers, for a client that asks first (2026-07-28, discovery).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { whenFound } from '../in-run.js';
import { introduce } from '../introduction.js';
import type { McpCall } from '../read.js';

export function discover(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown> | undefined> {
  if (!context.server.discover) throw McpProtocolError.methodNotFound(call.method);
  return whenFound(call, context, introduce(context, context.news !== undefined), (introduction) => ({
    supportedVersions: [...context.server.versions],
    ...introduction,
  }));
}
