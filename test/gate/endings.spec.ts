/** R1, R4, A6, G6, G10: how a call ends before its work does, whoever ends it; nothing is left of it. */
import { once, type EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { establishCaller } from '../../src/caller.js';
import type { McpGateParts, McpHttpInput } from '../../src/gate/gate.js';
import type { McpGateSettings } from '../../src/gate/settings.js';
import { declareMcpTools } from '../../src/tools/declare.js';
import { defineMcpGate } from '../../src/gate/gate.js';
import { account } from '../support/callers.js';
import { aborted, heldTool, serve, type ServedGate } from '../support/gates.js';
import { dial, listen, postText } from '../support/http.js';
import { request } from '../support/protocol.js';
import { makeEntry, makeTool } from '../support/tools.js';
import type { McpVersion } from '../../src/protocol/revisions.js';

const open: ServedGate[] = [];
const serving = async (
  settings: Partial<McpGateSettings>,
  input?: (req: IncomingMessage) => McpHttpInput,
  parts?: McpGateParts,
) => {
  const served = await serve(settings, input, parts);
  open.push(served);
  return served;
};
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

function callText(name: string, id: unknown = 1, meta?: object, version: McpVersion = LEGACY): string {
  const { message, headers } = request(version, 'tools/call', { name, ...(meta && { _meta: meta }) }, id);
  return postText(JSON.stringify(message), headers as Record<string, string>);
}

const gone = 'The client closed the connection.';

/** Resolves when a gate has nothing under way any more. */
async function idle({ gate }: ServedGate): Promise<void> {
  while (gate.liveRuns > 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('a client that leaves (R1)', () => {
  it.each([LEGACY, MODERN] as const)('while its JSON is pending aborts the run, in %s', async (version) => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const wire = await dial(served.port);
    wire.socket.write(callText('held', 1, undefined, version));
    const { run } = await held.next();
    wire.socket.destroy();
    expect(await aborted(run)).toBe(gone);
    await idle(served);
    expect(served.clock.pending).toBe(0);
    expect(served.log).toEqual([]);
  });

  it.each([LEGACY, MODERN] as const)('while its stream is open aborts the run, in %s', async (version) => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const wire = await dial(served.port);
    wire.socket.write(callText('held', 1, { progressToken: 't' }, version));
    const { run } = await held.next();
    run.progress(1);
    await wire.until(/notifications\/progress/);
    wire.socket.destroy();
    expect(await aborted(run)).toBe(gone);
    run.progress(2);
    await idle(served);
    expect(served.clock.pending).toBe(0);
    expect(served.log).toEqual([]);
  });

  it('by ending its side of the connection aborts the run', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const wire = await dial(served.port);
    wire.socket.write(callText('held'));
    const { run } = await held.next();
    wire.socket.end();
    expect(await aborted(run)).toBe(gone);
  });

  it('aborts every request that it has queued on the connection', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const wire = await dial(served.port);
    wire.socket.write(callText('held', 1) + callText('held', 2) + callText('held', 3));
    const runs = [await held.next(), await held.next(), await held.next()].map(({ run }) => run);
    wire.socket.destroy();
    expect(await Promise.all(runs.map(aborted))).toEqual([gone, gone, gone]);
  });

  it('aborts every call of its batch', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const wire = await dial(served.port);
    const calls = [1, 2].map((id) => request('2025-03-26', 'tools/call', { name: 'held' }, id).message);
    wire.socket.write(postText(JSON.stringify(calls)));
    const runs = [await held.next(), await held.next()].map(({ run }) => run);
    wire.socket.destroy();
    expect(await Promise.all(runs.map(aborted))).toEqual([gone, gone]);
  });

  it('while it is decided whether it has the tool: the tool never begins', async () => {
    let decide: (answer: boolean) => void = () => undefined;
    let ran = false;
    let asked: () => void = () => undefined;
    const asking = new Promise<void>((resolve) => (asked = resolve));
    const entry = makeEntry(makeTool({ handler: () => (ran = true) }), () => {
      asked();
      return new Promise((resolve) => (decide = resolve));
    });
    const index = declareMcpTools([entry]);
    const gate = defineMcpGate({ name: 'shop' }, { source: { fixed: () => index } });
    const answered: Promise<void>[] = [];
    const connections: EventEmitter[] = [];
    const server = await listen((req, res) => {
      connections.push(req.socket);
      answered.push(gate.respond(req, res));
    });
    const wire = await dial(server.port);
    wire.socket.write(callText('shop_stock'));
    await asking;
    wire.socket.destroy();
    await once(connections[0]!, 'close');
    decide(true);
    await Promise.all(answered);
    expect(ran).toBe(false);
    expect(gate.liveRuns).toBe(0);
    await server.close();
  });

  it('after its answer is complete aborts nothing', async () => {
    const causes: string[] = [];
    const tool = makeTool({
      handler: (_, __, run) => {
        run.signal.addEventListener('abort', () => causes.push((run.signal.reason as Error).message));
        return 'done';
      },
    });
    const served = await serving({ tools: [tool] });
    const wire = await dial(served.port);
    wire.socket.write(callText('shop_stock'));
    await wire.until(/"done"/);
    const { socket } = served.exchanges[0]!.req;
    wire.socket.destroy();
    await once(socket, 'close');
    expect(causes).toEqual([]);
  });

  it('is watched by few listeners, however many calls it has under way: Node warns of leaks above ten', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const wire = await dial(served.port);
    const batch = Array.from(
      { length: 20 },
      (_, id) => request('2025-03-26', 'tools/call', { name: 'held' }, id).message,
    );
    const queued = Array.from({ length: 20 }, (_, id) => callText('held', 100 + id));
    wire.socket.write(postText(JSON.stringify(batch)) + queued.join(''));
    const calls = [];
    for (let at = 0; at < 40; at += 1) calls.push(await held.next());
    const { req, res } = served.exchanges[0]!;
    expect(res.listenerCount('close')).toBeLessThanOrEqual(10);
    expect(req.socket.listenerCount('close')).toBeLessThanOrEqual(10);
    for (const { finish } of calls) finish('done');
    await wire.until(/"id":119/);
    wire.socket.destroy();
  });
});

