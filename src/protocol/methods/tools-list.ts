/**
 * `tools/list`: the tools that the caller has (2026-07-28, tools).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { inPages } from '../pages.js';
import type { McpCall } from '../read.js';
import type { McpDeclaredTool } from '../../tools/declared-tool.js';
import { publishMcpTools } from '../../tools/publish.js';

export function toolsList(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown> | undefined> {
  return inPages(call, context, context.catalogue.list(), inWords);
}

function inWords(entries: readonly McpDeclaredTool[]): Record<string, unknown> {
  return { tools: publishMcpTools(entries) };
}
