/** Subscriptions by the protocol alone: what may be asked for, what is promised, and who is told of what (A2, P8, T12). */
import type { McpCaller } from '../../src/caller.js';
import { MCP_SUPPORTED_VERSIONS } from '../../src/protocol/revisions.js';
import type { McpChannel } from '../../src/protocol/news.js';
import type { McpPrompt } from '../../src/prompts/prompt.js';
import type { McpResource, McpResourceTemplate } from '../../src/resources/resource.js';
import { account } from '../support/callers.js';
import { Listener, settled, type Offered } from '../support/news.js';
import { ask, refusal, request, resultOf, say, type Exchange } from '../support/protocol.js';
import { makeEntry, makeTool } from '../support/tools.js';

const MODERN = '2026-07-28';
const LEGACY = MCP_SUPPORTED_VERSIONS.slice(1);
const TAG = 'io.modelcontextprotocol/subscriptionId';

const catalogue: McpResource = { uri: 'shop://catalogue', name: 'catalogue', read: () => 'all of it' };
const ledger: McpResource = { uri: 'shop://ledger', name: 'ledger', scopes: ['shop:books'], read: () => 'secret' };
const product: McpResourceTemplate = { uriTemplate: 'shop://products/{sku}', name: 'product', read: () => 'a knife' };
const review: McpPrompt = { name: 'review', handler: () => 'Review.' };
const audit: McpPrompt = { name: 'audit', scopes: ['shop:books'], handler: () => 'Audit.' };
const everything = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

const open: Listener[] = [];
afterEach(() => {
  for (const listener of open.splice(0)) listener.end('disconnected');
});

/** A subscription that was acknowledged; `answer` comes when it has ended. */
async function listening(filter: object, offered: Partial<Offered> = {}, caller?: McpCaller) {
  const listener = new Listener({ tools: [makeTool()], ...offered }, caller);
  open.push(listener);
  const answer = listenWith(listener, filter);
  await settled();
  const [acknowledgement, ...rest] = listener.told;
  expect(rest).toEqual([]);
  listener.told.length = 0;
  return {
    listener,
    offered: listener.offered,
    notifier: listener.notifier,
    acknowledgement,
    answer,
    told: told(listener),
  };
}

/** What was told since it was asked last, once everything has come to rest. */
const told = (listener: Listener) => async () => {
  await settled();
  return listener.told.splice(0);
};

const listenWith = (listener: Listener, notifications: unknown, params: object = {}): Promise<Exchange> =>
  ask(MODERN, 'subscriptions/listen', { notifications, ...params }, { context: { news: listener } });

const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  method,
  params: { _meta: { [TAG]: 1 }, ...params },
});
const changed = (what: string) => message(`notifications/${what}/list_changed`);
const updated = (uri: string) => message('notifications/resources/updated', { uri });

