/** Questions to legacy clients: put on the way of a call, answered by a message of their own, once, by whom they are for. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { establishCaller } from '../../src/caller.js';
import type { McpGateSettings } from '../../src/gate/settings.js';
import { elicitForm, elicitUrl } from '../../src/inputs/elicit.js';
import { listRoots } from '../../src/inputs/list-roots.js';
import { sample } from '../../src/inputs/sample.js';
import type { McpVersion } from '../../src/protocol/revisions.js';
import type { McpRun } from '../../src/runs/run.js';
import type { McpTool } from '../../src/tools/tool.js';
import { Pipe, type Message } from '../stdio/pipe.js';
import { aborted, heldTool, serve, type ServedGate } from '../support/gates.js';
import { CLIENT_HEADERS, eventsOf } from '../support/http.js';
import { request } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

const LEGACY = '2025-11-25';
const name = elicitForm({
  message: 'Name?',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});
const ADA = { action: 'accept', content: { name: 'Ada' } };

function asking(work: (run: McpRun) => unknown): McpTool {
  return makeTool({ name: 'ask', handler: (_, __, run) => work(run) });
}
const greet = asking(async (run) => {
  const answer = await run.ask('name', name);
  return answer.action === 'accept' ? `Hello ${String(answer.content['name'])}` : answer.action;
});

const open: ServedGate[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

/** A gate whose callers are who they say in a header. */
async function serving(tools: McpTool[], settings: Partial<McpGateSettings> = {}): Promise<ServedGate> {
  const served = await serve({ tools, ...settings }, ({ headers }) => {
    const who = headers['x-test-who'];
    return typeof who === 'string' ? { caller: establishCaller({ authenticated: true, subject: who }) } : {};
  });
  open.push(served);
  return served;
}

/** A call of a legacy client whose answer is read as it comes. */
class Call {
  private text = '';
  private look: () => void = () => undefined;
  response: IncomingMessage | undefined;

  constructor(
    private readonly served: ServedGate,
    version: McpVersion = LEGACY,
    private readonly headers: OutgoingHttpHeaders = {},
    readonly message: object = request(version, 'tools/call', { name: 'ask' }).message,
  ) {
    const req = httpRequest({
      port: served.port,
      method: 'POST',
      agent: false,
      headers: { ...CLIENT_HEADERS, 'mcp-protocol-version': version, ...headers },
    });
    this.req = req;
    req.on('error', () => undefined);
    req.on('response', (res) => {
      this.response = res;
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => {
        this.text += chunk;
        this.look();
      });
    });
    req.end(JSON.stringify(message));
  }

  readonly req;

  get messages(): Message[] {
    return this.text.startsWith('{') ? [JSON.parse(this.text) as Message] : eventsOf(this.text);
  }

  /** The message at a place, once it is there. */
  at(index: number): Promise<Message> {
    return new Promise((resolve) => {
      this.look = () => {
        const message = this.messages[index];
        if (message !== undefined) resolve(message);
      };
      this.look();
    });
  }

  /** Sends a response, as whom the call was made or as another; gives the status. */
  async respond(response: object, headers: OutgoingHttpHeaders = this.headers): Promise<number> {
    const body = JSON.stringify({ jsonrpc: '2.0', ...response });
    const sent = { 'mcp-protocol-version': LEGACY, ...headers } as Record<string, string>;
    return (await this.served.send({ body, headers: sent })).status;
  }
}

const textIn = (message: Message): string => message['result'].content[0].text;

