/** The official clients hear what tools log, in each era's way, on both platforms. */
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import {
  Annotations,
  McpModule,
  McpProgress,
  McpRequestContext,
  McpTool,
  Run,
  type McpLogLevel,
  type McpRun,
} from 'nestjs-mcp-gate';
import { concat, defer, map, of, type Observable } from 'rxjs';
import { PLATFORMS, serve, type Served } from '../nest/serve.js';

const READS = { readOnlyHint: true, openWorldHint: false };
const tool = (name: string): MethodDecorator => McpTool({ name, description: `The tool ${name}.` });

/** A service that knows nothing of tools, and may be called by a route as well. */
@Injectable()
class Disk {
  async read() {
    await Promise.resolve();
    McpRequestContext.run()?.log('warning', { free: '3 %' }, 'disk');
    return 'read';
  }
}

@Injectable()
class Wrap implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value) => `wrapped ${String(value)}`));
  }
}

@Injectable()
class DiskTools {
  constructor(private readonly disk: Disk) {}

  @tool('plain')
  @Annotations(READS)
  async plain(@Run() run: McpRun) {
    for (const word of ['one', 'two', 'three']) {
      run.log('info', word);
      await Promise.resolve();
    }
    run.log('debug', 'for nobody');
    return 'done';
  }

  @tool('service')
  @Annotations(READS)
  service() {
    return this.disk.read();
  }

  @tool('stream')
  @Annotations(READS)
  @UseInterceptors(Wrap)
  stream(@Run() run: McpRun): Observable<McpProgress | string> {
    const work = defer(() => {
      run.log('notice', 'subscribed');
      McpRequestContext.run()?.log('notice', 'and below');
      return of(new McpProgress(1, 2), 'streamed');
    });
    return concat(of(new McpProgress(0, 2)), work);
  }

  @tool('generator')
  @Annotations(READS)
  async *generator(@Run() run: McpRun) {
    yield new McpProgress(1);
    run.log('error', 'generated');
    yield 'done';
  }
}

interface Heard {
  level: string;
  logger?: string;
  data: unknown;
}

interface Client {
  /** Asks for a level, in the way of the era; calls, and gives the text and what was heard. */
  call(name: string, level?: McpLogLevel): Promise<{ text: string; heard: Heard[] }>;
  setLevel?(level: string): Promise<unknown>;
  capabilities(): object | undefined;
  close(): Promise<void>;
}

const IDENTITY = { name: 'nestjs-mcp-gate-tests', version: '1.0.0' };
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

/** A user agent of its own for each client: levels of legacy ones are kept by it. */
let clients = 0;
const request = () => ({ requestInit: { headers: { 'user-agent': `tests/${++clients}` } } });

async function connectV1(url: URL): Promise<Client> {
  const client = new ClientV1(IDENTITY);
  const heard: Heard[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
  await client.connect(new TransportV1(url, request()));
  return {
    async call(name, level) {
      if (level !== undefined) await client.setLoggingLevel(level);
      return { text: textOf(await client.callTool({ name })), heard: heard.splice(0) };
    },
    setLevel: (level) => client.setLoggingLevel(level as McpLogLevel),
    capabilities: () => client.getServerCapabilities(),
    close: () => client.close(),
  };
}

async function connectV2(url: URL, mode?: 'auto' | { pin: string }): Promise<Client> {
  const client = new ClientV2(IDENTITY, mode && { versionNegotiation: { mode } });
  const heard: Heard[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
  await client.connect(new TransportV2(url, request()));
  const isModern = mode !== undefined;
  return {
    async call(name, level) {
      if (level !== undefined && !isModern) await client.setLoggingLevel(level);
      const _meta = level !== undefined && isModern && { 'io.modelcontextprotocol/logLevel': level };
      const result = await client.callTool({ name, ...(_meta && { _meta }) });
      return { text: textOf(result), heard: heard.splice(0) };
    },
    ...(!isModern && { setLevel: (level: string) => client.setLoggingLevel(level as McpLogLevel) }),
    capabilities: () => client.getServerCapabilities(),
    close: () => client.close(),
  };
}

const CLIENTS: readonly { name: string; connect: (url: URL) => Promise<Client> }[] = [
  { name: 'v1 client', connect: connectV1 },
  { name: 'v2 client', connect: (url) => connectV2(url) },
  { name: 'v2 client, auto', connect: (url) => connectV2(url, 'auto') },
  { name: 'v2 client, pinned to 2026-07-28', connect: (url) => connectV2(url, { pin: '2026-07-28' }) },
];

describe.each(PLATFORMS)('tools that log, on %s', (platform) => {
  let gate: Served;
  beforeAll(async () => {
    gate = await serve({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Disk, DiskTools] }, { platform });
  });
  afterAll(() => gate.close());

  describe.each(CLIENTS)('are heard by the $name', ({ connect }) => {
    let client: Client;
    beforeEach(async () => {
      client = await connect(new URL('/mcp', gate.url));
    });
    afterEach(() => client.close());

    it('which was told that it may ask', () => {
      expect(client.capabilities()).toMatchObject({ logging: {} });
    });

    it('as far as it has asked, and not at all before', async () => {
      expect(await client.call('plain')).toEqual({ text: 'done', heard: [] });
      expect(await client.call('plain', 'info')).toEqual({
        text: 'done',
        heard: ['one', 'two', 'three'].map((data) => ({ level: 'info', data })),
      });
      expect(await client.call('plain', 'error')).toEqual({ text: 'done', heard: [] });
    });

    it('from a service below the tool, which knows nothing of it', async () => {
      expect(await client.call('service', 'debug')).toEqual({
        text: 'read',
        heard: [{ level: 'warning', logger: 'disk', data: { free: '3 %' } }],
      });
    });

    it('from an Observable behind an interceptor, and from a generator (R3)', async () => {
      expect(await client.call('stream', 'debug')).toEqual({
        text: 'wrapped streamed',
        heard: ['subscribed', 'and below'].map((data) => ({ level: 'notice', data })),
      });
      expect(await client.call('generator', 'debug')).toEqual({
        text: 'done',
        heard: [{ level: 'error', data: 'generated' }],
      });
    });
  });

  it.each(CLIENTS.slice(0, 2))('refuse a level that does not exist to the $name', async ({ connect }) => {
    const client = await connect(new URL('/mcp', gate.url));
    await expect(client.setLevel!('loud')).rejects.toThrow(/"level\W+ of \W+logging\/setLevel\W+ is one of debug/);
    await client.close();
  });
});

it('log nowhere outside of a tool', async () => {
  await expect(new Disk().read()).resolves.toBe('read');
});