describe('subscriptions/listen', () => {
  it('is acknowledged first, by its id, with what was asked for', async () => {
    const all = { tools: [makeTool()], prompts: [review], resources: [catalogue] };
    const filter = { ...everything, resourceSubscriptions: ['shop://catalogue'] };
    const { acknowledgement } = await listening(filter, all);
    expect(acknowledgement).toEqual(message('notifications/subscriptions/acknowledged', { notifications: filter }));
  });

  it('is promised nothing that was not asked for, nor what the gate does not offer', async () => {
    const promised = async (filter: object, offered: Partial<Offered> = {}) =>
      (await listening(filter, offered)).acknowledgement!.params!['notifications'];
    expect(await promised({})).toEqual({});
    expect(await promised({ toolsListChanged: false, promptsListChanged: true }, { prompts: [review] })).toEqual({
      promptsListChanged: true,
    });
    expect(await promised({ ...everything, resourceSubscriptions: ['shop://x'] })).toEqual({ toolsListChanged: true });
    expect(await promised({ ...everything, fishListChanged: true }, { resources: [catalogue] })).toEqual({
      toolsListChanged: true,
      resourcesListChanged: true,
    });
  });

  it('A2, T12: is promised no URI that its caller cannot see, be it unknown or withheld', async () => {
    const uris = ['shop://ledger', 'shop://nothing', 'shop://catalogue', 'shop://products/7', 'shop://catalogue'];
    const resources = [catalogue, ledger, product];
    const promised = async (caller?: McpCaller) =>
      (await listening({ resourceSubscriptions: uris }, { resources }, caller)).acknowledgement!.params![
        'notifications'
      ];
    expect(await promised()).toEqual({ resourceSubscriptions: ['shop://catalogue', 'shop://products/7'] });
    expect(await promised(account('ada', 'shop:books'))).toEqual({
      resourceSubscriptions: ['shop://ledger', 'shop://catalogue', 'shop://products/7'],
    });
    const none = await listening({ resourceSubscriptions: ['shop://ledger'] }, { resources });
    expect(none.acknowledgement!.params!['notifications']).toEqual({ resourceSubscriptions: [] });
  });

  it('is told of each list that has changed, by its id, and of none that was not asked for', async () => {
    const start = { tools: [makeTool()], prompts: [review], resources: [catalogue] };
    const { offered, notifier, told } = await listening(everything, start);
    const other = await listening({ promptsListChanged: true }, { prompts: [review] });
    offered.tools.push(makeTool({ name: 'another' }));
    notifier.toolsChanged();
    expect(await told()).toEqual([changed('tools')]);
    offered.prompts!.push({ ...review, name: 'another' });
    notifier.promptsChanged();
    expect(await told()).toEqual([changed('prompts')]);
    offered.resources!.push(product); // a template: there is one notification for both
    notifier.resourcesChanged();
    expect(await told()).toEqual([changed('resources')]);
    offered.resources!.splice(0, 1, { ...catalogue, title: 'Catalogue' });
    notifier.resourcesChanged();
    expect(await told()).toEqual([changed('resources')]);
    other.offered.tools.push(makeTool({ name: 'another' }));
    other.notifier.toolsChanged();
    expect(await other.told()).toEqual([]);
  });

  it('A2: is not told when what has changed is withheld from its caller, nor when nothing has', async () => {
    const hidden = (name: string) => makeTool({ name, scopes: ['shop:books'] });
    const start = () => ({
      tools: [makeTool(), hidden('a')],
      prompts: [review, audit],
      resources: [catalogue, ledger],
    });
    const stranger = await listening(everything, start());
    const clerk = await listening(everything, start(), account('ada', 'shop:books'));
    for (const { offered, notifier } of [stranger, clerk]) {
      offered.tools.splice(1, 1, hidden('b'), hidden('c'));
      offered.prompts!.pop();
      offered.resources!.pop();
      notifier.toolsChanged();
      notifier.promptsChanged();
      notifier.resourcesChanged();
    }
    expect(await stranger.told()).toEqual([]);
    expect(await clerk.told()).toEqual([changed('tools'), changed('prompts'), changed('resources')]);
    stranger.notifier.toolsChanged();
    clerk.notifier.toolsChanged();
    expect([await stranger.told(), await clerk.told()]).toEqual([[], []]);
  });

  it('A2: is told of a list when a guard takes something from its caller, or gives it', async () => {
    let admits = true;
    const tools = [makeEntry(makeTool(), () => admits)];
    const { notifier, told } = await listening({ toolsListChanged: true }, { tools });
    for (admits of [false, true]) {
      notifier.toolsChanged();
      expect(await told()).toEqual([changed('tools')]);
    }
  });

  it('is told of a resource that it follows each time, and of others never', async () => {
    const { notifier, told } = await listening(
      { resourceSubscriptions: ['shop://products/1'] },
      { resources: [catalogue, product] },
    );
    for (const uri of ['shop://products/1', 'shop://products/2', 'shop://catalogue']) notifier.resourceUpdated(uri);
    expect(await told()).toEqual([updated('shop://products/1')]);
    notifier.resourceUpdated('shop://products/1');
    expect(await told()).toEqual([updated('shop://products/1')]);
  });

  it('is told of a resource in each spelling in which it follows it, once, and in no other', async () => {
    const uris = ['shop://products/%41%c3%a9', 'shop://products/A%C3%A9'];
    const { acknowledgement, notifier, told } = await listening(
      { resourceSubscriptions: [...uris, uris[0]] },
      { resources: [product] },
    );
    expect(acknowledgement!.params!['notifications']).toEqual({ resourceSubscriptions: uris });
    notifier.resourceUpdated('shop://products/%41%C3%A9');
    expect(await told()).toEqual(uris.map((uri) => updated(uri)));
  });

  it('A2: is told of a resource in none but the spellings under which it can see one', async () => {
    const uris = ['shop://%41', 'shop://A'];
    const resources = uris.map((uri, at) => ({
      resource: { ...catalogue, uri, name: uri },
      origin: uri,
      admits: () => at === 1 || admits,
    }));
    let admits = true;
    const { notifier, told } = await listening({ resourceSubscriptions: uris }, { resources });
    admits = false;
    notifier.resourceUpdated('shop://A');
    expect(await told()).toEqual([updated('shop://A')]);
  });

  it('A2: is not told of a resource that its caller cannot see any more', async () => {
    let admits = true;
    const resources = [{ resource: catalogue, origin: 'Shop.catalogue', admits: () => admits }];
    const filter = { resourceSubscriptions: ['shop://catalogue'] };
    const { offered, notifier, told } = await listening(filter, { resources });
    admits = false;
    notifier.resourceUpdated('shop://catalogue');
    expect(await told()).toEqual([]);
    admits = true;
    notifier.resourceUpdated('shop://catalogue');
    expect(await told()).toEqual([updated('shop://catalogue')]);
    offered.resources = [];
    notifier.resourceUpdated('shop://catalogue');
    expect(await told()).toEqual([]);
  });

  it('ends with a result when the server ends it, which carries its id, and nothing is left', async () => {
    for (const cause of ['shutdown', 'expired'] as const) {
      const { listener, answer } = await listening({ toolsListChanged: true });
      listener.end(cause);
      const result = resultOf(await answer);
      expect(result).toEqual({
        resultType: 'complete',
        _meta: { [TAG]: 1, 'io.modelcontextprotocol/serverInfo': { name: 'shop', version: '1.2.3' } },
      });
      expect([listener.listening, listener.running]).toEqual([0, 0]);
    }
  });

  it('ends without another word when its client does', async () => {
    for (const cause of ['cancelled', 'disconnected'] as const) {
      const { listener, offered, notifier, told, answer } = await listening({ toolsListChanged: true });
      listener.end(cause);
      expect(await answer).toMatchObject({ status: 202, notifications: [] });
      expect((await answer).body).toBeUndefined();
      offered.tools.push(makeTool({ name: 'another' }));
      notifier.toolsChanged();
      expect(await told()).toEqual([]);
      expect([listener.listening, listener.running]).toEqual([0, 0]);
    }
  });

  it('ends in the same moment as its client ends it: what was just found out is not told any more', async () => {
    let decide: (admits: boolean) => void = () => undefined;
    let asked = 0;
    const resource = { resource: catalogue, origin: 'Shop.catalogue' };
    const admits = () => ((asked += 1) === 1 ? true : new Promise<boolean>((resolve) => (decide = resolve)));
    const resources = [{ ...resource, admits }];
    const filter = { resourceSubscriptions: ['shop://catalogue'] };
    const { listener, notifier, told, answer } = await listening(filter, { resources });
    notifier.resourceUpdated('shop://catalogue');
    await settled();
    decide(true);
    listener.end('cancelled');
    expect([listener.listening, listener.running]).toEqual([0, 0]);
    expect(await told()).toEqual([]);
    expect(await answer).toMatchObject({ status: 202 });
  });

  it('that ends before it could be acknowledged is an error, and its client is told of nothing', async () => {
    const never = makeEntry(makeTool(), () => new Promise(() => undefined));
    const listener = new Listener({ tools: [never] });
    const answer = listenWith(listener, { toolsListChanged: true });
    await settled();
    listener.end('shutdown');
    expect(await answer).toMatchObject(refusal(200, -32603, /shutting down.*again later/) as object);
    expect([listener.told, listener.listening, listener.running]).toEqual([[], 0, 0]);
  });

  it('that cannot look at what there is fails, and leaves nothing behind', async () => {
    const listener = new Listener({ tools: [] });
    Object.assign(listener, { now: () => ({ catalogue: { list: () => Promise.reject(new Error('no database')) } }) });
    const answer = await listenWith(listener, { toolsListChanged: true });
    expect(answer).toMatchObject(refusal(500, -32603, /under log-1/) as object);
    expect(answer.reports).toMatchObject([{ error: new Error('no database') }]);
    expect([listener.told, listener.listening, listener.running]).toEqual([[], 0, 0]);
  });

  it('whose later look fails goes on, and the log hears of it', async () => {
    const { listener, offered, notifier, told, answer } = await listening({ toolsListChanged: true });
    const now = () => Listener.prototype.now.call(listener);
    Object.assign(listener, { now: () => ({ catalogue: { list: () => Promise.reject(new Error('no database')) } }) });
    notifier.toolsChanged();
    expect(await told()).toEqual([]);
    Object.assign(listener, { now });
    offered.tools.push(makeTool({ name: 'another' }));
    notifier.toolsChanged();
    expect(await told()).toEqual([changed('tools')]);
    listener.end('cancelled');
    expect((await answer).reports).toMatchObject([{ error: new Error('no database') }]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no filter', undefined, /"notifications" must be an object/],
    ['a list for a filter', ['toolsListChanged'], /"notifications" must be an object/],
    ['a flag that is none', { promptsListChanged: 'yes' }, /"promptsListChanged" must be true or false/],
    ['URIs that are no list', { resourceSubscriptions: 'shop://x' }, /must be an array of URIs/],
    ['URIs that are none', { resourceSubscriptions: ['shop://x', 7] }, /must be a URI/],
    ['an empty URI', { resourceSubscriptions: [''] }, /must be a URI/],
    ['a URI too long', { resourceSubscriptions: [`shop://${'x'.repeat(2_042)}`] }, /at most 2048 characters/],
    ['too many URIs', { resourceSubscriptions: Array(101).fill('shop://x') }, /may hold 100 URIs/],
    ['too much', { fish: 'x'.repeat(70_000) }, /longer than 65536 characters/],
  ])('with %s is -32602', async (_, filter, sentence) => {
    const listener = new Listener({ tools: [], resources: [product] });
    expect(await listenWith(listener, filter)).toMatchObject(refusal(400, -32602, sentence) as object);
    expect([listener.told, listener.running]).toEqual([[], 0]);
  });

  it('G6: with too much beside its parameters is -32602: all of a request is kept while it is open', async () => {
    const listener = new Listener({ tools: [] });
    const { message } = request(MODERN, 'subscriptions/listen', { notifications: {} });
    const context = { headers: null, context: { news: listener } };
    const answer = await say({ ...message, fish: 'x'.repeat(70_000) }, context);
    expect(answer).toMatchObject(refusal(400, -32602, /the request is longer than 65536 characters/) as object);
  });

  it('with what is nested too deeply to be measured is -32602, and no fault of the server', async () => {
    const depth = 200_000;
    const fish: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const answer = await listenWith(new Listener({ tools: [] }), { fish });
    expect(answer).toMatchObject(refusal(400, -32602, /nested too deeply/) as object);
    expect(answer.reports).toEqual([]);
  });

  it('with as much as it may ask for is served', async () => {
    const uris = Array.from({ length: 100 }, (_, at) => `shop://products/${at}`);
    const long = `shop://products/${'x'.repeat(2_032)}`;
    const { acknowledgement } = await listening(
      { resourceSubscriptions: [...uris.slice(1), long] },
      { resources: [product] },
    );
    expect(acknowledgement!.params!['notifications']).toEqual({ resourceSubscriptions: [...uris.slice(1), long] });
  });

  it('is refused to a client that takes no stream, and while there are as many as there may be', async () => {
    const deaf = new Listener({ tools: [] });
    deaf.takesMore = false;
    expect(await listenWith(deaf, {})).toMatchObject(refusal(406, -32600, /accept text\/event-stream/) as object);
    const full = new Listener({ tools: [] });
    full.full = 'perCaller';
    expect(await listenWith(full, {})).toMatchObject(
      refusal(200, -32603, /has 2 subscriptions, which is as many/) as object,
    );
    full.bounds.perCaller = 1;
    expect(await listenWith(full, {})).toMatchObject(refusal(200, -32603, /has one subscription/) as object);
    full.full = 'total';
    expect(await listenWith(full, {})).toMatchObject(
      refusal(200, -32603, /^This server has as many subscriptions as it takes from all its callers/) as object,
    );
  });

  it('does not exist where nobody is told of changes, nor in revisions before 2026-07-28', async () => {
    const params = { notifications: {} };
    expect(await ask(MODERN, 'subscriptions/listen', params)).toMatchObject(
      refusal(404, -32601, /not found/) as object,
    );
    for (const version of LEGACY) {
      const context = { news: new Listener({ tools: [] }) };
      const answer = await ask(version, 'subscriptions/listen', params, { context });
      expect(answer).toMatchObject(refusal(404, -32601, /not found/) as object);
    }
  });
});

describe('what is declared', () => {
  const offered = { prompts: [review], resources: [catalogue] };
  const channel: McpChannel = { begin: () => undefined, watch: () => true, unwatch: () => undefined };
  const capabilities = async (version: (typeof MCP_SUPPORTED_VERSIONS)[number], around: object) => {
    const answer =
      version === MODERN
        ? await ask(version, 'server/discover', {}, around)
        : await ask(version, 'initialize', { protocolVersion: version }, around);
    return resultOf(answer)['capabilities'];
  };
  const announced = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    logging: {},
  };

  it('to a modern client is that changes are told of, where they are, of what there is', async () => {
    const context = { news: new Listener({ tools: [] }) };
    expect(await capabilities(MODERN, { ...offered, context })).toEqual(announced);
    expect(await capabilities(MODERN, { context })).toEqual({ tools: { listChanged: true }, logging: {} });
    expect(await capabilities(MODERN, offered)).toEqual({ tools: {}, prompts: {}, resources: {}, logging: {} });
  });

  it.each(LEGACY)('to a client of %s is that only where it has a channel to be told on', async (version) => {
    const news = new Listener({ tools: [] });
    expect(await capabilities(version, { ...offered, context: { news } })).toEqual({
      tools: {},
      prompts: {},
      resources: {},
      logging: {},
    });
    expect(await capabilities(version, { ...offered, context: { news, channel } })).toEqual(announced);
  });
});

