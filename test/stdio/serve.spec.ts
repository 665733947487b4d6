import { once } from 'node:events';
import { jest } from '@jest/globals';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import type { McpCaller } from '../../src/caller.js';
import { MCP_SUPPORTED_VERSIONS } from '../../src/protocol/revisions.js';
import { mcpLineSink } from '../../src/stdio/line-sink.js';
import { serveMcpStdio } from '../../src/stdio/serve.js';
import { aborted, heldTool } from '../support/gates.js';
import { makeEntry, makeTool } from '../support/tools.js';
import { Pipe, quiet, type Message } from './pipe.js';

const HELLO = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = (id: unknown, name = 'shop_stock', params: Message = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, ...params },
});
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'test' },
});
/** The first messages of a stream, read as they come. */
async function readMessages(stream: Readable, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const line of createInterface({ input: stream })) {
    messages.push(JSON.parse(line) as Message);
    if (messages.length === count) break;
  }
  return messages;
}
const namesIn = (answer: Message): string[] => answer['result'].tools.map(({ name }: { name: string }) => name);
const textIn = (answer: Message): string => answer['result'].content[0].text;

const pipes: Pipe[] = [];
function open(...[options]: ConstructorParameters<typeof Pipe>): Pipe {
  const pipe = new Pipe({ entries: [makeTool()], ...options });
  pipe.served.catch(() => undefined);
  pipes.push(pipe);
  return pipe;
}

afterEach(() => {
  for (const pipe of pipes.splice(0)) pipe.input.destroy();
});

