/**
 * The official schemas (`@modelcontextprotocol/core`) as the judge of every message that this package sends.
 */
import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCResultResponseSchema,
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ProgressNotificationSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core';
import type { McpAnswer } from '../../src/protocol/context.js';
import type { JsonRpcResponse } from '../../src/protocol/messages.js';

interface Schema {
  parse(value: unknown): unknown;
}

const RESULTS: Readonly<Record<string, Schema>> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'server/discover': DiscoverResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'completion/complete': CompleteResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
};

/** Throws when an answer, or a notification on the way to it, is not what the official schemas allow. */
export function holdAgainstOfficialSchemas(
  message: unknown,
  answer: McpAnswer,
  notifications: readonly unknown[],
): void {
  for (const notification of notifications) {
    JSONRPCNotificationSchema.parse(notification);
    ProgressNotificationSchema.parse(notification);
  }
  const bodies = answer.body === undefined ? [] : Array.isArray(answer.body) ? answer.body : [answer.body];
  for (const body of bodies as JsonRpcResponse[]) {
    if ('error' in body) holdError(body);
    else {
      JSONRPCResultResponseSchema.parse(body);
      RESULTS[methodOf(message, body.id)]!.parse(body.result);
    }
  }
}

/** JSON-RPC 2.0 has `null` for an id that could not be read, which the schemas of MCP never adopted. */
function holdError(body: JsonRpcResponse): void {
  const { id, ...rest } = body;
  JSONRPCErrorResponseSchema.parse(id === null ? rest : body);
}

function methodOf(message: unknown, id: unknown): string {
  const messages = (Array.isArray(message) ? message : [message]) as ({ id: unknown; method: string } | null)[];
  return messages.find((each) => each?.id === id)!.method;
}