describe.each(LEGACY)('resources/subscribe in %s', (version) => {
  const subscribe = (uri: unknown, channel?: McpChannel, method = 'resources/subscribe') =>
    ask(
      version,
      method,
      { uri },
      { resources: [catalogue, ledger, product], context: { ...(channel && { channel }) } },
    );

  it('is answered for what the caller can read, also where nobody is told of anything', async () => {
    for (const uri of ['shop://catalogue', 'shop://products/7']) expect(resultOf(await subscribe(uri))).toEqual({});
    expect(resultOf(await subscribe('shop://catalogue', undefined, 'resources/unsubscribe'))).toEqual({});
  });

  it('T12: refuses what is unknown and what is withheld as reading does', async () => {
    for (const uri of ['shop://ledger', 'shop://nothing']) {
      const refused = await subscribe(uri);
      expect(refused).toEqual(
        await ask(version, 'resources/read', { uri }, { resources: [catalogue, ledger, product] }),
      );
      expect(refused).toMatchObject(refusal(200, -32002, /Resource not found/, 1, { uri }) as object);
    }
  });

  it('T12: is undone by one answer, whatever the URI', async () => {
    const unwatched: string[] = [];
    const channel: McpChannel = { begin() {}, watch: () => true, unwatch: (uri) => unwatched.push(uri) };
    for (const uri of ['shop://ledger', 'shop://nothing', 'shop://catalogue']) {
      expect(resultOf(await subscribe(uri, channel, 'resources/unsubscribe'))).toEqual({});
    }
    expect(unwatched).toEqual(['shop://ledger', 'shop://nothing', 'shop://catalogue']);
  });

  it('follows it on the channel of the client, unless that follows as many as it may', async () => {
    const watched: string[] = [];
    const channel: McpChannel = { begin() {}, watch: (uri) => watched.push(uri) < 2, unwatch() {} };
    expect(resultOf(await subscribe('shop://catalogue', channel))).toEqual({});
    await subscribe('shop://ledger', channel);
    expect(watched).toEqual(['shop://catalogue']);
    expect(await subscribe('shop://products/1', channel)).toMatchObject(
      refusal(200, -32602, /follows 100 resources.*unsubscribe from one/) as object,
    );
  });

  it('of what is no URI is -32602, and does not exist where there are no resources', async () => {
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      for (const uri of [undefined, '', 7, 'x'.repeat(2_049)]) {
        expect(await subscribe(uri, undefined, method)).toMatchObject(refusal(400, -32602, /must be a URI/) as object);
      }
      expect(await ask(version, method, { uri: 'shop://x' })).toMatchObject(
        refusal(404, -32601, /not found/) as object,
      );
      expect(await ask(MODERN, method, { uri: 'shop://x' }, { resources: [catalogue] })).toMatchObject(
        refusal(404, -32601, /not found/) as object,
      );
    }
  });
});

describe('the channel of a legacy client', () => {
  it('opens when the client says that it is ready, and for no modern one', async () => {
    let begun = 0;
    const channel: McpChannel = { begin: () => void (begun += 1), watch: () => true, unwatch() {} };
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const around = { headers: null, context: { channel } };
    expect(await say(ready, { ...around, context: { channel, assumedVersion: '2025-11-25' } })).toMatchObject({
      status: 202,
    });
    expect(begun).toBe(1);
    await say(ready, { ...around, context: { channel, assumedVersion: MODERN } });
    await say(
      { ...ready, method: 'notifications/roots/list_changed' },
      { ...around, context: { channel, assumedVersion: '2025-11-25' } },
    );
    expect(begun).toBe(1);
  });
});