describe('a question to a legacy client over HTTP', () => {
  it('goes out before the answer, and the response to it lets the same run go on', async () => {
    let runs = 0;
    const counting = asking(async (run) => `${++runs} ${(await run.ask('name', name)).action}`);
    const call = new Call(await serving([counting]));
    const question = await call.at(0);
    expect(question).toEqual({
      jsonrpc: '2.0',
      id: expect.stringMatching(/^ask-[0-9a-f-]{36}$/),
      method: 'elicitation/create',
      params: {
        message: 'Name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    });
    expect(await call.respond({ id: question['id'], result: ADA })).toBe(202);
    expect(textIn(await call.at(1))).toBe('1 accept');
    expect(call.messages).toHaveLength(2);
    expect(open[0]!.clock.pending).toBe(0);
  });

  it('is withdrawn with a run that has not waited for it', async () => {
    const served = await serving([
      asking((run) => {
        void run.ask('name', name); // prepared when the run is over already
        return 'done';
      }),
      makeTool({
        name: 'early',
        handler: async (_, __, run) => {
          void run.ask('roots', listRoots());
          await new Promise((resolve) => setImmediate(resolve));
          return 'done';
        },
      }),
    ]);
    const call = new Call(served);
    expect(textIn(await call.at(0))).toBe('done');
    const early = new Call(served, LEGACY, {}, request(LEGACY, 'tools/call', { name: 'early' }).message);
    const { id } = await early.at(0);
    expect(textIn(await early.at(1))).toBe('done');
    expect(await early.respond({ id, result: { roots: [] } })).toBe(400);
    expect(served.clock.pending).toBe(0);
  });

  it('is answered once, and by nobody else: nobody learns that it waits', async () => {
    const served = await serving([greet]);
    const call = new Call(served, LEGACY, { 'x-test-who': 'ada' });
    const { id } = await call.at(0);
    const asEve = await served.send({
      body: JSON.stringify({ jsonrpc: '2.0', id, result: ADA }),
      headers: { 'x-test-who': 'eve', 'mcp-protocol-version': LEGACY },
    });
    const unknown = await served.send({
      body: JSON.stringify({ jsonrpc: '2.0', id: 'ask-nothing', result: ADA }),
      headers: { 'x-test-who': 'eve', 'mcp-protocol-version': LEGACY },
    });
    expect(asEve.status).toBe(400);
    expect(asEve.text.replace(id as string, 'ask-nothing')).toBe(unknown.text);
    expect(await call.respond({ id, result: ADA }, {})).toBe(400); // a stranger
    expect(call.messages).toHaveLength(1);
    expect(await call.respond({ id, result: ADA })).toBe(202);
    expect(await call.respond({ id, result: ADA })).toBe(400);
    expect(textIn(await call.at(1))).toBe('Hello Ada');
  });

  it('is put again when its answer does not fit, three times at the most', async () => {
    const call = new Call(await serving([greet]));
    for (const [at, result] of [{ action: 'yes' }, { action: 'accept' }, ADA].entries()) {
      await call.respond({ id: (await call.at(at))['id'], result });
    }
    expect(textIn(await call.at(3))).toBe('Hello Ada');
    const stubborn = new Call(open[0]!);
    for (const at of [0, 1, 2]) await stubborn.respond({ id: (await stubborn.at(at))['id'], result: 7 });
    const end = await stubborn.at(3);
    expect(end['result'].isError).toBe(true);
    expect(textIn(end)).toMatch(/answers to "name" do not fit/);
  });

  it('tells the agent that its client refused, and nothing of what the client said', async () => {
    const call = new Call(await serving([greet]));
    await call.respond({ id: (await call.at(0))['id'], error: { code: -1, message: 'a text of the client' } });
    const end = await call.at(1);
    expect(end['result']).toEqual({
      content: [{ type: 'text', text: 'The client refused to answer.' }],
      isError: true,
    });
  });

  it('-32021 says what a client lacks that does not know the question', async () => {
    const served = await serving([
      asking((run) => run.ask('page', elicitUrl({ message: 'x', url: 'https://a.example' }))),
    ]);
    const call = new Call(served);
    await call.respond({ id: (await call.at(0))['id'], error: { code: -32601, message: 'Method not found' } });
    expect((await call.at(1))['error']).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
  });

  it('is not put to a client that takes nothing before its answer', async () => {
    const served = await serving([asking((run) => (run.can('roots') ? 'yes' : run.ask('roots', listRoots())))]);
    const answer = await served.ask(LEGACY, 'tools/call', { name: 'ask' }, { headers: { accept: 'application/json' } });
    expect([answer.status, answer.messages[0]!['error']]).toMatchObject([200, { code: -32021 }]);
  });

  it.each<[McpVersion, string[]]>([
    ['2025-03-26', ['sampling', 'roots']],
    ['2025-06-18', ['elicitation', 'sampling', 'roots']],
    ['2025-11-25', ['elicitation', 'elicitation.url', 'sampling', 'sampling.tools', 'roots']],
  ])('is put in %s for what that revision knows', async (version, expected) => {
    const needs = ['elicitation', 'elicitation.url', 'sampling', 'sampling.tools', 'roots'] as const;
    const served = await serving([asking((run) => needs.filter((need) => run.can(need)))]);
    const { messages } = await served.ask(version, 'tools/call', { name: 'ask' });
    expect(JSON.parse(textIn(messages[0]!))).toEqual(expected);
  });

  it('waits no longer than the gate allows, and tells its client so', async () => {
    const served = await serving([greet], { answerWithinMs: 1_000 });
    const call = new Call(served);
    const { id } = await call.at(0);
    served.clock.turn(1_001);
    expect(await call.at(1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'It was not answered in time.' },
    });
    expect(textIn(await call.at(2))).toBe('The client did not answer in time.');
    expect(await call.respond({ id, result: ADA })).toBe(400);
  });

  it.each(['leaves', 'cancels', 'is shut out'])('ends with its run when the client %s (R1)', async (how) => {
    let over: Promise<unknown> | undefined;
    const served = await serving([
      asking((run) => {
        over = run.ask('name', name).catch((error: unknown) => (error as Error).name);
        return over;
      }),
    ]);
    const call = new Call(served);
    const { id } = await call.at(0);
    if (how === 'leaves') call.req.destroy();
    else if (how === 'is shut out') served.gate.close();
    else {
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
      await served.send({ body: JSON.stringify(cancel), headers: { 'mcp-protocol-version': LEGACY } });
    }
    expect(await over).toBe('AbortError');
    expect(await call.respond({ id, result: ADA })).toBe(400);
    expect(served.gate.liveRuns).toBe(0);
    expect(call.messages.filter((message) => 'method' in message)).toHaveLength(1);
  });

  it('is one of several under way, each with its own answer', async () => {
    const both = asking(async (run) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'x' } }];
      const [one, other] = await Promise.all([
        run.ask('name', name),
        run.ask('say', sample({ messages, maxTokens: 1 })),
      ]);
      return [one.action, other.model];
    });
    const call = new Call(await serving([both]));
    await call.at(1);
    const [form, model] = ['elicitation/create', 'sampling/createMessage'].map((method) =>
      call.messages.find((message) => message['method'] === method)!,
    ) as [Message, Message];
    const said = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' };
    expect(await call.respond({ id: model['id'], result: said })).toBe(202);
    expect(await call.respond({ id: form['id'], result: ADA })).toBe(202);
    expect(JSON.parse(textIn(await call.at(2)))).toEqual(['accept', 'm']);
  });

  it('reaches a client that reads slowly, whatever else it was sent', async () => {
    const loud = asking(async (run) => {
      for (let at = 1; at <= 2_000; at += 1) run.progress(at, 2_000, 'x'.repeat(1_000));
      return (await run.ask('name', name)).action;
    });
    const message = request(LEGACY, 'tools/call', { name: 'ask', _meta: { progressToken: 1 } }).message;
    const call = new Call(await serving([loud]), LEGACY, {}, message);
    const question = await new Promise<Message>((resolve) => {
      const look = () => {
        const found = call.messages.find(({ method }) => method === 'elicitation/create');
        if (found === undefined) setImmediate(look);
        else resolve(found);
      };
      look();
    });
    await call.respond({ id: question['id'], result: ADA });
    await once(call.response!, 'end');
    expect(textIn(call.messages.at(-1)!)).toBe('accept');
  });

  it('is put in a batch too, about its own request', async () => {
    const message = [
      { jsonrpc: '2.0', id: 'one', method: 'tools/call', params: { name: 'ask' } },
      { jsonrpc: '2.0', id: 'two', method: 'ping' },
    ];
    const roots = asking(async (run) => (await run.ask('roots', listRoots())).roots.length);
    const call = new Call(await serving([roots]), '2025-03-26', {}, message);
    await call.respond({ id: (await call.at(0))['id'], result: { roots: [] } });
    const answers = (await call.at(1)) as unknown as Message[];
    expect(answers.map(({ id }) => id as string)).toEqual(['one', 'two']);
    expect(textIn(answers[0]!)).toBe('0');
  });

  it.each([
    ['a response to nothing', { id: 'x', result: {} }],
    ['a response without an id', { result: {} }],
    ['an error to nothing', { id: 7, error: { code: 1, message: 'x' } }],
  ])('%s is refused', async (_, response) => {
    const served = await serving([greet]);
    const answer = await served.send({ body: JSON.stringify({ jsonrpc: '2.0', ...response }) });
    expect([answer.status, answer.messages[0]!['error']]).toMatchObject([400, { code: -32600 }]);
  });
});

