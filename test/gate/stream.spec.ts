/** G6, P10: when an answer becomes a stream, what goes over it, and what a slow reader costs. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { McpGateSettings } from '../../src/gate/settings.js';
import type { McpTool } from '../../src/tools/tool.js';
import { heldTool, serve, type ServedGate } from '../support/gates.js';
import { CLIENT_HEADERS, eventsOf } from '../support/http.js';
import { request } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

const open: ServedGate[] = [];
const serving = async (settings: Partial<McpGateSettings>) => {
  const served = await serve(settings);
  open.push(served);
  return served;
};
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

const MODERN = '2026-07-28';

/** A call whose answer a test reads piece by piece. */
async function begin(served: ServedGate, name: string, asked: { token?: unknown; headers?: OutgoingHttpHeaders } = {}) {
  const { message, headers } = request(MODERN, 'tools/call', {
    name,
    ...(asked.token !== undefined && { _meta: { progressToken: asked.token } }),
  });
  const req = httpRequest({
    port: served.port,
    method: 'POST',
    agent: false,
    headers: { ...(headers as OutgoingHttpHeaders), ...CLIENT_HEADERS, ...asked.headers },
  });
  req.on('error', () => undefined);
  req.end(JSON.stringify(message));
  return {
    req,
    response: async () => {
      const [res] = (await once(req, 'response')) as [IncomingMessage];
      res.setEncoding('utf8');
      return res;
    },
  };
}

/** Reads until what came matches. */
async function readUntil(res: IncomingMessage, pattern: RegExp): Promise<string> {
  let text = '';
  while (!pattern.test(text)) {
    const chunk = res.read() as string | null;
    if (chunk === null) await once(res, 'readable');
    else text += chunk;
  }
  return text;
}

const reporting = (...values: number[]): McpTool =>
  makeTool({
    name: 'reporting',
    handler: (_, __, run) => {
      for (const value of values) run.progress(value, 10);
      return 'done';
    },
  });
const progress = (value: number, token: unknown = 't') => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: token, progress: value, total: 10 },
});
const asking = { _meta: { progressToken: 't' } };

