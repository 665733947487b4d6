/**
 * `resources/templates/list`: the resource templates that the caller has (2026-07-28, resources).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { offered } from '../offered.js';
import { inPages } from '../pages.js';
import type { McpCall } from '../read.js';
import { publishMcpResources } from '../../resources/publish.js';

export function resourceTemplatesList(
  call: McpCall,
  context: McpMessageContext,
): Awaitable<Record<string, unknown> | undefined> {
  return offered(call, context.resources?.(), (catalogue) =>
    inPages(call, context, catalogue.templates(), (entries) => ({ resourceTemplates: publishMcpResources(entries) })),
  );
}
