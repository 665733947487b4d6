/**
 * The official clients over standard input and output, each in every mode that it has, with the transports as their users
 * have them: every line that a server writes to them is taken down and held against the official schemas.
 */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { alsoRead } from '../support/written.js';
import { checkMessage, type CallOptions, type OfficialClient, type ToolResult } from './official-clients.js';

/** How the server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** A client with a server of its own. */
export interface OfficialStdioClient extends Pick<
  OfficialClient,
  'list' | 'call' | 'instructions' | 'close' | 'checked'
> {
  /** The progress that the server has sent, whether or not the client has told of it. */
  readonly progress: () => number[];
  /** What the server has written to standard error. */
  readonly errors: () => string;
  /** How the server has ended: its code and its signal. */
  readonly ended: () => unknown[];
}

export const STDIO_CLIENTS: readonly {
  name: string;
  era: 'legacy' | 'modern';
  connect: (server: ServerCommand) => Promise<OfficialStdioClient>;
}[] = [
  { name: 'v1 client', era: 'legacy', connect: connectV1 },
  { name: 'v2 client', era: 'legacy', connect: (server) => connectV2(server) },
  { name: 'v2 client, auto', era: 'modern', connect: (server) => connectV2(server, 'auto') },
  {
    name: 'v2 client, pinned to 2026-07-28',
    era: 'modern',
    connect: (server) => connectV2(server, { pin: '2026-07-28' }),
  },
];

const IDENTITY = { name: 'nestjs-mcp-gate-tests', version: '1.0.0' };

async function connectV1(server: ServerCommand): Promise<OfficialStdioClient> {
  const transport = new TransportV1({ ...server, stderr: 'pipe' });
  const record = new LineRecord(transport);
  const client = new ClientV1(IDENTITY);
  await client.connect(transport);
  return {
    ...record.faces(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options?: CallOptions) =>
      (await client.callTool({ name, ...(args && { arguments: args }) }, undefined, options)) as ToolResult,
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

async function connectV2(server: ServerCommand, mode?: 'auto' | { pin: string }): Promise<OfficialStdioClient> {
  const transport = new TransportV2({ ...server, stderr: 'pipe' });
  const record = new LineRecord(transport);
  const client = new ClientV2(IDENTITY, mode === undefined ? {} : { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    ...record.faces(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args, options) => client.callTool({ name, ...(args && { arguments: args }) }, options),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

/** What both transports have, and what they hold of their server. */
interface Transport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  readonly stderr: unknown;
}

/** Reads along at one transport, from the first line on. */
class LineRecord {
  private readonly lines: string[] = [];
  private readonly asked = new Map<unknown, { method: string; modern: boolean }>();
  private child: ChildProcess | undefined;
  private errors = '';

  constructor(transport: Transport) {
    const start = transport.start.bind(transport);
    const send = transport.send.bind(transport);
    transport.start = async () => {
      await start();
      this.child = (transport as unknown as { _process: ChildProcess })._process;
      createInterface({ input: this.child.stdout! }).on('line', (line) => this.lines.push(line));
    };
    transport.send = (message) => {
      const { id, method } = message as { id?: unknown; method: string };
      const modern = JSON.stringify(message).includes('io.modelcontextprotocol/protocolVersion');
      if (id !== undefined) this.asked.set(id, { method, modern });
      return send(message);
    };
    (transport.stderr as Readable).on('data', (text: Buffer) => {
      this.errors += text.toString();
      alsoRead(text.toString());
    });
  }

  faces(): Pick<OfficialStdioClient, 'checked' | 'progress' | 'errors' | 'ended'> {
    return {
      progress: () =>
        this.lines.flatMap((line) => {
          const { params } = JSON.parse(line) as { params?: { progress: number } };
          return params === undefined ? [] : [params.progress];
        }),
      errors: () => this.errors,
      ended: () => [this.child?.exitCode, this.child?.signalCode],
      checked: () => {
        for (const line of this.lines) {
          const message = JSON.parse(line) as Record<string, unknown>;
          const { method, modern } = this.asked.get(message['id']) ?? { method: '', modern: false };
          checkMessage(message, method, modern);
        }
        return this.lines.length;
      },
    };
  }
}
