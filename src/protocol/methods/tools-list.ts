/**
 * `tools/list`: the tools that the caller has (2026-07-28, tools). In one page: some clients read only the first.
 */
import { whenThere, type Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import type { McpCall } from '../read.js';
import { publishMcpTools } from '../../tools/publish.js';

export function toolsList(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown>> {
  if (call.params['cursor'] !== undefined) {
    throw McpProtocolError.invalidParams('Invalid cursor: this server gives none, all tools are on the first page.');
  }
  return whenThere(context.catalogue.list(), (entries) => ({ tools: publishMcpTools(entries) }));
}
