/** Changes as the official clients hear of them: subscriptions of 2026-07-28 in each way that the client has, and the legacy eras. */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  type ClientOptions,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpGates } from '../../src/index.js';
import { PLATFORMS, serve, type Served } from '../nest/serve.js';
import { wordsFor } from '../support/compiled.js';
import { EverythingModule } from '../conformance/app/everything.module.js';

const IDENTITY = { name: 'nestjs-mcp-gate-tests', version: '1.0.0' };
const PINNED = { versionNegotiation: { mode: { pin: '2026-07-28' } } } satisfies ClientOptions;
const WATCHED = 'test://watched-resource';
const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: [WATCHED, 'test://nothing'],
};

/** What a client was told, in its order, and the next of it. */
class News {
  private readonly heard: string[] = [];
  private tell: () => void = () => undefined;

  hear(what: string): void {
    this.heard.push(what);
    this.tell();
  }

  async next(): Promise<string> {
    while (this.heard.length === 0) await new Promise<void>((resolve) => (this.tell = resolve));
    return this.heard.shift()!;
  }

  get rest(): readonly string[] {
    return this.heard;
  }
}

/** A v2 client whose every fault fails the test, and what it is told. */
function newV2(options: ClientOptions) {
  const client = new ClientV2(IDENTITY, options);
  const news = new News();
  const faults: Error[] = [];
  // oxlint-disable-next-line prefer-add-event-listener -- the client has no other way
  client.onerror = (error) => faults.push(error);
  client.setNotificationHandler('notifications/tools/list_changed', () => news.hear('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => news.hear('prompts'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => news.hear(params.uri));
  return { client, news, faults };
}

const names = async (client: ClientV2 | ClientV1) => (await client.listTools()).tools.map(({ name }) => name);

describe.each(PLATFORMS)('a gate on %s', (platform) => {
  let gate: Served;
  let url: URL;
  beforeEach(async () => {
    gate = await serve({ imports: [EverythingModule.forRoot()] }, { platform });
    url = new URL('/mcp', gate.url);
  });
  afterEach(() => gate.close());

  const openSubscriptions = () => gate.app.get(McpGates).get('everything').openSubscriptions;
  async function untilOpen(count: number): Promise<void> {
    while (openSubscriptions() !== count) await new Promise((resolve) => setImmediate(resolve));
  }

  it.each(['pinned', 'auto'] as const)(
    'tells the v2 client, %s, of what it listens to, until it closes',
    async (mode) => {
      const { client, news, faults } = newV2(mode === 'pinned' ? PINNED : { versionNegotiation: { mode } });
      await client.connect(new TransportV2(url));
      expect(client.getServerCapabilities()).toMatchObject({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      });
      const subscription = await client.listen(EVERYTHING);
      expect(subscription.honoredFilter).toEqual({ ...EVERYTHING, resourceSubscriptions: [WATCHED] });
      const before = await names(client);

      await client.callTool({ name: 'test_trigger_tool_change' });
      expect(await news.next()).toBe('tools');
      expect(await names(client)).toEqual([...before, 'test_seasonal_tool']);
      await client.callTool({ name: 'test_trigger_prompt_change' });
      expect(await news.next()).toBe('prompts');
      expect((await client.listPrompts()).prompts.at(-1)?.name).toBe('test_seasonal_prompt');
      await client.callTool({ name: 'test_update_resource' });
      expect(await news.next()).toBe(WATCHED);
      expect((await client.readResource({ uri: WATCHED })).contents).toMatchObject([{ text: 'Watch me: edition 2.' }]);

      await subscription.close();
      expect(await subscription.closed).toBe('local');
      await untilOpen(0);
      await client.callTool({ name: 'test_trigger_tool_change' });
      expect([news.rest, faults]).toEqual([[], []]);
      await client.close();
    },
  );

  it('keeps several subscriptions of one client apart', async () => {
    const { client, news, faults } = newV2(PINNED);
    await client.connect(new TransportV2(url));
    const [tools, watched] = await Promise.all([
      client.listen({ toolsListChanged: true }),
      client.listen({ resourceSubscriptions: [WATCHED] }),
    ]);
    expect(openSubscriptions()).toBe(2);
    await tools.close();
    await untilOpen(1);
    await client.callTool({ name: 'test_trigger_tool_change' });
    await client.callTool({ name: 'test_update_resource' });
    expect(await news.next()).toBe(WATCHED);
    await watched.close();
    expect([news.rest, faults]).toEqual([[], []]);
    await client.close();
  });

  it('is listened to by a v2 client that only says what it wants to do when something changes', async () => {
    const news = new News();
    const client = new ClientV2(IDENTITY, {
      ...PINNED,
      listChanged: { tools: { onChanged: (_, tools) => news.hear(String(tools?.at(-1)?.name)) } },
    });
    await client.connect(new TransportV2(url));
    expect(client.autoOpenedSubscription?.honoredFilter).toEqual({ toolsListChanged: true });
    await client.callTool({ name: 'test_trigger_tool_change' });
    expect(await news.next()).toBe('test_seasonal_tool');
    await client.close();
    await untilOpen(0);
  });

  it('ends the subscriptions of a v2 client gracefully when the application is closed', async () => {
    const { client, faults } = newV2(PINNED);
    await client.connect(new TransportV2(url));
    const subscription = await client.listen({ toolsListChanged: true });
    await gate.close();
    expect(await subscription.closed).toBe('graceful');
    expect(faults).toEqual([]);
    await client.close();
  });

  it('promises a v1 client over HTTP nothing, and answers it all the same', async () => {
    const client = new ClientV1(IDENTITY);
    await client.connect(new TransportV1(url));
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, prompts: {}, resources: {} });
    expect(JSON.stringify(client.getServerCapabilities())).not.toMatch(/listChanged|subscribe/);
    expect(await client.subscribeResource({ uri: WATCHED })).toEqual({});
    expect(await client.unsubscribeResource({ uri: WATCHED })).toEqual({});
    await expect(client.subscribeResource({ uri: 'test://nothing' })).rejects.toMatchObject({ code: -32002 });
    await client.close();
  });
});

