/**
 * `prompts/list`: the prompts that the caller has (2026-07-28, prompts).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { offered } from '../offered.js';
import { inPages } from '../pages.js';
import type { McpCall } from '../read.js';
import { publishMcpPrompts } from '../../prompts/declared-prompt.js';

export function promptsList(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown> | undefined> {
  return offered(call, context.prompts?.(), (catalogue) =>
    inPages(call, context, catalogue.list(), (entries) => ({ prompts: publishMcpPrompts(entries) })),
  );
}