describe('a question to a legacy client over a pipe', () => {
  const hello = (capabilities: object): Message => ({
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: LEGACY, capabilities, clientInfo: { name: 'test', version: '0' } },
  });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } };

  it('is put to a client that declared it when it shook hands', async () => {
    const pipe = new Pipe({ entries: [greet] });
    pipe.send(hello({ elicitation: {} }), call);
    const question = await pipe.until(() => pipe.messages.find(({ method }) => method === 'elicitation/create'));
    pipe.send({ jsonrpc: '2.0', id: question['id'], result: ADA });
    expect(textIn(await pipe.answer(1))).toBe('Hello Ada');
    pipe.input.end();
    await pipe.served;
  });

  it.each([[undefined], [{}], [{ sampling: {} }]])('is not put to one that declared %j', async (capabilities) => {
    const pipe = new Pipe({ entries: [greet] });
    if (capabilities !== undefined) pipe.send(hello(capabilities));
    pipe.send(call);
    expect((await pipe.answer(1))['error']).toMatchObject({ code: -32021 });
    expect(pipe.messages.filter((message) => 'method' in message)).toEqual([]);
    pipe.input.end();
    await pipe.served;
  });

  it('is forgotten with its call (R4)', async () => {
    const pipe = new Pipe({ entries: [greet] });
    pipe.send(hello({ elicitation: {} }), call);
    const question = await pipe.until(() => pipe.messages.find(({ method }) => method === 'elicitation/create'));
    await pipe.answer('hello');
    pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    pipe.send({ jsonrpc: '2.0', id: question['id'], result: ADA }, { jsonrpc: '2.0', id: 2, method: 'ping' });
    await pipe.answer(2);
    expect(new Set(pipe.messages.map(({ id }) => id as unknown))).toEqual(new Set(['hello', question['id'], 2]));
    pipe.input.end();
    await pipe.served;
  });

  it('is not put any more once its call was cancelled, although the tool goes on and asks for the first time (R4)', async () => {
    const held = heldTool('ask');
    const pipe = new Pipe({ entries: [held.tool] });
    pipe.send(hello({ elicitation: {} }), call);
    await pipe.answer('hello');
    const { run } = await held.next();
    pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await aborted(run);
    await expect(run.ask('name', name)).rejects.toThrow('The call is over.');
    pipe.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await pipe.answer(2);
    expect(pipe.messages.map(({ id }) => id as unknown)).toEqual(['hello', 2]);
    expect(pipe.clock.pending).toBe(0);
    pipe.input.end();
    await pipe.served;
  });
});