describe('a conversation over a pipe (S1)', () => {
  it('is in the revision that each modern request names, without a handshake', async () => {
    const pipe = open();
    pipe.ask('2026-07-28', 'tools/list');
    expect((await pipe.answer(1))['result']).toMatchObject({ resultType: 'complete', tools: [{ name: 'shop_stock' }] });
  });

  it('is in the revision that initialize agreed on, from the next line on, also before it was answered', async () => {
    const structured = makeTool({ outputSchema: { type: 'object' }, title: 'Stock', handler: () => ({ size: 4 }) });
    const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' };
    for (const protocolVersion of MCP_SUPPORTED_VERSIONS.slice(1)) {
      const pipe = open({ entries: [structured] });
      pipe.send({ ...HELLO, params: { ...HELLO.params, protocolVersion } }, READY, call(1), list);
      expect((await pipe.answer('hello'))['result'].protocolVersion).toBe(protocolVersion);
      const knows = protocolVersion !== '2025-03-26';
      expect('structuredContent' in (await pipe.answer(1))['result']).toBe(knows);
      expect('title' in (await pipe.answer('list'))['result'].tools[0]).toBe(knows);
    }
  });

  it('serves both eras in one process, message by message', async () => {
    const pipe = open();
    pipe.send(HELLO, READY, call(1));
    pipe.ask('2026-07-28', 'tools/call', { name: 'shop_stock' }, 2);
    pipe.send(call(3));
    expect((await pipe.answer(3))['result']).not.toHaveProperty('resultType');
    expect((await pipe.answer(2))['result']).toHaveProperty('resultType', 'complete');
    expect((await pipe.answer(1))['result']).not.toHaveProperty('resultType');
  });

  it('tells a client without a version what is missing, where only the modern revision is served', async () => {
    const pipe = open({ settings: { protocol: { versions: ['2026-07-28'] } } });
    pipe.send(call(1), HELLO);
    expect((await pipe.answer(1))['error']).toMatchObject({ code: -32602, message: /protocolVersion/ });
    expect((await pipe.answer('hello'))['error']).toMatchObject({ code: -32022 });
  });

  it('serves batches to a client that agreed on 2025-03-26, and to no other', async () => {
    const pipe = open();
    pipe.send([call(1)], { ...HELLO, params: { ...HELLO.params, protocolVersion: '2025-03-26' } }, [
      call(2),
      READY,
      call(3),
    ]);
    const [refused, ...others] = await pipe.first(3);
    expect(refused).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: expect.stringMatching(/batch exists in revision 2025-03-26 only/) },
    });
    const batch = others.find(Array.isArray) as unknown as Message[];
    expect(batch.map(({ id }) => id as number)).toEqual([2, 3]);
  });

  it('takes a byte order mark before the first message, and before any other', async () => {
    const pipe = open();
    pipe.type(`\uFEFF${JSON.stringify(call(1))}\n\uFEFF${JSON.stringify(call(2))}\n`);
    for (const id of [1, 2]) expect(await pipe.answer(id)).toHaveProperty('result');
  });

  it('answers what is no message, and goes on', async () => {
    const pipe = open({ settings: { bodyLimit: 300 } });
    pipe.type('{"jsonrpc":\n\n \r\n');
    pipe.input.write(Buffer.from([0x22, 0xff, 0x22, 0x0a])); // "\xff" is no UTF-8
    pipe.type(`${JSON.stringify(call(1, 'x'.repeat(300)))}\n`);
    pipe.send(call('last'));
    await pipe.answer('last');
    expect(pipe.messages.slice(0, 3)).toEqual([
      { jsonrpc: '2.0', error: { code: -32700, message: 'The line is not valid JSON.' } },
      { jsonrpc: '2.0', error: { code: -32700, message: 'The line is not valid JSON.' } },
      {
        jsonrpc: '2.0',
        error: { code: -32600, message: 'The line is longer than the 300 bytes that this gate takes.' },
      },
    ]);
  });

  it('never answers a notification or a response, however wrong they are (JSON-RPC 2.0, section 4.1)', async () => {
    const pipe = open();
    pipe.send(
      READY,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: ['no object'] },
      { jsonrpc: '2.0', id: 'last', result: {} },
      { jsonrpc: '2.0', id: 'last', error: { code: 1, message: '' } },
      { jsonrpc: '1.0', method: 'notifications/initialized' },
      call('last'),
    );
    expect(await pipe.answer('last')).toHaveProperty('result');
    expect(pipe.lines).toHaveLength(1);
  });

  it('answers each call as it is done, not in their order', async () => {
    const held = heldTool();
    const pipe = open({ entries: [held.tool, makeTool()] });
    pipe.send(call(1, 'held'), call(2));
    await pipe.answer(2);
    (await held.next()).finish('at last');
    expect(textIn(await pipe.answer(1))).toBe('at last');
    expect(pipe.messages.map(({ id }) => id as number)).toEqual([2, 1]);
  });

  it('takes a last line without a newline, and input that comes as text', async () => {
    const pipe = open();
    pipe.input.setEncoding('utf8');
    pipe.input.end(JSON.stringify(call(1)));
    await pipe.served;
    expect(pipe.messages).toHaveLength(1);
  });

  it('answers with a fault, and writes its cause to the log, where an answer cannot be written', async () => {
    const pipe = open();
    const sent: object[] = [];
    const conversation = pipe.gate.respondStdio({
      send(answer) {
        if (sent.push(answer) === 1) throw new TypeError('not to be written');
      },
      notify: () => undefined,
      forget: () => undefined,
    });
    conversation.take(Buffer.from(JSON.stringify(call(1))));
    await conversation.end('disconnected');
    const { error, ...rest } = sent[1] as Message;
    expect(rest).toEqual({ jsonrpc: '2.0', id: 1 });
    const id = /log has the cause under (\S+)\.$/.exec(error.message)?.[1];
    expect(pipe.log).toEqual([expect.stringMatching(`answering failed \\(${id}\\): TypeError: not to be written`)]);
  });
});

