/** Subscriptions over real HTTP: when their stream opens, what goes over it, what ends them, and what they cost. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { establishCaller } from '../../src/caller.js';
import { createMcpEventBus, type McpEventBus } from '../../src/events/bus.js';
import type { McpEvent } from '../../src/events/event.js';
import { defineMcpGate, type McpGateParts, type McpHttpInput } from '../../src/gate/gate.js';
import type { McpGateSettings } from '../../src/gate/settings.js';
import { MCP_SUPPORTED_VERSIONS } from '../../src/protocol/revisions.js';
import type { McpResource } from '../../src/resources/resource.js';
import { McpToolIndex } from '../../src/tools/tool-index.js';
import { account } from '../support/callers.js';
import { serve, type ServedGate } from '../support/gates.js';
import {
  acknowledged,
  changed,
  ended,
  listen as listenAt,
  type Listener,
  type Listening,
} from '../support/listening.js';
import { settled } from '../support/news.js';
import { declare, makeEntry, makeTool } from '../support/tools.js';

const MODERN = '2026-07-28';
/** What every client here follows: told of in order, it shows that nothing came before it. */
const PING: McpResource = { uri: 'shop://ping', name: 'ping', read: () => 'pong' };
const TOOLS = { toolsListChanged: true, resourceSubscriptions: [PING.uri] };
const open: ServedGate[] = [];
const streams: Listening[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave();
  for (const served of open.splice(0)) await served.close();
});

type Input = (req: IncomingMessage) => McpHttpInput;

/** A gate with tools that a test changes, and the bus that tells it so. */
async function serving(settings: Partial<McpGateSettings> = {}, input?: Input, parts: McpGateParts = {}) {
  const bus = createMcpEventBus();
  const tools = [makeEntry(makeTool())];
  const source = { fixed: () => McpToolIndex.EMPTY, fresh: () => declare(...tools) };
  const served = await serve({ tools: [], resources: [PING], ...settings }, input, { source, events: bus, ...parts });
  open.push(served);
  const publish = (event: McpEvent) => void bus.publish(event);
  let added = 0;
  return {
    served,
    bus,
    tools,
    publish,
    /** What came over streams before the next thing that comes over all of them. */
    before: async (...streams: Listening[]) => {
      await settled(); // what is told is told by now, and what follows stands behind it
      publish({ kind: 'resource', uri: PING.uri });
      return Promise.all(streams.map((stream) => stream.before(PING.uri)));
    },
    /** A tool more, for everybody. */
    addTool: () => {
      tools.push(makeEntry(makeTool({ name: `more_${(added += 1)}` })));
      publish({ kind: 'tools' });
    },
  };
}

/** Opens a subscription that is closed with the test. */
async function listen({ port }: ServedGate, notifications: object, listener?: Listener): Promise<Listening> {
  const stream = await listenAt(port, notifications, listener);
  streams.push(stream);
  return stream;
}

const refusedWith = (status: number, code: number, message: RegExp) => ({
  status,
  messages: [{ error: { code, message: expect.stringMatching(message) as string } }],
});

