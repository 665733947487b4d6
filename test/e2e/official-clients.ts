/**
 * The official clients, each in every mode that it has, behind one face; with every message that the server sends them
 * taken down and held against the official schemas.
 */
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCResultResponseSchema,
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/core';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { holdNotification } from '../support/official-schemas.js';

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface CallOptions {
  onprogress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** What the tests ask of a client, whichever it is. */
export interface OfficialClient {
  list(): Promise<{ name: string; inputSchema: Record<string, unknown> }[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  prompts(): Promise<{ name: string; arguments?: { name: string; required?: boolean }[] }[]>;
  prompt(name: string, args?: Record<string, string>): Promise<{ role: string; content: { type: string } }[]>;
  complete(
    ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
    argument: { name: string; value: string },
    others?: Record<string, string>,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
  resources(): Promise<{ uri: string }[]>;
  templates(): Promise<{ uriTemplate: string }[]>;
  read(uri: string): Promise<{ uri: string; mimeType?: string; text?: string; blob?: string }[]>;
  instructions(): string | undefined;
  close(): Promise<void>;
  /** Media types of the answers so far, in their order. */
  readonly mediaTypes: string[];
  /** The number of messages received; throws when one of them breaks its schema. */
  checked(): number;
}

export const CLIENTS: readonly {
  name: string;
  era: 'legacy' | 'modern';
  connect: (url: URL) => Promise<OfficialClient>;
}[] = [
  { name: 'v1 client', era: 'legacy', connect: connectV1 },
  { name: 'v2 client', era: 'legacy', connect: (url) => connectV2(url) },
  { name: 'v2 client, auto', era: 'modern', connect: (url) => connectV2(url, 'auto') },
  { name: 'v2 client, pinned to 2026-07-28', era: 'modern', connect: (url) => connectV2(url, { pin: '2026-07-28' }) },
];

const IDENTITY = { name: 'nestjs-mcp-gate-tests', version: '1.0.0' };

async function connectV1(url: URL): Promise<OfficialClient> {
  const record = new MessageRecord();
  const client = new ClientV1(IDENTITY);
  await client.connect(new TransportV1(url, { fetch: record.fetch }));
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options) =>
      (await client.callTool({ name, ...(args && { arguments: args }) }, undefined, options)) as ToolResult,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) => (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages,
    complete: async (ref, argument, others) =>
      (await client.complete({ ref, argument, ...(others && { context: { arguments: others } }) })).completion,
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    instructions: () => client.getInstructions(),
    close: () => client.close(),
    mediaTypes: record.mediaTypes,
    checked: () => record.checked(),
  };
}

async function connectV2(url: URL, mode?: 'auto' | { pin: string }): Promise<OfficialClient> {
  const record = new MessageRecord();
  const client = new ClientV2(IDENTITY, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(new TransportV2(url, { fetch: record.fetch }));
  return {
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options) => client.callTool({ name, ...(args && { arguments: args }) }, options),
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) => (await client.getPrompt({ name, ...(args && { arguments: args }) })).messages,
    complete: async (ref, argument, others) =>
      (await client.complete({ ref, argument, ...(others && { context: { arguments: others } }) })).completion,
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    instructions: () => client.getInstructions(),
    close: () => client.close(),
    mediaTypes: record.mediaTypes,
    checked: () => record.checked(),
  };
}

const RESULT_SCHEMAS: Record<string, { parse(value: unknown): unknown }> = {
  initialize: InitializeResultSchema,
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

/** Methods whose modern results no client may keep. */
const UNCACHED = new Set(['tools/call', 'prompts/get', 'completion/complete']);

/** A fetch that keeps a copy of what comes back, as far as it has come: a cancelled answer never ends. */
class MessageRecord {
  readonly mediaTypes: string[] = [];
  private readonly bodies: { method: string; modern: boolean; text: string }[] = [];

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    if (init?.method === 'POST' && typeof init.body === 'string') {
      const { method } = JSON.parse(init.body) as { method: string };
      const modern = init.body.includes('io.modelcontextprotocol/protocolVersion');
      this.mediaTypes.push(response.headers.get('content-type') ?? '');
      const body = { method, modern, text: '' };
      this.bodies.push(body);
      void this.copy(response.clone(), body).catch(() => undefined); // cancelled: what came before counts
    }
    return response;
  };

  /** Holds every whole message so far against its schema, and gives their number. */
  checked(): number {
    let count = 0;
    for (const { method, modern, text } of this.bodies) {
      for (const message of messagesOf(text)) {
        checkMessage(message, method, modern);
        count += 1;
      }
    }
    return count;
  }

  private async copy(response: Response, into: { text: string }): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) into.text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
}

function messagesOf(text: string): Record<string, unknown>[] {
  if (text === '') return [];
  if (text.startsWith('{')) return [JSON.parse(text) as Record<string, unknown>];
  return text
    .split('\n')
    .slice(0, -1) // the last line may still be on its way
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}

/** Throws when a message breaks its schema, or has not the shape of the era that it was asked in. */
export function checkMessage(message: Record<string, unknown>, method: string, modern: boolean): void {
  if ('error' in message) JSONRPCErrorResponseSchema.parse(message);
  else if ('method' in message) holdNotification(message);
  else {
    JSONRPCResultResponseSchema.parse(message);
    const result = message['result'] as Record<string, unknown>;
    RESULT_SCHEMAS[method]?.parse(result);
    // P8: the official schemas bear both shapes, a revision does not.
    const marks = ['resultType', 'ttlMs', 'cacheScope'].filter((key) => key in result);
    const cached = ['resultType', 'ttlMs', 'cacheScope'];
    const expected = !modern ? [] : UNCACHED.has(method) ? ['resultType'] : cached;
    if (marks.join() !== expected.join()) throw new Error(`${method} carries ${marks.join()}, not ${expected.join()}`);
  }
}