describe('an answer', () => {
  it('G6: stays JSON while nothing must be said before it', async () => {
    const { ask } = await serving({ tools: [reporting()] });
    const answer = await ask(MODERN, 'tools/call', { name: 'reporting', ...asking });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it('G6: becomes a stream by the first notification, in order, and ends with the result', async () => {
    const { ask } = await serving({ tools: [reporting(1, 2, 3)] });
    const answer = await ask(MODERN, 'tools/call', { name: 'reporting', ...asking }, { id: 'a' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.messages).toMatchObject([
      progress(1),
      progress(3),
      { id: 'a', result: { content: [{ text: 'done' }] } },
    ]);
    expect(answer.text).not.toMatch(/^id:|^retry:/m); // G7: nothing to resume
  });

  it('G6: carries an error as its last message when the stream is open', async () => {
    const tool = makeTool({
      handler: (_, __, run) => {
        run.progress(1, 10);
        throw new Error('broken');
      },
    });
    const { ask } = await serving({ tools: [tool] });
    const answer = await ask(MODERN, 'tools/call', { name: 'shop_stock', ...asking });
    expect(answer.status).toBe(200);
    expect(answer.messages).toMatchObject([progress(1), { id: 1, error: { code: -32603 } }]);
  });

  it.each<[string | undefined, 'json' | 'stream']>([
    ['application/json, text/event-stream', 'stream'],
    ['text/event-stream', 'stream'],
    ['TEXT/EVENT-STREAM;q=0.5, */*', 'stream'],
    ['application/json', 'json'],
    ['*/*', 'json'],
    ['text/*', 'json'],
    [undefined, 'json'],
    ['', 'json'],
    ['application/json, text/event-stream;q=0', 'json'],
    ['application/json, text/event-stream; q=0.0', 'json'],
    ['application/json, text/event-streams', 'json'],
  ])('G6: with progress, to a client that accepts %p, is %s', async (accept, kind) => {
    const { ask } = await serving({ tools: [reporting(1)] });
    const answer = await ask(MODERN, 'tools/call', { name: 'reporting', ...asking }, { headers: { accept } });
    expect(answer.headers['content-type']).toMatch(kind === 'json' ? /^application\/json/ : /^text\/event-stream$/);
    expect(answer.messages.at(-1)).toMatchObject({ result: { content: [{ text: 'done' }] } });
    expect(answer.messages).toHaveLength(kind === 'json' ? 1 : 2);
  });

  it('G6: is a stream of one message for a client that accepts nothing else', async () => {
    const { ask } = await serving({ tools: [reporting()] });
    const headers = { accept: 'text/event-stream' };
    const answer = await ask(MODERN, 'tools/call', { name: 'reporting' }, { headers });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.messages).toMatchObject([{ id: 1, result: {} }]);
    const refused = await ask(MODERN, 'no/such', {}, { headers });
    expect([refused.status, refused.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });

  it('G6: is one stream for a batch, with the progress of all its calls', async () => {
    const { send } = await serving({ tools: [reporting(1)] });
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'reporting', _meta: { progressToken: `t${id}` } },
    });
    const answer = await send({ body: JSON.stringify([call(1), call(2)]) });
    const batch = answer.messages.at(-1) as unknown as object[];
    expect(answer.messages.slice(0, -1)).toEqual([progress(1, 't1'), progress(1, 't2')]);
    expect(batch).toMatchObject([{ id: 1 }, { id: 2 }]);
  });
});

describe('an answer that is long in coming', () => {
  it('G6: opens its stream silently past the grace delay, beats, and ends with the result', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const { response } = await begin(served, 'held');
    const { finish } = await held.next();
    served.clock.turn(4_999);
    expect(served.exchanges[0]!.res.headersSent).toBe(false);
    served.clock.turn(1);
    const res = await response();
    expect(res.headers['content-type']).toBe('text/event-stream');
    served.clock.turn(15_000);
    expect(await readUntil(res, /\n\n/)).toBe(':\n\n');
    served.clock.turn(15_000);
    expect(await readUntil(res, /\n\n/)).toBe(':\n\n');
    finish('late');
    const rest = await readUntil(res, /result.*\n\n/);
    expect(eventsOf(rest)).toMatchObject([{ id: 1, result: { content: [{ text: 'late' }] } }]);
    if (!res.readableEnded) await once(res.resume(), 'end');
    expect(served.clock.pending).toBe(0);
  });

  it('G6: obeys the delays of its settings', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool], stream: { graceMs: 10, heartbeatMs: 20 } });
    const { response } = await begin(served, 'held');
    const { finish } = await held.next();
    served.clock.turn(10);
    const res = await response();
    served.clock.turn(60);
    expect(await readUntil(res, /(:\n\n){3}/)).toBe(':\n\n:\n\n:\n\n');
    finish('x');
  });

  it('G6: beats on a stream that progress has opened, too', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const { response } = await begin(served, 'held', { token: 't' });
    const { run, finish } = await held.next();
    run.progress(1, 10);
    const res = await response();
    served.clock.turn(15_000);
    const text = await readUntil(res, /:\n\n$/);
    expect(eventsOf(text)).toEqual([progress(1)]);
    finish('x');
  });

  it('G6: to a client that takes no stream is JSON whenever it is ready', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const { response } = await begin(served, 'held', { headers: { accept: 'application/json' } });
    const { finish, run } = await held.next();
    run.progress(1);
    served.clock.turn(3_600_000);
    expect(served.exchanges[0]!.res.headersSent).toBe(false);
    expect(served.clock.pending).toBe(0);
    finish('late');
    const res = await response();
    expect(res.headers['content-type']).toMatch(/^application\/json/);
    expect(await readUntil(res, /late/)).toContain('"late"');
  });

  it('G10: leaves no timer behind when it was in time', async () => {
    const served = await serving({ tools: [makeTool()], maxRunMs: 1_000 });
    await served.ask(MODERN, 'tools/call', { name: 'shop_stock', ...asking });
    expect(served.clock.pending).toBe(0);
    expect(served.gate.liveRuns).toBe(0);
  });

  it('G5: keeps its CORS headers when it becomes a stream', async () => {
    const origin = 'https://app.test';
    const { ask } = await serving({ tools: [reporting(1)], allowedOrigins: [origin] });
    const answer = await ask(MODERN, 'tools/call', { name: 'reporting', ...asking }, { headers: { origin } });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'access-control-allow-origin': origin,
    });
  });
});

