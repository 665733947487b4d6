/**
 * `tools/list`: the tools that the caller has (2026-07-28, tools).
 */
import { whenThere, type Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { refuseCursor } from '../cursor.js';
import type { McpCall } from '../read.js';
import { publishMcpTools } from '../../tools/publish.js';

export function toolsList(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown>> {
  refuseCursor(call, 'tools');
  return whenThere(context.catalogue.list(), (entries) => ({ tools: publishMcpTools(entries) }));
}