describe('notifications/cancelled', () => {
  const cancel = (requestId: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  const legacy = { 'mcp-protocol-version': LEGACY };

  it('R4: of a legacy client aborts the run, and its request is answered by nothing', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7 });
    const { run, finish } = await held.next();
    const answer = await served.send({ body: cancel(7), headers: legacy });
    expect(answer.status).toBe(202);
    expect(await aborted(run)).toBe('The client cancelled the call.');
    finish('too late');
    const { status, text } = await pending;
    expect([status, text]).toEqual([202, '']);
    await idle(served);
  });

  it('R4: ends an open stream without another word, neither progress nor response', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held', _meta: { progressToken: 't' } }, { id: 'a' });
    const { run, finish } = await held.next();
    run.progress(1);
    run.progress(2); // held back
    await served.send({ body: cancel('a'), headers: legacy });
    run.progress(3);
    finish('too late');
    const { messages } = await pending;
    expect(messages).toMatchObject([{ method: 'notifications/progress', params: { progress: 1 } }]);
    expect(messages).toHaveLength(1);
  });

  it('R4: with the id in another type, of another request or of a modern client aborts nothing', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7 });
    const { run, finish } = await held.next();
    for (const body of [cancel('7'), cancel(8), cancel(null)]) await served.send({ body, headers: legacy });
    await served.send({ body: cancel(7), headers: { 'mcp-protocol-version': MODERN } });
    expect(run.signal.aborted).toBe(false);
    finish('done');
    expect((await pending).messages).toMatchObject([{ id: 7, result: {} }]);
  });

  it('R4: reaches only runs of the subject that sends it', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] }, (req) => ({ caller: account(String(req.headers['x-who'])) }));
    const as = (who: string) => ({ headers: { 'x-who': who } });
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7, ...as('ada') });
    const { run } = await held.next();
    await served.send({ body: cancel(7), headers: { ...legacy, 'x-who': 'eve' } });
    expect(run.signal.aborted).toBe(false);
    await served.send({ body: cancel(7), headers: { ...legacy, 'x-who': 'ada' } });
    expect(run.signal.aborted).toBe(true);
    await pending;
  });

  it('R4: of an account that is called like a peer does not reach runs of that peer', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] }, (req) =>
      req.headers['x-who'] === undefined ? {} : { caller: account(String(req.headers['x-who'])) },
    );
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7 });
    const { run, finish } = await held.next();
    await served.send({ body: cancel(7), headers: { ...legacy, 'x-who': '127.0.0.1' } });
    expect(run.signal.aborted).toBe(false);
    finish('done');
    await pending;
  });

  it.each([
    ['another issuer', { issuer: 'https://b.example', clientId: 'desk' }],
    ['another client', { issuer: 'https://a.example', clientId: 'phone' }],
  ])('R4: of an account of one name with %s reaches nothing', async (_, other) => {
    const held = heldTool();
    const ada = { subject: 'ada', issuer: 'https://a.example', clientId: 'desk', authenticated: true };
    const served = await serving({ tools: [held.tool] }, (req) => ({
      caller: establishCaller(req.headers['x-who'] === 'other' ? { ...ada, ...other } : ada),
    }));
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7 });
    const { run } = await held.next();
    await served.send({ body: cancel(7), headers: { ...legacy, 'x-who': 'other' } });
    expect(run.signal.aborted).toBe(false);
    await served.send({ body: cancel(7), headers: legacy });
    expect(run.signal.aborted).toBe(true);
    await pending;
  });

  it('R4: of a stranger does not reach runs of a caller whose credential names no subject, at the same address', async () => {
    const held = heldTool();
    const service = establishCaller({ authenticated: true, issuer: 'https://a.example', clientId: 'batch' });
    const served = await serving({ tools: [held.tool] }, (req) =>
      req.headers['x-who'] === undefined ? {} : { caller: service },
    );
    const pending = served.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7, headers: { 'x-who': 'service' } });
    const { run } = await held.next();
    await served.send({ body: cancel(7), headers: legacy });
    expect(run.signal.aborted).toBe(false);
    await served.send({ body: cancel(7), headers: { ...legacy, 'x-who': 'service' } });
    expect(run.signal.aborted).toBe(true);
    await pending;
  });

  it('G9: at another gate reaches nothing here', async () => {
    const held = heldTool();
    const shop = await serving({ tools: [held.tool] });
    const office = await serving({ tools: [held.tool] });
    const pending = shop.ask(LEGACY, 'tools/call', { name: 'held' }, { id: 7 });
    const { run, finish } = await held.next();
    await office.send({ body: cancel(7), headers: legacy });
    expect(run.signal.aborted).toBe(false);
    finish('done');
    await pending;
  });
});

