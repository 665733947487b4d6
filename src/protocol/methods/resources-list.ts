/**
 * `resources/list`: the resources that the caller has (2026-07-28, resources).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { offered } from '../offered.js';
import { inPages } from '../pages.js';
import type { McpCall } from '../read.js';
import { publishMcpResources } from '../../resources/publish.js';

export function resourcesList(
  call: McpCall,
  context: McpMessageContext,
): Awaitable<Record<string, unknown> | undefined> {
  return offered(call, context.resources?.(), (catalogue) =>
    inPages(call, context, catalogue.list(), (entries) => ({ resources: publishMcpResources(entries) })),
  );
}
