/**
 * `resources/templates/list`: the resource templates that the caller has (2026-07-28, resources).
 */
import { whenThere, type Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { refuseCursor } from '../cursor.js';
import { offered } from '../offered.js';
import type { McpCall } from '../read.js';
import { publishMcpResources } from '../../resources/publish.js';

export function resourceTemplatesList(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown>> {
  return offered(call, context.resources?.(), (catalogue) => {
    refuseCursor(call, 'templates');
    return whenThere(catalogue.templates(), (entries) => ({ resourceTemplates: publishMcpResources(entries) }));
  });
}