describe('the caller on a pipe is the local operator (S3)', () => {
  const reserved = [
    makeTool({ name: 'scoped', scopes: ['shop:read'] }),
    makeTool({ name: 'known_only', requiresAuth: true }),
    makeTool({ name: 'acting', actsForUser: true, scopes: ['shop:read'] }),
  ];
  const authorization = { issuers: ['https://login.example'] };

  it.each([
    ['an unprotected gate', {}],
    ['a mixed gate', { authorization: { ...authorization, anonymous: true } }],
    ['a protected gate', { authorization, accounts: () => ({ id: '1', roles: [], active: true }) }],
  ])('who has what is not reserved of %s, and nothing that is', async (_, settings) => {
    const pipe = open({ settings, entries: [makeTool(), ...reserved] });
    pipe.send(HELLO, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, ...reserved.map(({ name }) => call(name, name)));
    expect(namesIn(await pipe.answer(1))).toEqual(['shop_stock']);
    for (const { name } of reserved) {
      expect((await pipe.answer(name))['error']).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
    }
    expect((await pipe.answer('hello'))['result'].instructions).toBe('3 more tools are available with authorization.');
  });

  it("who reads the package's own tools, but has no other with their scopes, and none of them that writes", async () => {
    const scopes = ['nest:read'];
    const readOnly = { annotations: { readOnlyHint: true } };
    const pipe = open({
      entries: [makeTool({ name: 'mine', scopes, ...readOnly })],
      builtIn: [
        makeTool({
          name: 'nest_routes',
          scopes,
          ...readOnly,
          scopesFor: ({ as }) => (as === undefined ? [] : ['nest:write']),
        }),
        makeTool({ name: 'nest_restart', scopes, annotations: { readOnlyHint: false } }),
        makeTool({ name: 'nest_me', scopes, ...readOnly, actsForUser: true }),
      ],
    });
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, call(2, 'nest_routes'));
    pipe.send(call(3, 'nest_routes', { arguments: { as: 'ada' } }), call(4, 'nest_restart'), call(5, 'mine'));
    expect(namesIn(await pipe.answer(1))).toEqual(['nest_routes']);
    expect(textIn(await pipe.answer(2))).toBe('done');
    expect((await pipe.answer(3))['result']).toMatchObject({ isError: true });
    for (const id of [4, 5]) expect((await pipe.answer(id))['error'].message).toMatch(/^Unknown tool/);
  });

  it.each([
    ['an unprotected gate', {}],
    ['a protected gate', { authorization }],
  ])('to whom %s says in a result which scopes a call would need (A4)', async (_, settings) => {
    const pipe = open({ settings, entries: [makeTool({ scopesFor: () => ['shop:write'] })] });
    pipe.send(call(1));
    expect((await pipe.answer(1))['result']).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('shop:write') }],
    });
  });

  it('who is told apart, has the roles of an unprotected gate, and no credential', async () => {
    const callers: McpCaller[] = [];
    const tool = makeTool({ handler: (_, caller) => void callers.push(caller) });
    const pipe = open({ settings: { unprotectedRoles: ['clerk'] }, entries: [tool] });
    pipe.send(call(1));
    await pipe.answer(1);
    expect(callers).toEqual([{ operator: true, authenticated: false, scopes: [], roles: ['clerk'] }]);
    expect(Object.isFrozen(callers[0])).toBe(true);
  });

  it('whose messages are each a request of their own to guards', async () => {
    const seen: unknown[] = [];
    const entry = makeEntry(makeTool(), ({ request }) => seen.push(request) > 0);
    const pipe = open({ entries: [entry], request: () => ({ headers: {} }) });
    pipe.send(call(1), call(2));
    await pipe.first(2);
    expect(seen).toEqual([{ headers: {} }, { headers: {} }]);
    expect(seen[0]).not.toBe(seen[1]);
  });

  it('is refused by a gate that is not enabled', async () => {
    await expect(open({ settings: { enabled: false } }).served).rejects.toThrow('The gate "shop" is not enabled');
  });
});

