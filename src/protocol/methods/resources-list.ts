/**
 * `resources/list`: the resources that the caller has (2026-07-28, resources).
 */
import { whenThere, type Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { refuseCursor } from '../cursor.js';
import { offered } from '../offered.js';
import type { McpCall } from '../read.js';
import { publishMcpResources } from '../../resources/publish.js';

export function resourcesList(call: McpCall, context: McpMessageContext): Awaitable<Record<string, unknown>> {
  return offered(call, context.resources?.(), (catalogue) => {
    refuseCursor(call, 'resources');
    return whenThere(catalogue.list(), (entries) => ({ resources: publishMcpResources(entries) }));
  });
}