describe('time', () => {
  it('R1: past maxRunMs aborts the run, and the agent reads what to do', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool], maxRunMs: 1_000 });
    const pending = served.ask(MODERN, 'tools/call', { name: 'held' });
    const { run } = await held.next();
    served.clock.turn(999);
    expect(run.signal.aborted).toBe(false);
    served.clock.turn(1);
    expect(await aborted(run)).toBe('The call ran longer than the server allows.');
    expect((await pending).messages).toMatchObject([{ result: { isError: true } }]);
    expect(served.clock.pending).toBe(0);
  });

  it('A6: past the life of its token aborts the run', async () => {
    const held = heldTool();
    const expiresAt = Date.now() + 60_000;
    const caller = establishCaller({ authenticated: true, subject: 'ada', expiresAt });
    const served = await serving({ tools: [held.tool] }, () => ({ caller }));
    const pending = served.ask(MODERN, 'tools/call', { name: 'held' }, { headers: { accept: 'application/json' } });
    const { run } = await held.next();
    served.clock.turn(50_000);
    expect(run.signal.aborted).toBe(false);
    served.clock.turn(10_000);
    expect(await aborted(run)).toBe("The caller's token expired.");
    expect((await pending).messages).toMatchObject([{ error: { code: -32603 } }]);
  });
});

describe('a process that ends (R1)', () => {
  it('aborts the runs of its gates, and tells their clients', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const pending = [1, 2].map((id) => served.ask(MODERN, 'tools/call', { name: 'held' }, { id }));
    const runs = [await held.next(), await held.next()].map(({ run }) => run);
    expect(served.gate.liveRuns).toBe(2);
    served.gate.close();
    expect(await Promise.all(runs.map(aborted))).toEqual(Array(2).fill('The server is shutting down.'));
    for (const answer of pending) {
      expect((await answer).messages).toMatchObject([
        { error: { code: -32603, message: expect.stringMatching(/later/) as string } },
      ]);
    }
    expect(served.gate.liveRuns).toBe(0);
    expect(served.clock.pending).toBe(0);
  });

  it('closes each connection with the answer: a server that is closing waits for those that are kept alive', async () => {
    const served = await serving({});
    const wire = await dial(served.port);
    const ping = (id: number) => postText(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    wire.socket.write(ping(1));
    expect(await wire.until(/"id":1/)).toMatch(/^connection: keep-alive\r$/im);
    served.gate.close();
    const closed = once(wire.socket, 'close');
    wire.socket.write(ping(2));
    expect(await wire.until(/"id":2/)).toMatch(/^connection: close\r$/im);
    await closed;
  });

  it('begins no call that comes after, and still answers what costs nothing', async () => {
    let ran = false;
    const served = await serving({ tools: [makeTool({ handler: () => (ran = true) })] });
    served.gate.close();
    const answer = await served.ask(MODERN, 'tools/call', { name: 'shop_stock' });
    expect(answer.messages).toMatchObject([{ error: { code: -32603 } }]);
    expect((await served.ask(MODERN, 'tools/list')).status).toBe(200);
    expect(ran).toBe(false);
  });
});