describe('a call on a pipe', () => {
  const listening = { _meta: { progressToken: 'p' } };

  it.each(['2025-11-25', '2026-07-28'] as const)('sends progress before its answer, in %s (P10)', async (version) => {
    const held = heldTool();
    const pipe = open({ entries: [held.tool] });
    pipe.ask(version, 'tools/call', { name: 'held', ...listening });
    const { run, finish } = await held.next();
    for (let step = 1; step <= 50; step += 1) run.progress(step, 50);
    finish('done');
    const seen = await pipe.first(3);
    expect(seen.map(({ params, result }) => (params?.progress as number) ?? result.content[0].text)).toEqual([
      1,
      50,
      'done',
    ]);
  });

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'is cancelled by a notification in %s: its signal aborts, and nothing more is sent for it (R4, S4)',
    async (version) => {
      const held = heldTool();
      const pipe = open({ entries: [held.tool, makeTool()] });
      pipe.ask(version, 'tools/call', { name: 'held', ...listening }, 7);
      const { run, finish } = await held.next();
      run.progress(1);
      run.progress(2); // held back for the interval
      pipe.send(cancel('7'), cancel(8));
      await quiet();
      expect(run.signal.aborted).toBe(false);
      pipe.send(cancel(7));
      await aborted(run);
      run.progress(3);
      finish('too late');
      pipe.clock.turn(1_000);
      pipe.send(call('last'));
      await pipe.answer('last');
      expect(pipe.messages.map(({ id, method }) => (id ?? method) as unknown)).toEqual([
        'notifications/progress',
        'last',
      ]);
      expect(pipe.gate.liveRuns).toBe(0);
    },
  );

  it('that is cancelled while a guard still thinks never begins, and is never answered (R4)', async () => {
    let admit: (yes: boolean) => void = () => undefined;
    const begun: string[] = [];
    const tool = makeTool({ handler: () => void begun.push('begun') });
    const pipe = open({ entries: [makeEntry(tool, () => new Promise((resolve) => (admit = resolve)))] });
    pipe.send(call(1), cancel(1));
    await quiet();
    admit(true);
    await quiet();
    expect([begun, pipe.lines]).toEqual([[], []]);
  });

  it('is no other for a list: one that is cancelled in time is not answered either', async () => {
    let admit: (yes: boolean) => void = () => undefined;
    const pipe = open({ entries: [makeEntry(makeTool(), () => new Promise((resolve) => (admit = resolve)))] });
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, cancel(1));
    await quiet();
    admit(true);
    await quiet();
    expect(pipe.lines).toEqual([]);
  });

  it('is answered although its client has closed its end, when it is a list that a guard still thinks of (S4)', async () => {
    let admit: (yes: boolean) => void = () => undefined;
    const pipe = open({ entries: [makeEntry(makeTool(), () => new Promise((resolve) => (admit = resolve)))] });
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await quiet();
    pipe.input.end();
    await quiet();
    admit(true);
    expect(await pipe.answer(1)).toMatchObject({ result: { tools: [{ name: 'shop_stock' }] } });
  });

  it('is told so at a shutdown while a guard thinks of it that never answers, and holds nothing up (S4)', async () => {
    const stop = new AbortController();
    const pipe = open({ entries: [makeEntry(makeTool(), () => new Promise(() => undefined))], signal: stop.signal });
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, call(2));
    await quiet();
    stop.abort();
    await pipe.served;
    const stopped = { error: { message: 'The request was stopped: the server is shutting down. Ask again later.' } };
    expect(pipe.messages).toMatchObject([
      { id: 1, ...stopped },
      { id: 2, ...stopped },
    ]);
  });

  it('of a batch is cancelled alone, and the others are answered', async () => {
    const held = heldTool();
    const pipe = open({ settings: { protocol: { versions: ['2025-03-26'] } }, entries: [held.tool, makeTool()] });
    pipe.send([call(1, 'held', listening), call(2), call(3, 'held', { _meta: { progressToken: 'q' } })]);
    const [first, third] = [await held.next(), await held.next()];
    third.run.progress(1);
    pipe.send(cancel(1));
    await aborted(first.run);
    third.finish('third');
    const [progress, batch] = await pipe.first(2);
    expect(progress!['params']).toEqual({ progressToken: 'q', progress: 1 });
    expect((batch as unknown as Message[]).map(({ id }) => id as number)).toEqual([2, 3]);
  });

  it('of a batch that is no call is cancelled alone, too', async () => {
    let admit: (yes: boolean) => void = () => undefined;
    const slow = makeEntry(makeTool({ name: 'slow' }), () => new Promise((resolve) => (admit = resolve)));
    const pipe = open({ settings: { protocol: { versions: ['2025-03-26'] } }, entries: [slow] });
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    pipe.send([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, ping], cancel(1));
    await quiet();
    admit(true);
    expect((await pipe.first(1))[0]).toEqual([expect.objectContaining({ id: 2 })]);
  });

  it('that is cancelled takes what still waits of it along, although it was done (R4)', async () => {
    const taken: (() => void)[] = [];
    const held = heldTool();
    const pipe = open({
      entries: [held.tool, makeTool()],
      write: () => new Promise((resolve) => taken.push(resolve)),
    });
    pipe.send(call('first'), call(7, 'held', listening));
    const { run, finish } = await held.next();
    run.progress(1);
    finish('done');
    await quiet();
    pipe.send(cancel(7), call('last'));
    await quiet();
    for (let line = 0; line < 3; line += 1) {
      taken[line]?.();
      await quiet();
    }
    expect(pipe.messages.map(({ id, method }) => (id ?? method) as unknown)).toEqual(['first', 'last']);
  });

  it('is out of reach of the client on another pipe (R4)', async () => {
    const held = heldTool();
    const pipe = open({ entries: [held.tool] });
    const other = new PassThrough();
    const lines: string[] = [];
    const served = serveMcpStdio(pipe.gate, { input: other, write: (line) => void lines.push(line) });
    pipe.send(call(1, 'held'));
    const { run, finish } = await held.next();
    other.end(`${JSON.stringify(cancel(1))}\n`);
    await served;
    expect(run.signal.aborted).toBe(false);
    finish('mine');
    expect(textIn(await pipe.answer(1))).toBe('mine');
    expect(lines).toEqual([]);
  });

  it('is stopped at its deadline, and told so (R1)', async () => {
    const held = heldTool();
    const pipe = open({ settings: { maxRunMs: 1_000 }, entries: [held.tool] });
    pipe.send(call(1, 'held'));
    await held.next();
    pipe.clock.turn(1_000);
    expect((await pipe.answer(1))['result']).toMatchObject({ isError: true });
  });
});