describe('a slow reader', () => {
  it('G6: of 100,000 notifications never makes the server hold more than a few, and misses neither the last nor the result', async () => {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const { response } = await begin(served, 'held', { token: 't' });
    const { run, finish } = await held.next();
    run.progress(0.5);
    const res = await response();
    res.pause();
    const server = served.exchanges[0]!.res;
    const note = 'n'.repeat(200);
    let most = 0;
    let full = false;
    for (let value = 1; value <= 100_000; value += 1) {
      run.progress(value, 100_000, note);
      served.clock.turn(100);
      most = Math.max(most, server.writableLength);
      full ||= server.writableNeedDrain;
      if (value % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve)); // lets the socket write
    }
    expect(full).toBe(true); // the reader was slow indeed
    expect(most).toBeLessThan(64 * 1_024);
    finish('done');
    let text = '';
    for await (const chunk of res) text += chunk as string;
    const messages = eventsOf(text) as { params?: { progress: number }; result?: object }[];
    const values = messages.flatMap(({ params }) => (params === undefined ? [] : [params.progress]));
    expect(values.length).toBeGreaterThan(100);
    expect(values.length).toBeLessThan(100_000);
    expect(values.every((value, at) => at === 0 || value > values[at - 1]!)).toBe(true);
    expect(values.at(-1)).toBe(100_000);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
    expect(served.clock.pending).toBe(0);
  });

  /** A call whose reader has stopped: the next notification has to wait. */
  async function stopped() {
    const held = heldTool();
    const served = await serving({ tools: [held.tool] });
    const { response, req } = await begin(served, 'held', { token: 't' });
    const { run, finish } = await held.next();
    run.progress(0.5);
    const res = await response();
    res.pause();
    const server = served.exchanges[0]!.res;
    let value = 0;
    while (!server.writableNeedDrain) {
      run.progress((value += 1), undefined, 'n'.repeat(100_000));
      served.clock.turn(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { served, server, run, finish, res, req, value };
  }

  it('G6: that reads on gets the newest of what it missed, and not all of it', async () => {
    const { served, run, res, finish, value } = await stopped();
    for (const missed of [1, 2, 3]) {
      run.progress(value + missed);
      served.clock.turn(100);
    }
    const read = eventsOf(await readUntil(res, new RegExp(`"progress":${value + 3}\\D`))) as {
      params: { progress: number };
    }[];
    expect(read.slice(-2).map(({ params }) => params.progress)).toEqual([value, value + 3]);
    finish('done');
    res.resume();
  });

  it('G6: that never catches up still gets the newest before the result', async () => {
    const { served, run, res, finish, value } = await stopped();
    run.progress(value + 1);
    served.clock.turn(100);
    finish('done');
    const messages = eventsOf(await readUntil(res, /"result".*\n\n/)) as { params?: { progress: number } }[];
    expect(messages.at(-2)?.params?.progress).toBe(value + 1);
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it('G6: is not beaten on while it does not read', async () => {
    const { served, server, req } = await stopped();
    const before = server.writableLength;
    served.clock.turn(15_000 * 1_000);
    expect(server.writableLength).toBe(before);
    req.destroy();
  });
});
