/** Subscriptions over a pipe: many on one channel, and in legacy revisions the channel itself (S1, S4, A2). */
import { createMcpEventBus, type McpEventBus } from '../../src/events/bus.js';
import type { McpEvent } from '../../src/events/event.js';
import { defineMcpGate } from '../../src/gate/gate.js';
import type { McpPrompt } from '../../src/prompts/prompt.js';
import { MCP_SUPPORTED_VERSIONS } from '../../src/protocol/revisions.js';
import type { McpResource } from '../../src/resources/resource.js';
import { McpToolIndex } from '../../src/tools/tool-index.js';
import { holdNotification } from '../support/official-schemas.js';
import { declare, makeEntry, makeTool } from '../support/tools.js';
import { Pipe, quiet, type Message, type PipeOptions } from './pipe.js';

const MODERN = '2026-07-28';
const TAG = 'io.modelcontextprotocol/subscriptionId';
const TOOLS = { toolsListChanged: true };
const stock: McpResource = { uri: 'shop://stock', name: 'stock', read: () => '4 knives' };
const ledger: McpResource = { uri: 'shop://ledger', name: 'ledger', scopes: ['shop:books'], read: () => 'secret' };
const review: McpPrompt = { name: 'review', handler: () => 'Review.' };

const pipes: Pipe[] = [];
afterEach(() => {
  for (const pipe of pipes.splice(0)) pipe.input.destroy();
});

/** A pipe to a gate with tools that a test changes, and the bus that tells it so. */
function open({ settings, ...options }: PipeOptions = {}) {
  const bus = createMcpEventBus();
  const tools = [makeEntry(makeTool())];
  const source = { fixed: () => McpToolIndex.EMPTY, fresh: () => declare(...tools) };
  const pipe = new Pipe({
    settings: { resources: [stock, ledger], prompts: [review], ...settings },
    parts: { events: bus, source },
    ...options,
  });
  pipe.served.catch(() => undefined);
  pipes.push(pipe);
  const publish = (event: McpEvent) => void bus.publish(event);
  let added = 0;
  return {
    pipe,
    tools,
    publish,
    addTool: () => {
      tools.push(makeEntry(makeTool({ name: `more_${(added += 1)}` })));
      publish({ kind: 'tools' });
    },
    listen: (id: unknown, notifications: object = TOOLS) =>
      pipe.ask(MODERN, 'subscriptions/listen', { notifications }, id),
  };
}

/** What was said unasked, in its order. */
const unasked = (pipe: Pipe): Message[] => {
  const said = pipe.messages.filter((message) => 'method' in message);
  for (const message of said) if (message['method'] !== 'notifications/cancelled') holdNotification(message);
  return said;
};
const saidOf = async (pipe: Pipe, id: unknown) => {
  await quiet();
  return unasked(pipe)
    .filter(({ params }) => params?._meta?.[TAG] === id)
    .map(({ method }) => method as string);
};
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const CHANGED = 'notifications/tools/list_changed';
const UPDATED = 'notifications/resources/updated';
const cancel = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