describe('the end of a pipe (S4)', () => {
  it('comes when the client closes its end: calls are aborted without an answer, what else is owed is written', async () => {
    const held = heldTool();
    const admissions: ((yes: boolean) => void)[] = [];
    const slow = makeEntry(makeTool({ name: 'slow' }), () => new Promise((resolve) => admissions.push(resolve)));
    const pipe = open({ entries: [held.tool, slow] });
    pipe.send(call(1, 'held'), { jsonrpc: '2.0', id: 2, method: 'tools/list' }, call(3, 'slow'));
    const { run } = await held.next();
    pipe.input.end();
    expect(await aborted(run)).toBe('The client closed the connection.');
    for (const admit of admissions) admit(true);
    await pipe.served;
    expect(pipe.messages.map(({ id }) => id as number)).toEqual([2]);
  });

  it('comes after every line that was sent before it, over a socket like over a pipe', async () => {
    const pipe = open();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      void serveMcpStdio(pipe.gate, { input: socket, write: mcpLineSink(socket) }).then(() => socket.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.end(Array.from({ length: 100 }, (_, id) => `${JSON.stringify(call(id))}\n`).join(''));
    const answers = await readMessages(client, 100);
    expect(answers.map(({ id }) => id as number)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    server.close();
    await once(server, 'close');
  });

  it.each([
    ['resets', (input: PassThrough) => input.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))],
    ['was closed before', (input: PassThrough) => input.destroy()],
  ])('comes well when the input %s', async (_, leave) => {
    const held = heldTool();
    const pipe = open({ entries: [held.tool] });
    pipe.send(call(1, 'held'));
    const { run } = await held.next();
    leave(pipe.input);
    await aborted(run);
    await pipe.served;
    expect(pipe.lines).toEqual([]);
  });

  it('is there at once when there is no input any more', async () => {
    const pipe = open();
    const ended = new PassThrough();
    ended.end();
    ended.resume();
    await new Promise((resolve) => ended.once('close', resolve));
    await serveMcpStdio(pipe.gate, { input: ended, write: () => undefined });
  });

  it('comes from this side as a shutdown: calls are aborted and told so, and no more is read', async () => {
    const controller = new AbortController();
    const held = heldTool();
    const pipe = open({ entries: [held.tool], signal: controller.signal });
    pipe.send(call(1, 'held'));
    const { run } = await held.next();
    controller.abort();
    pipe.send(call(2, 'held'));
    expect(await aborted(run)).toBe('The server is shutting down.');
    await pipe.served;
    expect([pipe.input.listenerCount('data'), pipe.input.readableLength > 0]).toEqual([0, true]);
    expect(pipe.messages).toEqual([
      expect.objectContaining({
        id: 1,
        error: expect.objectContaining({ message: expect.stringMatching(/shutting down/) }),
      }),
    ]);
    await serveMcpStdio(pipe.gate, { input: new PassThrough(), write: () => undefined, signal: controller.signal });
  });

  it('leaves no call running at a gate that was closed', async () => {
    const held = heldTool();
    const pipe = open({ entries: [held.tool] });
    pipe.send(call(1, 'held'));
    await held.next();
    pipe.gate.close();
    expect((await pipe.answer(1))['error'].message).toMatch(/shutting down/);
    pipe.send(call(2, 'held'));
    expect((await pipe.answer(2))['error'].message).toMatch(/shutting down/);
  });

  it.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])('comes quietly when nobody reads (%s)', async (code) => {
    const held = heldTool();
    const output = new PassThrough();
    const pipe = open({ entries: [held.tool, makeTool()], write: mcpLineSink(output) });
    pipe.send(call(1, 'held'));
    const { run } = await held.next();
    output.destroy(Object.assign(new Error('broken'), { code }));
    pipe.send(call(2));
    await pipe.served;
    expect(run.signal.aborted).toBe(true);
    expect(pipe.log).toEqual([]);
  });

  it('comes with a fault when the output fails otherwise', async () => {
    const pipe = open({ write: () => Promise.reject(Object.assign(new Error('disk full'), { code: 'ENOSPC' })) });
    pipe.send(call(1));
    await expect(pipe.served).rejects.toThrow('disk full');
  });
});