describe('a subscription over HTTP', () => {
  it('opens its stream at once, with the acknowledgement, and no clock turned', async () => {
    const { served } = await serving();
    const stream = await listen(served, TOOLS, { id: 'a' });
    expect(stream.res.statusCode).toBe(200);
    expect(stream.res.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(await stream.next()).toEqual(acknowledged(TOOLS, 'a'));
  });

  it('is told of what has changed while it is open, again and again, and beats in between', async () => {
    const { served, addTool, before } = await serving();
    const stream = await listen(served, TOOLS);
    await stream.next();
    for (let round = 0; round < 3; round += 1) {
      addTool();
      expect(await stream.next()).toEqual(changed());
      served.clock.turn(15_000);
    }
    expect(await before(stream)).toEqual([[]]);
  });

  it('G6: beats with comments, as any stream does', async () => {
    const { served } = await serving({ stream: { heartbeatMs: 20 } });
    const stream = await listen(served, TOOLS);
    await stream.next();
    served.clock.turn(40);
    let text = '';
    while (text.length < 6) {
      const chunk = stream.res.read() as string | null;
      if (chunk === null) await once(stream.res, 'readable');
      else text += chunk;
    }
    expect(text).toBe(':\n\n:\n\n');
  });

  it('A2: tells two callers apart, whatever changes', async () => {
    const { served, tools, publish, before } = await serving({}, (req) => ({
      caller: account(String(req.headers['x-who']), ...(req.headers['x-who'] === 'clerk' ? ['shop:books'] : [])),
    }));
    const as = (who: string) => listen(served, TOOLS, { headers: { 'x-who': who } });
    const [clerk, guest] = [await as('clerk'), await as('guest')];
    await Promise.all([clerk.next(), guest.next()]);
    tools.push(makeEntry(makeTool({ name: 'books', scopes: ['shop:books'] })));
    publish({ kind: 'tools' });
    expect(await before(clerk, guest)).toEqual([[changed()], []]);
    tools.pop();
    tools.push(makeEntry(makeTool({ name: 'mine' }), ({ caller }) => caller.subject === 'guest'));
    publish({ kind: 'tools' });
    expect(await before(clerk, guest)).toEqual([[changed()], [changed()]]); // what the clerk had is gone
    tools.splice(1, 1);
    tools.push(makeEntry(makeTool({ name: 'nobodys' }), () => false));
    publish({ kind: 'tools' });
    expect(await before(clerk, guest)).toEqual([[], [changed()]]);
  });

  it('A2: asks a guard that throws or never answers, and harms nobody else by it', async () => {
    const { served, tools, publish, addTool, before } = await serving({}, (req) => ({
      caller: account(String(req.headers['x-who'])),
    }));
    const streams: Record<string, Listening> = {};
    for (const who of ['ada', 'hung', 'thrown']) {
      streams[who] = await listen(served, TOOLS, { headers: { 'x-who': who } });
      await streams[who].next();
    }
    const entry = makeEntry(makeTool({ name: 'guarded' }), ({ caller }) => {
      if (caller.subject === 'thrown') throw new Error('no');
      return caller.subject === 'hung' ? new Promise(() => undefined) : true;
    });
    tools.push(entry);
    publish({ kind: 'tools' });
    const all = [streams['ada']!, streams['hung']!, streams['thrown']!];
    expect(await before(...all)).toEqual([[changed()], [], []]);
    addTool();
    expect(await before(...all)).toEqual([[changed()], [], [changed()]]);
  });

  it('G6: serves others while a guard says at each look that something has changed', async () => {
    const { served, tools, publish } = await serving();
    let looks = 0;
    tools.push(
      makeEntry(makeTool({ name: 'restless' }), () => {
        looks += 1;
        publish({ kind: 'tools' });
        return true;
      }),
    );
    const stream = await listen(served, TOOLS);
    await stream.next();
    publish({ kind: 'tools' });
    await settled();
    const before = looks;
    expect(await served.ask(MODERN, 'server/discover')).toMatchObject({ status: 200 });
    expect(looks).toBe(before);
    stream.leave();
    await once(served.exchanges[0]!.res, 'close');
    await settled();
    expect(served.clock.pending).toBe(0);
  });

  it('asks guards and providers in the async context of its own request, whoever makes the change', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const bus = createMcpEventBus();
    const look = () => {
      return seen.push(storage.getStore()) > 0;
    };
    const index = declare(makeEntry(makeTool(), look));
    const gate = defineMcpGate(
      { name: 'shop' },
      { events: bus, source: { fixed: () => McpToolIndex.EMPTY, fresh: () => (look() ? index : index) } },
    );
    const served = await serve();
    open.push(served);
    // The host of the gate stands around each request, as a middleware does.
    served.gate.respond = (req, res, input) => storage.run('of the listener', () => gate.respond(req, res, input));
    const stream = await listen(served, TOOLS);
    await stream.next();
    expect(seen).toEqual(['of the listener', 'of the listener']);
    storage.run('of whoever made the change', () => void bus.publish({ kind: 'tools' }));
    await settled();
    expect(seen).toEqual(Array(4).fill('of the listener'));
  });

  it('looks at the request anew each time, as its host shows it', async () => {
    const seen: unknown[] = [];
    let views = 0;
    const bus = createMcpEventBus();
    const index = declare(makeEntry(makeTool(), ({ request }) => seen.push(request) > 0));
    const served = await serve({}, () => ({ request: 'the request' }), {
      source: { fixed: () => index },
      events: bus,
      requestAnew: (request) => `view ${(views += 1)} of ${String(request)}`,
    });
    open.push(served);
    const stream = await listen(served, TOOLS);
    await stream.next();
    void bus.publish({ kind: 'tools' });
    await settled();
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(2);
    for (const view of seen) expect(view).toMatch(/^view \d of the request$/);
  });

  it('is refused to a client that takes no stream', async () => {
    const { served } = await serving();
    for (const accept of ['application/json', '*/*', undefined]) {
      const answer = await served.ask(
        MODERN,
        'subscriptions/listen',
        { notifications: TOOLS },
        { headers: { accept } },
      );
      expect(answer).toMatchObject(refusedWith(406, -32600, /accept text\/event-stream/));
    }
    expect(served.gate.openSubscriptions).toBe(0);
  });

  it('does not exist, and is not declared, where nobody tells of changes or nobody may listen', async () => {
    const gates = [
      await serve(),
      await serve({ subscriptions: { perCaller: 0 } }, undefined, { events: createMcpEventBus() }),
    ];
    open.push(...gates);
    for (const { ask } of gates) {
      const answer = await ask(MODERN, 'subscriptions/listen', { notifications: TOOLS });
      expect(answer).toMatchObject(refusedWith(404, -32601, /Method not found/));
      const [discovered] = (await ask(MODERN, 'server/discover')).messages as { result: { capabilities: object } }[];
      expect(discovered!.result.capabilities).toEqual({ tools: {}, logging: {} });
    }
  });

  it('hears of changes on the bus of its settings before that of its host', async () => {
    const own = createMcpEventBus();
    const { served, tools, publish } = await serving({ events: own });
    const stream = await listen(served, TOOLS);
    await stream.next();
    tools.push(makeEntry(makeTool({ name: 'another' })));
    publish({ kind: 'tools' });
    await settled();
    void own.publish({ kind: 'resource', uri: PING.uri });
    expect(await stream.before(PING.uri)).toEqual([]);
    void own.publish({ kind: 'tools' });
    expect(await stream.next()).toEqual(changed());
  });

  it('that cannot hear of changes is refused, and the log has the cause', async () => {
    const events: McpEventBus = {
      publish: () => undefined,
      subscribe() {
        throw new Error('the bus is down');
      },
    };
    const { served } = await serving({ events });
    const answer = await served.ask(MODERN, 'subscriptions/listen', { notifications: TOOLS });
    expect(answer).toMatchObject(refusedWith(500, -32603, /The server failed/));
    expect(served.log.join()).toMatch(
      /subscribe\(\) of the bus of events \(the setting "events"\) threw: Error: the bus is down/,
    );
    expect(served.gate.openSubscriptions).toBe(0);
  });
});

