/**
 * What may change in an application while clients are there: what an event of it says, and no more. Plain JSON, so that a bus
 * may carry it from one process to another.
 */

/** The lists that clients are told of. That of resources stands for the templates, too. */
export const MCP_LISTS = ['tools', 'prompts', 'resources'] as const;

/** A list that clients may have. */
export type McpListKind = (typeof MCP_LISTS)[number];

/** Something has changed: a list, or what is under one URI. Whom it concerns is found out by whoever hears of it. */
export type McpEvent = { readonly kind: McpListKind } | { readonly kind: 'resource'; readonly uri: string };

/** Whether a value is an event. What came over a bus may be anything, also of a later version of this package. */
export function isMcpEvent(value: unknown): value is McpEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, uri } = value as { readonly kind?: unknown; readonly uri?: unknown };
  return kind === 'resource' ? typeof uri === 'string' && uri !== '' : MCP_LISTS.some((list) => list === kind);
}