/** Processes start slowly on a busy machine. */
const PATIENT = 120_000;

describe('a gate over standard input and output', () => {
  const command = () => ({
    command: process.execPath,
    args: wordsFor(new URL('everything.stdio.ts', import.meta.url)),
    stderr: 'ignore' as const,
  });

  it(
    'tells the v2 client, pinned, of what it listens to, until it closes',
    async () => {
      const { client, news, faults } = newV2(PINNED);
      const transport = new StdioV2(command());
      await client.connect(transport);
      const [subscription, other] = await Promise.all([client.listen(EVERYTHING), client.listen({})]);
      expect(subscription.honoredFilter).toEqual({ ...EVERYTHING, resourceSubscriptions: [WATCHED] });
      await client.callTool({ name: 'test_trigger_tool_change' });
      expect(await news.next()).toBe('tools');
      await client.callTool({ name: 'test_trigger_prompt_change' });
      expect(await news.next()).toBe('prompts');
      await client.callTool({ name: 'test_update_resource' });
      expect(await news.next()).toBe(WATCHED);
      await subscription.close();
      await client.callTool({ name: 'test_trigger_tool_change' });
      expect(await names(client)).not.toContain('test_seasonal_tool');
      expect(news.rest).toEqual([]);

      process.kill(transport.pid!, 'SIGTERM');
      expect(await other.closed).toBe('graceful');
      expect(faults).toEqual([]);
      await client.close();
    },
    PATIENT,
  );

  it(
    'tells the v1 client of every list, and of what it has subscribed to',
    async () => {
      const client = new ClientV1(IDENTITY);
      const news = new News();
      const faults: Error[] = [];
      // oxlint-disable-next-line prefer-add-event-listener -- the client has no other way
      client.onerror = (error) => faults.push(error);
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => news.hear('tools'));
      client.setNotificationHandler(PromptListChangedNotificationSchema, () => news.hear('prompts'));
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => news.hear(params.uri));
      await client.connect(new StdioV1(command()));
      expect(client.getServerCapabilities()).toMatchObject({
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      });
      await client.callTool({ name: 'test_trigger_tool_change' });
      expect(await news.next()).toBe('tools');
      await client.callTool({ name: 'test_trigger_prompt_change' });
      expect(await news.next()).toBe('prompts');
      await client.callTool({ name: 'test_update_resource' });
      await client.subscribeResource({ uri: WATCHED });
      await client.callTool({ name: 'test_update_resource' });
      expect(await news.next()).toBe(WATCHED);
      await client.unsubscribeResource({ uri: WATCHED });
      await client.callTool({ name: 'test_update_resource' });
      await names(client);
      expect([news.rest, faults]).toEqual([[], []]);
      await client.close();
    },
    PATIENT,
  );
});