describe('a subscription ends', () => {
  it('when its client leaves, and nothing of it is left', async () => {
    const { served, addTool, bus } = await serving({ maxRunMs: 1_000 });
    let listeners = 0;
    const subscribe = bus.subscribe.bind(bus);
    bus.subscribe = (listener) => {
      listeners += 1;
      const leave = subscribe(listener);
      return () => {
        listeners -= 1;
        leave();
      };
    };
    const [one, other] = [await listen(served, TOOLS, { id: 1 }), await listen(served, TOOLS, { id: 2 })];
    await Promise.all([one.next(), other.next()]);
    expect([served.gate.openSubscriptions, served.gate.liveRuns, listeners]).toEqual([2, 0, 1]);
    one.leave();
    await once(served.exchanges[0]!.res, 'close');
    await settled();
    expect([served.gate.openSubscriptions, listeners]).toEqual([1, 1]);
    addTool();
    expect(await other.next()).toEqual(changed('tools', 2));
    other.leave();
    await once(served.exchanges[1]!.res, 'close');
    await settled();
    expect([served.gate.openSubscriptions, listeners, served.clock.pending]).toEqual([0, 0, 0]);
    expect(served.log.filter((line) => !line.startsWith('debug'))).toEqual([]);
  });

  it('gracefully when the process does: by its result, and then the stream', async () => {
    const { served, addTool } = await serving();
    const [one, other] = [await listen(served, TOOLS, { id: 1 }), await listen(served, {}, { id: 'b' })];
    await Promise.all([one.next(), other.next()]);
    served.gate.close();
    addTool();
    expect(await one.rest()).toEqual([ended()]);
    expect(await other.rest()).toEqual([ended('b')]);
    expect([served.gate.openSubscriptions, served.clock.pending]).toEqual([0, 0]);
  });

  it('is not opened any more once the process ends', async () => {
    const { served } = await serving();
    served.gate.close();
    const answer = await served.ask(MODERN, 'subscriptions/listen', { notifications: TOOLS });
    expect(answer).toMatchObject(refusedWith(200, -32603, /shutting down/));
    expect(served.gate.openSubscriptions).toBe(0);
  });

  it('A6: with its token, gracefully', async () => {
    const expiresAt = Date.now() + 60_000;
    const caller = establishCaller({ authenticated: true, subject: 'ada', expiresAt });
    const { served } = await serving({}, () => ({ caller }));
    const stream = await listen(served, TOOLS);
    await stream.next();
    served.clock.turn(50_000);
    expect(served.gate.openSubscriptions).toBe(1);
    served.clock.turn(10_000);
    expect(await stream.rest()).toEqual([ended()]);
    expect([served.gate.openSubscriptions, served.clock.pending]).toEqual([0, 0]);
  });

  it('not with the deadline of calls, however long it lasts', async () => {
    const { served, addTool } = await serving({ maxRunMs: 1_000 });
    const stream = await listen(served, TOOLS);
    await stream.next();
    served.clock.turn(24 * 3_600_000);
    addTool();
    expect(await stream.next()).toEqual(changed());
  });

  it('R4: not by a notification, of whichever revision: over HTTP its client closes the stream', async () => {
    const { served, addTool } = await serving();
    const stream = await listen(served, TOOLS);
    await stream.next();
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    for (const version of MCP_SUPPORTED_VERSIONS) {
      const answer = await served.send({ body, headers: { 'mcp-protocol-version': version } });
      expect(answer.status).toBe(202);
    }
    addTool();
    expect(await stream.next()).toEqual(changed());
  });
});

