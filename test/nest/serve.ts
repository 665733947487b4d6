/** One Nest application on a free port, and a client that speaks plain JSON-RPC to its gate. */
import type { INestApplication, LoggerService, ModuleMetadata, NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';

export const PLATFORMS = ['Express', 'Fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Collects what Nest's loggers say. */
export class LogBook implements LoggerService {
  readonly lines: { level: string; text: string; context: string }[] = [];

  log = this.writer('log');
  warn = this.writer('warn');
  error = this.writer('error');
  debug = this.writer('debug');
  verbose = this.writer('verbose');
  fatal = this.writer('fatal');

  /** Texts of a level, of the gate's own logger unless another context is named. */
  of(level: string, context = 'McpGate'): string[] {
    return this.lines.filter((line) => line.level === level && line.context === context).map(({ text }) => text);
  }

  private writer(level: string) {
    return (message: unknown, ...rest: unknown[]) => {
      const text = message instanceof Error ? String(message.stack) : String(message);
      this.lines.push({ level, text, context: String(rest.at(-1)) });
    };
  }
}

export interface ServeOptions {
  platform?: Platform;
  override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  configure?: (app: INestApplication) => unknown;
  options?: NestApplicationOptions;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: any;
  /** The messages of an SSE stream. */
  events: any[];
}

export interface Served {
  readonly app: INestApplication;
  readonly url: string;
  readonly log: LogBook;
  send(init: RequestInit & { path?: string }): Promise<Answer>;
  rpc(method: string, params?: object, init?: RequestInit & { path?: string }): Promise<Answer>;
  /** Names of the tools that the gate lists. */
  list(init?: RequestInit & { path?: string }): Promise<string[]>;
  tool(name: string, init?: RequestInit & { path?: string }): Promise<any>;
  /** The result of a call, or its error. */
  call(name: string, args?: object, init?: RequestInit & { path?: string }): Promise<any>;
  /** The text of a call's result; throws unless there is one. */
  text(name: string, args?: object, init?: RequestInit & { path?: string }): Promise<string>;
  close(): Promise<void>;
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

export async function serve(metadata: ModuleMetadata, given: ServeOptions = {}): Promise<Served> {
  const log = new LogBook();
  const builder = Test.createTestingModule(metadata).setLogger(log);
  const testing = await (given.override?.(builder) ?? builder).compile();
  const adapter =
    given.platform === 'Fastify' ? new FastifyAdapter({ forceCloseConnections: true }) : new ExpressAdapter();
  const app = testing.createNestApplication<NestFastifyApplication>(adapter as FastifyAdapter, {
    forceCloseConnections: true, // fetch may have opened a connection that it never used
    ...given.options,
    logger: log,
  });
  try {
    await given.configure?.(app);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close();
    throw error;
  }
  const url = await app.getUrl();

  async function send({ path = '/mcp', ...init }: RequestInit & { path?: string }): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      ...init,
      headers: { ...HEADERS, ...(init.headers as object) },
    });
    const text = await response.text();
    const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    const isJson = response.headers.get('content-type')?.includes('application/json') === true;
    const body = isJson && text !== '' ? JSON.parse(text) : events.at(-1);
    return { status: response.status, headers: response.headers, text, body, events };
  }

  let id = 0;
  const rpc: Served['rpc'] = (method, params, init) =>
    send({ ...init, body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, ...(params && { params }) }) });
  const tools = async (init?: RequestInit & { path?: string }) => {
    const { body } = await rpc('tools/list', {}, init);
    if (body?.result === undefined) throw new Error(`tools/list gave ${JSON.stringify(body)}`);
    return body.result.tools as { name: string }[];
  };
  const call: Served['call'] = async (name, args = {}, init) => {
    const { body } = await rpc('tools/call', { name, arguments: args }, init);
    return body?.result ?? body;
  };

  return {
    app,
    url,
    log,
    send,
    rpc,
    call,
    list: async (init) => (await tools(init)).map(({ name }) => name),
    tool: async (name, init) => (await tools(init)).find((tool) => tool.name === name),
    async text(name, args, init) {
      const result = await call(name, args, init);
      if (result?.isError === true || result?.content === undefined) throw new Error(JSON.stringify(result));
      return result.content[0].text;
    },
    close: () => app.close(),
  };
}

/** Serves, tests, and closes whatever happens. */
export async function served<T>(
  metadata: ModuleMetadata,
  options: ServeOptions,
  test: (gate: Served) => Promise<T>,
): Promise<T> {
  const gate = await serve(metadata, options);
  try {
    return await test(gate);
  } finally {
    await gate.close();
  }
}