describe('the end of a pipe whose client does not read (S4)', () => {
  /** Lines of its client, each about a kilobyte. */
  const calls = (count: number) =>
    Array.from({ length: count }, (_, id) => call(id, 'shop_stock', { _meta: { pad: 'x'.repeat(900) } }));
  const fat = makeTool({ handler: () => ({ content: [{ type: 'text', text: 'x'.repeat(64 * 1024) }] }) });

  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  it('is heard behind lines that nobody has asked yet: running calls are aborted, and it is not waited for', async () => {
    const held = heldTool();
    const pipe = open({ entries: [held.tool, fat], write: () => new Promise(() => undefined) });
    pipe.send(call('held', 'held'), ...calls(3_000));
    const { run } = await held.next();
    await quiet();
    pipe.input.end();
    await quiet();
    expect([pipe.input.readableEnded, run.signal.aborted]).toEqual([true, false]);
    jest.advanceTimersByTime(4_999);
    await quiet();
    expect(run.signal.aborted).toBe(false); // whoever reads slowly has some seconds
    jest.advanceTimersByTime(1);
    await pipe.served;
    expect(await aborted(run)).toBe('The client closed the connection.');
    expect([pipe.lines.length, pipe.gate.liveRuns, jest.getTimerCount()]).toEqual([1, 0, 0]);
  });

  it('is heard only as far as memory has a bound: about four megabytes are read that nobody has asked', async () => {
    const pipe = open({ entries: [fat], write: () => new Promise(() => undefined) });
    const chunk = `${JSON.stringify(call(1, 'x'.repeat(100_000)))}\n`;
    for (let sent = 0; sent < 100; sent += 1) pipe.type(sent < 20 ? `${JSON.stringify(call(1))}\n` : chunk);
    await quiet();
    const unread = pipe.input.readableLength + pipe.input.writableLength;
    const read = 80 * chunk.length - unread;
    expect([read > 4_000_000, read < 4_400_000]).toEqual([true, true]);
    await quiet();
    expect(pipe.input.readableLength + pipe.input.writableLength).toBe(unread);
  });

  it('counts what a chunk costs: of letters that come one by one fewer are read', async () => {
    const pipe = open({ entries: [fat], write: () => new Promise(() => undefined) });
    pipe.send(...calls(20));
    await quiet();
    const letters = 'x'.repeat(20_000);
    for (const letter of letters) pipe.type(letter);
    await quiet();
    const unread = pipe.input.readableLength + pipe.input.writableLength;
    expect([unread > 8_000, unread < 14_000]).toEqual([true, true]);
  });

  it('is not there as long as it takes something, be it a line or a part of one', async () => {
    const releases: (() => void)[] = [];
    let bytes = 0;
    const write = Object.assign(() => new Promise<void>((resolve) => releases.push(resolve)), { taken: () => bytes });
    const pipe = new Pipe({ entries: [makeTool()] });
    const input = new PassThrough();
    const served = serveMcpStdio(pipe.gate, { input, write });
    input.end(`${JSON.stringify(call(1))}\n${JSON.stringify(call(2))}\n${JSON.stringify(call(3))}\n`);
    await quiet();
    for (let step = 0; step < 20; step += 1) {
      if (step === 7 || step === 14) releases.shift()!();
      else bytes += 1;
      await quiet();
      jest.advanceTimersByTime(5_000);
      await quiet();
    }
    expect(releases).toHaveLength(1);
    releases.shift()!();
    await served;
    pipe.input.destroy();
  });

  it('comes although a guard still thinks', async () => {
    const thinking = makeEntry(makeTool(), () => new Promise<boolean>(() => undefined));
    const pipe = open({ entries: [thinking] });
    pipe.ask('2025-11-25', 'tools/list');
    await quiet();
    pipe.input.end();
    await quiet();
    jest.advanceTimersByTime(5_000);
    await pipe.served;
    expect(pipe.lines).toEqual([]);
  });
});