describe('subscriptions of one caller', () => {
  it('are as many as the setting says, and those of another are not counted with them', async () => {
    const { served } = await serving({ subscriptions: { perCaller: 2 } }, (req) => ({
      caller: account(String(req.headers['x-who'])),
    }));
    const as = (who: string, id: number) => listen(served, TOOLS, { id, headers: { 'x-who': who } });
    const first = await as('ada', 1);
    await first.next();
    await (await as('ada', 1)).next(); // an id is told apart by its stream, and counts again
    const refused = await as('ada', 3);
    expect(refused.res.headers['content-type']).toMatch(/^application\/json/);
    let text = '';
    for await (const chunk of refused.res) text += chunk as string;
    expect(JSON.parse(text)).toMatchObject({
      id: 3,
      error: { code: -32603, message: expect.stringMatching(/This caller has 2 subscriptions/) as string },
    });
    await (await as('eve', 1)).next();
    first.leave();
    await once(served.exchanges[0]!.res, 'close');
    await settled();
    expect(await (await as('ada', 4)).next()).toEqual(acknowledged(TOOLS, 4));
    expect(served.gate.openSubscriptions).toBe(3);
  });

  it('are those of its address where nobody is authenticated', async () => {
    const { served } = await serving({ subscriptions: { perCaller: 1 } });
    await (await listen(served, TOOLS)).next();
    const answer = await served.ask(MODERN, 'subscriptions/listen', { notifications: TOOLS });
    expect(answer).toMatchObject(refusedWith(200, -32603, /one subscription, which is as many as it may/));
  });

  it('are 64 unless the setting says otherwise', async () => {
    const { served } = await serving();
    for (let id = 0; id < 64; id += 1) await (await listen(served, TOOLS, { id })).next();
    const answer = await served.ask(MODERN, 'subscriptions/listen', { notifications: TOOLS });
    expect(answer).toMatchObject(refusedWith(200, -32603, /This caller has 64 subscriptions/));
  });
});