describe('subscriptions on one channel', () => {
  it('are told apart by their ids, each acknowledged before anything else of it', async () => {
    const { pipe, publish, addTool, listen } = open();
    listen(1);
    listen('1', { resourceSubscriptions: ['shop://stock', 'shop://ledger'] });
    listen('b');
    await quiet();
    addTool();
    publish({ kind: 'resource', uri: 'shop://stock' });
    publish({ kind: 'resource', uri: 'shop://ledger' });
    expect(await saidOf(pipe, 1)).toEqual([ACKNOWLEDGED, CHANGED]);
    expect(await saidOf(pipe, '1')).toEqual([ACKNOWLEDGED, UPDATED]);
    expect(await saidOf(pipe, 'b')).toEqual([ACKNOWLEDGED, CHANGED]);
    expect(pipe.gate.openSubscriptions).toBe(3);
    expect(pipe.gate.liveRuns).toBe(0);
  });

  it('end one by one, and nothing more is said of one that was cancelled', async () => {
    const { pipe, addTool, listen } = open();
    listen(1);
    listen(2);
    await quiet();
    pipe.send(cancel(1));
    await quiet();
    addTool();
    expect(await saidOf(pipe, 1)).toEqual([ACKNOWLEDGED]);
    expect(await saidOf(pipe, 2)).toEqual([ACKNOWLEDGED, CHANGED]);
    expect(pipe.messages.filter((message) => 'id' in message)).toEqual([]);
    expect(pipe.gate.openSubscriptions).toBe(1);
  });

  it('end, when cancelled, with what waits to be written', async () => {
    let taken: () => void = () => undefined;
    const { pipe, addTool, listen } = open({ write: () => new Promise((resolve) => (taken = resolve)) });
    listen(1);
    await pipe.first(1); // being written
    addTool();
    await quiet();
    pipe.send(cancel(1));
    await quiet();
    taken();
    expect(await saidOf(pipe, 1)).toEqual([ACKNOWLEDGED]);
  });

  it('G6: of a slow reader hold the newest of each alone, and their acknowledgements always', async () => {
    let taken: () => void = () => undefined;
    const { pipe, addTool, publish, listen } = open({ write: () => new Promise((resolve) => (taken = resolve)) });
    listen(1, { ...TOOLS, resourceSubscriptions: ['shop://stock'] });
    await pipe.first(1);
    listen(2);
    for (let round = 0; round < 1_000; round += 1) {
      addTool();
      publish({ kind: 'resource', uri: 'shop://stock' });
      if (round % 50 === 0) await quiet();
    }
    await quiet();
    for (let line = 1; line <= 5; line += 1) {
      taken();
      await quiet();
    }
    expect(await saidOf(pipe, 1)).toEqual([ACKNOWLEDGED, CHANGED, UPDATED]);
    expect(await saidOf(pipe, 2)).toEqual([ACKNOWLEDGED, CHANGED]);
  });

  it('end gracefully when this side ends: with their results, and the notification that says so by the id', async () => {
    const end = new AbortController();
    const { pipe, addTool, listen } = open({ signal: end.signal });
    listen(1);
    listen('b');
    await quiet();
    end.abort();
    await pipe.served;
    addTool();
    await quiet();
    const result = (id: unknown) => ({
      jsonrpc: '2.0',
      id,
      result: {
        resultType: 'complete',
        _meta: { [TAG]: id, 'io.modelcontextprotocol/serverInfo': { name: 'shop', version: '0.0.0' } },
      },
    });
    expect(pipe.messages.slice(2)).toEqual([result(1), cancel(1), result('b'), cancel('b')]);
    expect(pipe.gate.openSubscriptions).toBe(0);
  });

  it('end with the gate, whose process is ending', async () => {
    const { pipe, listen } = open();
    listen(1);
    await quiet();
    pipe.gate.close();
    expect(await pipe.answer(1)).toMatchObject({ result: { resultType: 'complete' } });
    listen(2);
    expect(await pipe.answer(2)).toMatchObject({ error: { code: -32603, message: expect.stringMatching(/shutting/) } });
    await quiet();
    expect(unasked(pipe).slice(1)).toEqual([cancel(1)]); // what was never opened is not torn down
  });

  it('S4: end with the client, without a word, and keep nobody', async () => {
    const { pipe, listen } = open();
    listen(1);
    await quiet();
    pipe.input.end();
    await pipe.served;
    expect(pipe.messages).toHaveLength(1);
    expect([pipe.gate.openSubscriptions, pipe.clock.pending]).toEqual([0, 0]);
  });

  it('are as many as one pipe may have, and those of another pipe do not count', async () => {
    const settings = { subscriptions: { perCaller: 1 } };
    const { pipe, listen } = open({ settings });
    listen(1);
    listen(2);
    expect(await pipe.answer(2)).toMatchObject({
      error: { code: -32603, message: expect.stringMatching(/one subscription/) },
    });
    pipe.send(cancel(1));
    listen(3);
    expect(await saidOf(pipe, 3)).toEqual([ACKNOWLEDGED]);
  });
});

