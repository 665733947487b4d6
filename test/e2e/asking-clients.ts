/** The official clients, each with a user, a model and folders, over HTTP and over a pipe. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ServerCommand } from './official-stdio-clients.js';

/** Who sits at a client: what they say, and what they were asked. */
export class Person {
  readonly asked: Record<string, unknown>[] = [];
  /** What they fill in; nothing: they decline. */
  content: Record<string, string | number> | undefined = {};

  readonly elicit = (params: unknown) => {
    this.asked.push(params as Record<string, unknown>);
    if (this.content === undefined) return { action: 'decline' as const };
    return 'url' in (params as object)
      ? { action: 'accept' as const }
      : { action: 'accept' as const, content: this.content };
  };

  readonly sample = (params: unknown) => {
    this.asked.push(params as Record<string, unknown>);
    return { role: 'assistant' as const, content: { type: 'text' as const, text: 'Hello' }, model: 'tested' };
  };

  readonly roots = () => ({ roots: [{ uri: 'file:///home/ada', name: 'home' }] });
}

export interface AskedClient {
  call(name: string): Promise<{ content: { text?: string }[]; isError?: boolean }>;
  prompt(name: string): Promise<{ content: { text?: string } }[]>;
  read(uri: string): Promise<{ text?: string }[]>;
  close(): Promise<void>;
}

/** Where a client finds its server. */
export type Server = { readonly url: URL } | { readonly command: ServerCommand };

const IDENTITY = { name: 'asked', version: '1.0.0' };
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export const ASKED_CLIENTS: readonly {
  name: string;
  era: 'legacy' | 'modern';
  connect: (server: Server, person?: Person) => Promise<AskedClient>;
}[] = [
  { name: 'v1 client', era: 'legacy', connect: connectV1 },
  { name: 'v2 client', era: 'legacy', connect: (server, person) => connectV2(server, person) },
  { name: 'v2 client, auto', era: 'modern', connect: (server, person) => connectV2(server, person, 'auto') },
  {
    name: 'v2 client, pinned to 2026-07-28',
    era: 'modern',
    connect: (server, person) => connectV2(server, person, { pin: '2026-07-28' }),
  },
];

async function connectV1(server: Server, person?: Person): Promise<AskedClient> {
  const client = new ClientV1(IDENTITY, { capabilities: person ? CAPABILITIES : {} });
  if (person !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person.elicit(params));
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => person.sample(params));
    client.setRequestHandler(ListRootsRequestSchema, person.roots);
  }
  await client.connect('url' in server ? new HttpV1(server.url) : new StdioV1({ ...server.command, stderr: 'ignore' }));
  return {
    call: async (name) => (await client.callTool({ name })) as Awaited<ReturnType<AskedClient['call']>>,
    prompt: async (name) => (await client.getPrompt({ name })).messages as { content: { text?: string } }[],
    read: async (uri) => (await client.readResource({ uri })).contents as { text?: string }[],
    close: () => client.close(),
  };
}

async function connectV2(server: Server, person?: Person, mode?: 'auto' | { pin: string }): Promise<AskedClient> {
  const negotiation = mode === undefined ? {} : { versionNegotiation: { mode } };
  const client = new ClientV2(IDENTITY, { capabilities: person ? CAPABILITIES : {}, ...negotiation });
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }) => person.elicit(params));
    client.setRequestHandler('sampling/createMessage', ({ params }) => person.sample(params));
    client.setRequestHandler('roots/list', person.roots);
  }
  await client.connect('url' in server ? new HttpV2(server.url) : new StdioV2({ ...server.command, stderr: 'ignore' }));
  return {
    call: async (name) => (await client.callTool({ name })) as Awaited<ReturnType<AskedClient['call']>>,
    prompt: async (name) => (await client.getPrompt({ name })).messages as { content: { text?: string } }[],
    read: async (uri) => (await client.readResource({ uri })).contents as { text?: string }[],
    close: () => client.close(),
  };
}