describe('a slow reader', () => {
  it('is asked for no more while too much waits for it, loses nothing, and reads whole lines', async () => {
    const size = 64 * 1024;
    let called = 0;
    const text = 'é'.repeat(size);
    const tool = makeTool({
      handler: () => {
        called += 1;
        return { content: [{ type: 'text', text }] };
      },
    });
    const output = new PassThrough({ highWaterMark: 1 });
    const pipe = open({ entries: [tool], write: mcpLineSink(output) });
    const count = 200;
    for (let id = 0; id < count; id += 1) pipe.send(call(id));
    await quiet();
    expect(called).toBeGreaterThan(10);
    expect(called).toBeLessThan(30); // 1 MiB of answers waits, and nothing that would make more is read
    const stopped = called;
    await quiet();
    expect(called).toBe(stopped);

    const answers = await readMessages(output, count);
    expect(answers.map(({ id }) => id as number)).toEqual(Array.from({ length: count }, (_, id) => id));
    expect(answers.every((answer) => textIn(answer) === text)).toBe(true);
  });

  it('receives 1,000 concurrent calls whole, with each their progress', async () => {
    const count = 1_000;
    const waiting: (() => void)[] = [];
    let allWait: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => (allWait = resolve));
    const tool = makeTool({
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
      handler: async ({ n }, _, run) => {
        run.progress(1);
        await new Promise<void>((resolve) => {
          if (waiting.push(resolve) === count) allWait();
        });
        return `answer ${String(n)} ${'x'.repeat(500)}`;
      },
    });
    const output = new PassThrough({ highWaterMark: 64 });
    const pipe = open({ entries: [tool], write: mcpLineSink(output) });
    const read = readMessages(output, 2 * count);
    for (let id = 0; id < count; id += 1) {
      pipe.send(call(id, 'shop_stock', { arguments: { n: id }, _meta: { progressToken: `p${id}` } }));
    }
    await waited;
    expect(pipe.gate.liveRuns).toBe(count);
    for (const release of waiting.toReversed()) release();
    const messages = await read;
    const answers = messages.filter(({ result }) => result !== undefined);
    expect(new Set(answers.map(({ id }) => id as number)).size).toBe(count);
    expect(answers.every((answer) => textIn(answer).startsWith(`answer ${answer['id']} `))).toBe(true);
  });
});