/** A gate of a tool over which somebody decides as slowly as the test likes, and of what somebody gives who never does. */
async function undecided(settings: Partial<McpGateSettings> = {}) {
  const begun: string[] = [];
  let decide: (answer: boolean) => void = () => undefined;
  const entry = makeEntry(
    makeTool({ handler: () => new Promise(() => void begun.push('begun')) }),
    () => new Promise((resolve) => (decide = resolve)),
  );
  const index = declareMcpTools([entry]);
  const source = { fixed: () => index, fresh: () => new Promise<never>(() => undefined) };
  const served = await serving(settings, undefined, { source });
  /** Once the gate waits for an answer: it has one request under way, and no more than that. */
  async function waiting(): Promise<void> {
    while (served.gate.liveRuns === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { ...served, begun, waiting, decide: (answer: boolean) => decide(answer) };
}

describe('what is still being decided', () => {
  const ASKED = [
    ['a call', 'tools/call', { name: 'shop_stock' }],
    ['a call of what may be given', 'tools/call', { name: 'fresh' }],
    ['a list', 'tools/list', {}],
    [
      'a handshake',
      'initialize',
      { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 't', version: '0' } },
    ],
  ] as const;

  it('R4: is cancelled by a legacy client: nothing is answered, and the tool never begins', async () => {
    const { ask, send, waiting, decide, begun, gate } = await undecided();
    const pending = ask(LEGACY, 'tools/call', { name: 'shop_stock' }, { id: 7 });
    await waiting();
    const params = { requestId: 7 };
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await send({ body, headers: { 'mcp-protocol-version': LEGACY } });
    const { status, text } = await pending;
    expect([status, text]).toEqual([202, '']);
    decide(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect([begun, gate.liveRuns]).toEqual([[], 0]);
  });

  it.each(ASKED)('R1: ends with the deadline of calls, though nobody ever decides: %s', async (_, method, params) => {
    const { ask, waiting, clock, log } = await undecided({ maxRunMs: 1_000 });
    const pending = ask(LEGACY, method, params);
    await waiting();
    clock.turn(1_000);
    expect((await pending).messages).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: 'The request was stopped: it took longer than this server allows.' },
      },
    ]);
    expect(clock.pending).toBe(0);
    expect(log).toEqual([]);
  });

  it.each(ASKED)('R1: ends with the process, though nobody ever decides: %s', async (_, method, params) => {
    const { ask, waiting, gate } = await undecided();
    const pending = ask(LEGACY, method, params);
    await waiting();
    gate.close();
    expect((await pending).messages).toMatchObject([
      { error: { code: -32603, message: 'The request was stopped: the server is shutting down. Ask again later.' } },
    ]);
    expect(gate.liveRuns).toBe(0);
  });

  it('R1: takes of the time that the call has, which has one deadline', async () => {
    const { ask, waiting, clock, decide, begun } = await undecided({ maxRunMs: 1_000 });
    const pending = ask(MODERN, 'tools/call', { name: 'shop_stock' });
    await waiting();
    clock.turn(700);
    decide(true);
    while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.turn(299);
    clock.turn(1);
    expect((await pending).messages).toMatchObject([{ result: { isError: true } }]);
    expect(clock.now()).toBe(2_000);
  });

  it('G6, A4: opens no stream, however long it takes: the answer may be one of HTTP', async () => {
    const { ask, waiting, clock, decide } = await undecided({ stream: { graceMs: 1_000 } });
    const pending = ask(MODERN, 'tools/call', { name: 'shop_stock' });
    await waiting();
    clock.turn(60_000);
    decide(false);
    const { headers, messages } = await pending;
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(messages).toMatchObject([{ error: { code: -32602, message: 'Unknown tool: shop_stock' } }]);
  });

  it('keeps nothing of a client that leaves meanwhile (G10)', async () => {
    const { port, waiting, gate, clock } = await undecided({ maxRunMs: 1_000 });
    const wire = await dial(port);
    wire.socket.write(callText('shop_stock'));
    await waiting();
    wire.socket.destroy();
    while (gate.liveRuns > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.pending).toBe(0);
  });
});
