/**
 * What a client may know of a tool: an explicit projection, so that nothing of the server's side can leak into it (T11).
 */
import type { McpDeclaredTool } from './declared-tool.js';
import type { JsonSchema, McpAnnotations, McpIcon, McpTool } from './tool.js';

/** A tool in `tools/list`, in the newest revision's shape. */
export interface McpPublishedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: McpAnnotations;
  readonly icons?: readonly McpIcon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

const HINTS = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** The projection of one tool; schemas that were Standard Schemas are given as the JSON Schemas they describe. */
export function publishTool(tool: McpTool, inputSchema: JsonSchema, outputSchema?: JsonSchema): McpPublishedTool {
  const annotations = publishAnnotations(tool.annotations);
  return Object.freeze({
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(tool.icons !== undefined && { icons: tool.icons }),
    ...(tool._meta !== undefined && { _meta: tool._meta }),
  });
}

const published = new WeakMap<readonly McpDeclaredTool[], readonly McpPublishedTool[]>();

/** The projections of tools, in their order: the same array for the same array. */
export function publishMcpTools(tools: readonly McpDeclaredTool[]): readonly McpPublishedTool[] {
  let list = published.get(tools);
  if (list === undefined) published.set(tools, (list = Object.freeze(tools.map((tool) => tool.published))));
  return list;
}

/** Only what the author declared: no promise is invented in its name. */
function publishAnnotations(declared: McpAnnotations | undefined): McpAnnotations | undefined {
  if (declared === undefined) return undefined;
  const entries = HINTS.filter((hint) => declared[hint] !== undefined).map((hint) => [hint, declared[hint]]);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as McpAnnotations);
}
