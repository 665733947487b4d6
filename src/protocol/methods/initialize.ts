/**
 * `initialize`: the handshake of the legacy revisions (2025-11-25, lifecycle). The revision was agreed on when the
 * request was read.
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { serverInfo } from '../era.js';
import { whenFound } from '../in-run.js';
import { introduce } from '../introduction.js';
import type { McpCall } from '../read.js';

export function initialize(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown> | undefined> {
  return whenFound(call, context, introduce(context, context.channel !== undefined), (introduction) => ({
    protocolVersion: call.version,
    serverInfo: serverInfo(context.server),
    ...introduction,
  }));
}
