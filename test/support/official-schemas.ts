/**
 * The official schemas (`@modelcontextprotocol/core`) as the judge of every message that this package sends.
 */
import {
  CallToolResultSchema,
  CompleteResultSchema,
  CreateMessageRequestSchema,
  DiscoverResultSchema,
  ElicitRequestSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCResultResponseSchema,
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListRootsRequestSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
  PromptListChangedNotificationSchema,
  ReadResourceResultSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  SubscriptionsAcknowledgedNotificationSchema,
  SubscriptionsListenResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/core';
import type { McpAnswer } from '../../src/protocol/context.js';
import type { JsonRpcResponse } from '../../src/protocol/messages.js';

interface Schema {
  parse(value: unknown): unknown;
}

const RESULTS: Readonly<Record<string, Schema>> = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'logging/setLevel': EmptyResultSchema,
  'server/discover': DiscoverResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
  'completion/complete': CompleteResultSchema,
  'prompts/list': ListPromptsResultSchema,
  'prompts/get': GetPromptResultSchema,
  'resources/list': ListResourcesResultSchema,
  'resources/templates/list': ListResourceTemplatesResultSchema,
  'resources/read': ReadResourceResultSchema,
  'resources/subscribe': EmptyResultSchema,
  'resources/unsubscribe': EmptyResultSchema,
  'subscriptions/listen': SubscriptionsListenResultSchema,
};

const NOTIFICATIONS: Readonly<Record<string, Schema>> = {
  'notifications/progress': ProgressNotificationSchema,
  'notifications/message': LoggingMessageNotificationSchema,
  'notifications/tools/list_changed': ToolListChangedNotificationSchema,
  'notifications/prompts/list_changed': PromptListChangedNotificationSchema,
  'notifications/resources/list_changed': ResourceListChangedNotificationSchema,
  'notifications/resources/updated': ResourceUpdatedNotificationSchema,
  'notifications/subscriptions/acknowledged': SubscriptionsAcknowledgedNotificationSchema,
};

/** Throws for what is no notification that a server may send. */
export function holdNotification(notification: unknown): void {
  const { method } = JSONRPCNotificationSchema.parse(notification);
  const schema = NOTIFICATIONS[method];
  if (schema === undefined) throw new Error(`No server sends ${method}.`);
  schema.parse(notification);
}

/** Throws when an answer, or a notification on the way to it, is not what the official schemas allow. */
export function holdAgainstOfficialSchemas(
  message: unknown,
  answer: McpAnswer,
  notifications: readonly unknown[],
): void {
  for (const notification of notifications) holdNotification(notification);
  const bodies = answer.body === undefined ? [] : Array.isArray(answer.body) ? answer.body : [answer.body];
  for (const body of bodies as JsonRpcResponse[]) {
    if ('error' in body) holdError(body);
    else {
      JSONRPCResultResponseSchema.parse(body);
      if (body.result['resultType'] === 'input_required') holdQuestions(body.result);
      else RESULTS[methodOf(message, body.id)]!.parse(body.result);
    }
  }
}

const QUESTIONS: Readonly<Record<string, Schema>> = {
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'roots/list': ListRootsRequestSchema,
};

/** A result that asks: what a client is asked in it, and nothing of another result. */
export function holdQuestions(result: Readonly<Record<string, unknown>>): void {
  const { resultType: _, inputRequests, requestState, _meta, ...rest } = result;
  if (Object.keys(rest).length > 0) throw new Error(`a result that asks carries ${Object.keys(rest).join()}`);
  if (typeof requestState !== 'string' || typeof _meta !== 'object') throw new Error('a result that asks lacks state');
  const questions = Object.values(inputRequests as Record<string, { method: string }>);
  if (questions.length === 0) throw new Error('a result that asks asks nothing');
  for (const question of questions) QUESTIONS[question.method]!.parse(question);
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