describe('subscriptions of all callers together', () => {
  it('are as many as the setting says, whoever comes, and one that ends makes room for another', async () => {
    const { served } = await serving({ subscriptions: { perCaller: 2, total: 3 } }, (req) => ({
      caller: account(String(req.headers['x-who'])),
    }));
    const as = (who: string, id: number) => listen(served, TOOLS, { id, headers: { 'x-who': who } });
    const first = await as('ada', 1);
    await first.next();
    for (const who of ['bob', 'eve']) await (await as(who, 1)).next();
    const answer = await served.ask(
      MODERN,
      'subscriptions/listen',
      { notifications: TOOLS },
      { headers: { 'x-who': 'joe' } },
    );
    expect(answer).toMatchObject(refusedWith(200, -32603, /^This server has as many subscriptions as it takes/));
    first.leave();
    await once(served.exchanges[0]!.res, 'close');
    await settled();
    expect(await (await as('joe', 2)).next()).toEqual(acknowledged(TOOLS, 2));
    expect(served.gate.openSubscriptions).toBe(3);
  });
});

describe('a subscription whose client reads slowly', () => {
  it('G6: never makes the server hold more than a few messages, and misses the last of nothing', async () => {
    const uris = Array.from({ length: 100 }, (_, at) => `shop://products/${at}/${'x'.repeat(200)}`);
    const resources = uris.map((uri): McpResource => ({ uri, name: uri, read: () => 'x' }));
    const { served, publish, addTool } = await serving({ resources });
    const stream = await listen(served, { ...TOOLS, resourceSubscriptions: uris });
    await stream.next();
    const { res } = served.exchanges[0]!;
    let most = 0;
    for (let round = 0; round < 2_000; round += 1) {
      for (const uri of uris) publish({ kind: 'resource', uri });
      await settled();
      most = Math.max(most, res.writableLength);
      if (res.writableNeedDrain && round > 20) break;
    }
    expect(res.writableNeedDrain).toBe(true); // the reader was slow indeed
    addTool();
    for (let round = 0; round < 20; round += 1) {
      for (const uri of uris) publish({ kind: 'resource', uri });
      await settled();
    }
    expect(most).toBeLessThan(128 * 1_024);
    served.gate.close();
    const messages = (await stream.rest()) as { method?: string; params?: { uri?: string }; id?: number }[];
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} });
    // What waited is there once: the tools, and each resource at most in the place where it was first held.
    const last = messages.slice(-102, -1);
    expect(last.filter(({ method }) => method === changed().method)).toHaveLength(1);
    expect(new Set(last.flatMap(({ params }) => params?.uri ?? [])).size).toBe(100);
  });
});
