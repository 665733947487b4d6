/**
 * How a run ends early by the will of its own caller, or with its token, and by nobody else's (R4, A6, R5).
 */
import { EventEmitter, on, once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import {
  Annotations,
  McpGates,
  McpModule,
  McpRequestContext,
  McpTool,
  type McpCaller,
  type McpRun,
} from 'nestjs-mcp-gate';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { LocalIssuer } from '../oauth/local-issuer.js';
import { request } from '../support/protocol.js';
import { judgeTheLog, open } from './log-watch.js';
import { protectedGate, READS } from './shop.js';
import { bearing, keep, KEYS, STRANGE_KEYS, tokenFor } from './tokens.js';

const LABELLED = { type: 'object', properties: { label: { type: 'string' } } };

/** Runs that are under way, by the label of their call. */
const runs = new Map<string, { run: McpRun; release: (value: string) => void }>();
const started = new EventEmitter();
/** What each tool saw of its end, and as whom. */
const ends: string[] = [];

class WaitTools {
  @McpTool({ name: 'wait', description: 'Works until it is told to stop, or released.', inputSchema: LABELLED })
  @Annotations(READS)
  async wait({ label }: { label: string }, _caller: McpCaller, run: McpRun) {
    run.progress(1, 3);
    const released = new Promise<string>((release) => {
      runs.set(label, { run, release });
      run.signal.addEventListener('abort', () => {
        const subject = McpRequestContext.caller()?.subject ?? 'nobody';
        ends.push(`${label} of ${subject}: ${(run.signal.reason as Error).message}`);
        run.progress(2, 3);
        release('too late');
      });
    });
    started.emit('run', label);
    const value = await released;
    run.progress(3, 3);
    return value;
  }

  @McpTool({ name: 'deaf', description: 'Never listens to its signal.', inputSchema: LABELLED })
  @Annotations(READS)
  deaf({ label }: { label: string }) {
    started.emit('run', label);
    return new Promise(() => undefined);
  }
}

const CANCELLED = 'The client cancelled the call.';
const EXPIRED = "The caller's token expired.";
let labels = 0;

describe.each(PLATFORMS)('A run on %s', (platform) => {
  let gate: Served;
  let issuer: LocalIssuer;
  const opaque = new Map<string, Record<string, unknown>>();

  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    const tools = [WaitTools];
    const authorization = {
      issuers: [issuer.url],
      clockToleranceSec: 0,
      verifier: { verify: (token: string) => opaque.get(token) },
    };
    const imports = [
      protectedGate({ tools, authorization }),
      protectedGate({ name: 'mixed', path: '/mixed', tools, authorization: { ownKeys: KEYS, anonymous: true } }),
      McpModule.forRoot({ name: 'open', path: '/open', tools }),
    ];
    gate = await open({ imports, providers: [WaitTools] }, { platform });
  });
  afterAll(async () => {
    for (const { release } of runs.values()) release('over');
    await gate.close();
    await issuer.stop();
  });
  beforeEach(() => {
    ends.splice(0);
    runs.clear();
  });

  const as = async (account: string, path = '/mcp') => bearing(await tokenFor(gate.url + path, { account })).headers;
  const liveRuns = () => ['shop', 'mixed', 'open'].map((name) => gate.app.get(McpGates).get(name).liveRuns);

  /** A POST from an address of this machine. */
  async function post(path: string, body: object, headers: Record<string, string>, localAddress = '127.0.0.1') {
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const all = { ...json, 'mcp-protocol-version': '2025-11-25', ...headers };
    const req = httpRequest(gate.url + path, { method: 'POST', headers: all, agent: false, localAddress });
    req.end(JSON.stringify(body));
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of res) text += String(chunk);
    const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
    return { status: res.statusCode, text, messages };
  }

  interface Call {
    path?: string;
    id?: number | string;
    headers?: Record<string, string>;
    from?: string;
    meta?: object;
    tool?: string;
  }

  /** Begins a call and waits until its tool runs. */
  async function begin({ path = '/mcp', id = 7, headers = {}, from, meta, tool = 'wait' }: Call) {
    const label = `run ${(labels += 1)}`;
    const listening = new AbortController();
    const running = (async () => {
      for await (const [which] of on(started, 'run', { signal: listening.signal })) if (which === label) return;
    })();
    const params = { name: tool, arguments: { label }, ...(meta && { _meta: meta }) };
    const answer = post(path, { jsonrpc: '2.0', id, method: 'tools/call', params }, headers, from);
    await Promise.race([
      running,
      answer.then(({ status, text }) => Promise.reject(new Error(`it never began: ${status} ${text}`))),
    ]);
    listening.abort();
    return {
      label,
      answer,
      signal: runs.get(label)?.run.signal,
      release: (value: string) => runs.get(label)?.release(value),
    };
  }

  /** Tells a gate that a call is cancelled; what it does about it is done when it has answered. */
  async function cancel(path: string, requestId: unknown, headers: Record<string, string>, from?: string) {
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } };
    return (await post(path, notice, headers, from)).status;
  }

  test('is cancelled by its own caller, with any token of it, and nothing more is sent for it (R4)', async () => {
    const { label, answer } = await begin({ headers: await as('ada') });
    expect(await cancel('/mcp', 7, await as('ada'))).toBe(202);
    expect(ends).toEqual([`${label} of ada: ${CANCELLED}`]);
    expect(await answer).toEqual({ status: 202, text: '', messages: [] });
    expect(liveRuns()).toEqual([0, 0, 0]);
  });

  test('is out of reach for another subject, another id, another kind of id and another gate (R4)', async () => {
    const { label, answer, signal, release } = await begin({ headers: await as('ada') });
    for (const [who, id, path] of [
      ['bob', 7, '/mcp'],
      ['Ada', 7, '/mcp'],
      ['peer 127.0.0.1', 7, '/mcp'],
      ['ada', '7', '/mcp'],
      ['ada', 8, '/mcp'],
      ['ada', 7.5, '/mcp'],
      ['ada', null, '/mcp'],
      ['ada', undefined, '/mcp'],
      ['ada', [7], '/mcp'],
      ['ada', { id: 7 }, '/mcp'],
      ['ada', 7, '/mixed'],
      ['ada', 7, '/open'],
    ] as const) {
      expect(await cancel(path, id, await as(who, path))).toBe(202);
      expect([who, id, path, signal?.aborted]).toEqual([who, id, path, false]);
    }
    release('unhurt');
    expect(JSON.parse((await answer).text).result.content[0].text).toBe('unhurt');
    expect([label, ends]).toEqual([label, []]);
  });

  test('whose id is a text is cancelled by the text, and not by the number (R4)', async () => {
    const { label, answer, signal } = await begin({ id: '7', headers: await as('ada') });
    await cancel('/mcp', 7, await as('ada'));
    expect(signal?.aborted).toBe(false);
    await cancel('/mcp', '7', await as('ada'));
    await answer;
    expect(ends).toEqual([`${label} of ada: ${CANCELLED}`]);
  });

  test('is out of reach for whoever has no good token, also in the name of its caller (R4, A8)', async () => {
    const mixed = await begin({ path: '/mixed', headers: await as('ada', '/mixed') });
    const guarded = await begin({ headers: await as('ada') });
    const forged = async (path: string) =>
      bearing(await tokenFor(gate.url + path, { account: 'ada', key: STRANGE_KEYS })).headers;
    expect(await cancel('/mixed', 7, {})).toBe(202);
    expect(await cancel('/mixed', 7, await forged('/mixed'))).toBe(202);
    expect(await cancel('/mcp', 7, {})).toBe(401);
    expect(await cancel('/mcp', 7, await forged('/mcp'))).toBe(401);
    expect([mixed.signal?.aborted, guarded.signal?.aborted]).toEqual([false, false]);
    for (const { release } of [mixed, guarded]) release('unhurt');
    await Promise.all([mixed.answer, guarded.answer]);
  });

  test('of a stranger is cancelled from its own address, and from no other (R4)', async () => {
    for (const path of ['/open', '/mixed']) {
      ends.splice(0);
      const near = await begin({ path, from: '127.0.0.1' });
      const far = await begin({ path, from: '127.0.0.2' });
      expect(await cancel(path, 7, {}, '127.0.0.3')).toBe(202);
      const claims = { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' };
      expect(await cancel(path, 7, claims, '127.0.0.3')).toBe(403); // a local gate takes no relayed request
      if (path === '/mixed') expect(await cancel(path, 7, await as('127.0.0.1', path), '127.0.0.1')).toBe(202);
      expect([near.signal?.aborted, far.signal?.aborted]).toEqual([false, false]);
      await cancel(path, 7, {}, '127.0.0.2');
      expect([near.signal?.aborted, far.signal?.aborted]).toEqual([false, true]);
      near.release('unhurt');
      expect((await far.answer).text).toBe('');
      expect(JSON.parse((await near.answer).text).result.content[0].text).toBe('unhurt');
      expect(ends).toEqual([`${far.label} of nobody: ${CANCELLED}`]);
    }
  });

  test('that was reporting sends neither progress nor response once it is cancelled (R4, P10)', async () => {
    const { answer } = await begin({ headers: await as('ada'), meta: { progressToken: 'p' } });
    await cancel('/mcp', 7, await as('ada'));
    const { messages, text } = await answer;
    expect(messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 3 } },
    ]);
    expect(text).not.toContain('too late');
  });

  test('is not cancelled by the notice in the revision that closes its stream instead (R4)', async () => {
    const { signal, release, answer } = await begin({ headers: await as('ada') });
    const { message, headers } = request('2026-07-28', 'notifications/cancelled', { requestId: 7 });
    const { id: _, ...notice } = message;
    expect((await post('/mcp', notice, { ...(headers as Record<string, string>), ...(await as('ada')) })).status).toBe(
      202,
    );
    expect(signal?.aborted).toBe(false);
    release('unhurt');
    await answer;
  });

  test('dies with its token, whichever kind it is, and its client is told why (A6, R1)', async () => {
    const soon = () => Date.now() / 1000 + 1.2;
    const jwt = async () => keep(await issuer.sign({ aud: `${gate.url}/mcp`, sub: 'ada', exp: soon() }));
    opaque.set('an-opaque-token-of-the-app', { sub: 'ada', exp: soon() });
    const known = await jwt();
    expect(await gate.list(bearing(known))).toEqual(['wait', 'deaf']); // it is remembered from now on
    const tokens = [await jwt(), known, 'an-opaque-token-of-the-app'];
    const json = await Promise.all(tokens.map((token, id) => begin({ id, headers: bearing(token).headers })));
    const headers = bearing(await jwt()).headers;
    const deaf = await begin({ id: 10, headers, tool: 'deaf' });
    const stream = await begin({ id: 11, headers, meta: { progressToken: 'p' } });
    const lasting = await begin({ id: 12, headers: await as('ada') });

    const told = { code: -32603, message: 'Tool NAME was stopped: the token expired. Call it again with a new one.' };
    const error = (name: string) => ({ ...told, message: told.message.replace('NAME', name) });
    for (const { answer } of json) expect(JSON.parse((await answer).text).error).toEqual(error('wait'));
    expect(JSON.parse((await deaf.answer).text).error).toEqual(error('deaf'));
    const { messages } = await stream.answer;
    expect(messages.map(({ method, error: failed }) => method ?? failed)).toEqual([
      'notifications/progress',
      error('wait'),
    ]);
    expect(ends.toSorted()).toEqual([...json, stream].map(({ label }) => `${label} of ada: ${EXPIRED}`).toSorted());
    // The same token is no good for another request, and the run of a lasting one is not touched.
    expect((await gate.rpc('tools/list', {}, bearing(known))).status).toBe(401);
    expect([lasting.signal?.aborted, liveRuns()]).toEqual([false, [1, 0, 0]]);
    lasting.release('unhurt');
    await lasting.answer;
  });

  test('goes on with a token that ends later than a timer can wait (A6)', async () => {
    const far = keep(await issuer.sign({ aud: `${gate.url}/mcp`, exp: 4_102_444_800 }));
    const { signal, release, answer } = await begin({ headers: bearing(far).headers });
    await new Promise((done) => setTimeout(done, 10)); // an overflown timer would fire after 1 ms
    expect(signal?.aborted).toBe(false);
    release('unhurt');
    expect(JSON.parse((await answer).text).result.content[0].text).toBe('unhurt');
  });
});

judgeTheLog();