const LEGACY = MCP_SUPPORTED_VERSIONS.filter((version) => version !== MODERN);

describe.each(LEGACY)('a client of %s', (version) => {
  const HELLO = {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  };
  const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const subscribe = (id: unknown, uri: string, method = 'resources/subscribe') => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { uri },
  });
  const changed = (what: string) => ({ jsonrpc: '2.0', method: `notifications/${what}/list_changed` });
  const updated = (uri: string) => ({ jsonrpc: '2.0', method: UPDATED, params: { uri } });

  it('is told that it will hear of changes, and hears of them once it is ready', async () => {
    const { pipe, addTool } = open();
    pipe.send(HELLO);
    expect((await pipe.answer('hello'))['result'].capabilities).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      logging: {},
    });
    addTool();
    await quiet();
    expect(unasked(pipe)).toEqual([]);
    pipe.send(READY, READY);
    await quiet();
    addTool();
    await quiet();
    expect(unasked(pipe)).toEqual([changed('tools')]);
  });

  it('hears of what its very next message changes', async () => {
    const { pipe, tools, addTool } = open();
    tools.push(makeEntry(makeTool({ name: 'change', handler: () => (addTool(), 'changed') })));
    const change = { jsonrpc: '2.0', id: 'change', method: 'tools/call', params: { name: 'change' } };
    pipe.send(HELLO, READY, change);
    expect((await pipe.answer('change'))['result'].content[0].text).toBe('changed');
    await quiet();
    expect(unasked(pipe)).toEqual([changed('tools')]);
  });

  it('hears of all else when one list hangs at the handshake, and of that, too, when it only failed', async () => {
    const hangs = makeEntry(makeTool(), () => new Promise<boolean>(() => undefined));
    const one = open();
    one.tools.splice(0, 1, hangs);
    one.pipe.send(HELLO, READY, subscribe(1, 'shop://stock'));
    await one.pipe.answer(1);
    one.publish({ kind: 'resource', uri: 'shop://stock' });
    await quiet();
    expect(unasked(one.pipe)).toEqual([updated('shop://stock')]);

    let index = () => declare(makeEntry(makeTool()));
    const bus = createMcpEventBus();
    const other = open({ parts: { events: bus, source: { fixed: () => McpToolIndex.EMPTY, fresh: () => index() } } });
    other.pipe.send(HELLO);
    await other.pipe.answer('hello');
    const whole = index;
    index = () => {
      throw new Error('no database');
    };
    other.pipe.send(READY, subscribe(1, 'shop://stock'));
    await other.pipe.answer(1);
    await quiet();
    expect(other.pipe.log.join()).toMatch(/looking for changes to tell the client failed.*no database/s);
    index = whole;
    void bus.publish({ kind: 'tools' });
    void bus.publish({ kind: 'resource', uri: 'shop://stock' });
    await quiet();
    expect(unasked(other.pipe)).toEqual([changed('tools'), updated('shop://stock')]);
  });

  it('A2: hears of no change that the operator cannot see', async () => {
    const { pipe, tools, publish } = open();
    pipe.send(HELLO, READY);
    await quiet();
    tools.push(makeEntry(makeTool({ name: 'books', scopes: ['shop:books'] })));
    for (const kind of ['tools', 'prompts', 'resources'] as const) publish({ kind });
    await quiet();
    expect(unasked(pipe)).toEqual([]);
  });

  it('hears of resources that it has subscribed to, until it has not', async () => {
    const { pipe, publish } = open();
    pipe.send(HELLO, READY, subscribe(1, 'shop://stock'));
    expect((await pipe.answer(1))['result']).toEqual({});
    for (const uri of ['shop://stock', 'shop://ledger']) publish({ kind: 'resource', uri });
    await quiet();
    expect(unasked(pipe)).toEqual([updated('shop://stock')]);
    pipe.send(subscribe(2, 'shop://ledger'));
    expect((await pipe.answer(2))['error']).toMatchObject({ code: -32002, data: { uri: 'shop://ledger' } });
    pipe.send(subscribe(3, 'shop://stock', 'resources/unsubscribe'));
    expect((await pipe.answer(3))['result']).toEqual({});
    publish({ kind: 'resource', uri: 'shop://stock' });
    await quiet();
    expect(unasked(pipe)).toEqual([updated('shop://stock')]);
  });

  it('follows a hundred resources, and no more', async () => {
    const resources = Array.from({ length: 101 }, (_, at) => ({ ...stock, uri: `shop://stock/${at}` }));
    const { pipe, publish } = open({ settings: { resources } });
    pipe.send(HELLO, READY, ...resources.map(({ uri }, at) => subscribe(at, uri)));
    expect((await pipe.answer(100))['error']).toMatchObject({ message: expect.stringMatching(/follows 100/) });
    pipe.send(subscribe('again', 'shop://stock/7'));
    expect((await pipe.answer('again'))['result']).toEqual({});
    publish({ kind: 'resource', uri: 'shop://stock/7' });
    publish({ kind: 'resource', uri: 'shop://stock/100' });
    await quiet();
    expect(unasked(pipe)).toEqual([updated('shop://stock/7')]);
  });

  it('hears nothing more once the conversation is over, and keeps no listener', async () => {
    let listeners = 0;
    const bus = createMcpEventBus();
    const join = bus.subscribe.bind(bus);
    bus.subscribe = (listener) => {
      listeners += 1;
      const leave = join(listener);
      return () => {
        listeners -= 1;
        leave();
      };
    };
    const { pipe } = open({ entries: [makeTool()], parts: { events: bus } });
    pipe.send(HELLO);
    await pipe.answer('hello');
    expect(listeners).toBe(0);
    pipe.send(READY, READY);
    await quiet();
    expect(listeners).toBe(1);
    pipe.input.end();
    await pipe.served;
    expect(listeners).toBe(0);
  });

  it('that shakes hands when the conversation is over is not listened for any more', async () => {
    let listeners = 0;
    const events: McpEventBus = { publish: () => undefined, subscribe: () => ((listeners += 1), () => undefined) };
    const gate = defineMcpGate({ name: 'shop', tools: [makeTool()] }, { events });
    const conversation = gate.respondStdio({ send: () => undefined, notify: () => undefined, forget: () => undefined });
    const take = (message: object) => conversation.take(Buffer.from(JSON.stringify(message)));
    await conversation.end('disconnected');
    take(HELLO);
    take(READY);
    expect(listeners).toBe(0);
  });

  it('is served though nothing can be heard of changes, and the log has the cause', async () => {
    const events = {
      publish: () => undefined,
      subscribe() {
        throw new Error('the bus is down');
      },
    };
    const { pipe } = open({ entries: [makeTool()], parts: { events } });
    pipe.send(HELLO, READY, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await pipe.answer(1))['result'].tools).toHaveLength(1);
    expect(pipe.log.join()).toMatch(/the setting "events"\) threw: Error: the bus is down/);
  });

  it('is declared nothing where nobody tells of changes, and told nothing', async () => {
    const { pipe } = open({ entries: [makeTool()], parts: {} });
    pipe.send(HELLO, READY, subscribe(1, 'shop://stock'));
    expect((await pipe.answer('hello'))['result'].capabilities).toEqual({
      tools: {},
      prompts: {},
      resources: {},
      logging: {},
    });
    expect((await pipe.answer(1))['result']).toEqual({});
  });
});

describe('a client of 2026-07-28', () => {
  it('is told nothing that it did not subscribe to', async () => {
    const { pipe, addTool } = open();
    pipe.ask(MODERN, 'server/discover');
    expect((await pipe.answer(1))['result'].capabilities).toMatchObject({ tools: { listChanged: true } });
    pipe.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await quiet();
    addTool();
    await quiet();
    expect(unasked(pipe)).toEqual([]);
  });
});
