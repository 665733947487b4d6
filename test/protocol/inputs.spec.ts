/** Questions to a modern client, by the protocol alone: rounds, states, and what is refused (2026-07-28, MRTR). */
import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { establishCaller, type McpCaller } from '../../src/caller.js';
import { createMcpSeal } from '../../src/gate/seal.js';
import { elicitForm, elicitUrl } from '../../src/inputs/elicit.js';
import { listRoots } from '../../src/inputs/list-roots.js';
import { sample } from '../../src/inputs/sample.js';
import { META_KEY } from '../../src/protocol/read.js';
import { McpInputRequired } from '../../src/runs/input.js';
import type { McpRun } from '../../src/runs/run.js';
import type { McpTool } from '../../src/tools/tool.js';
import { account } from '../support/callers.js';
import { ask, refusal, resultOf, type Exchange, type Surroundings } from '../support/protocol.js';

const MODERN = '2026-07-28';
const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const seal = createMcpSeal('shop');

const name = elicitForm({
  message: 'What is your name?',
  schema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] },
});
const capital = sample({ messages: [{ role: 'user', content: { type: 'text', text: 'Capital?' } }], maxTokens: 9 });

/** A tool of this work. */
function asking(work: (run: McpRun, args: Record<string, unknown>) => unknown, more: Partial<McpTool> = {}): McpTool {
  const inputSchema = { type: 'object', additionalProperties: true };
  return { name: 'ask', description: 'Asks.', inputSchema, handler: (args, _, run) => work(run, args), ...more };
}

interface Round {
  readonly answers?: unknown;
  readonly state?: unknown;
  readonly args?: object;
  readonly can?: object;
  readonly caller?: McpCaller;
  readonly around?: Surroundings;
  readonly method?: string;
}

/** One round of a call. */
function round(tool: McpTool, { answers, state, args = {}, can = EVERYTHING, caller, around }: Round = {}) {
  const params = {
    name: tool.name,
    arguments: args,
    ...(answers !== undefined && { inputResponses: answers }),
    ...(state !== undefined && { requestState: state }),
    _meta: { [META_KEY.capabilities]: can },
  };
  return ask(MODERN, 'tools/call', params, {
    tools: [tool],
    ...(caller && { caller }),
    ...around,
    context: { seal, ...around?.context },
  });
}

function questionsOf(exchange: Exchange): Record<string, { method: string; params?: Record<string, unknown> }> {
  const { resultType, inputRequests } = resultOf(exchange);
  expect(resultType).toBe('input_required');
  return inputRequests as ReturnType<typeof questionsOf>;
}

const stateOf = (exchange: Exchange) => resultOf(exchange)['requestState'] as string;
const textOf = (exchange: Exchange) => (resultOf(exchange)['content'] as { text: string }[])[0]?.text;
const accept = (content: object) => ({ action: 'accept', content });
const STALE = refusal(400, -32602, /"requestState" is not what this server gave for this request, or it is too old/);

describe('a tool that asks a modern client', () => {
  const greet = asking(async (run) => {
    const answer = await run.ask('user_name', name);
    return answer.action === 'accept' ? `Hello ${String(answer.content['name'])}` : answer.action;
  });

  it('ends the call with its question, and goes on with the answer', async () => {
    const first = await round(greet);
    expect(questionsOf(first)).toEqual({
      user_name: {
        method: 'elicitation/create',
        params: {
          message: 'What is your name?',
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string', minLength: 2 } },
            required: ['name'],
          },
        },
      },
    });
    const second = await round(greet, { state: stateOf(first), answers: { user_name: accept({ name: 'Ada' }) } });
    expect(textOf(second)).toBe('Hello Ada');
    expect(resultOf(second)).toMatchObject({ resultType: 'complete' });
    expect([first.ends, second.ends]).toEqual([1, 1]);
  });

  it.each(['decline', 'cancel'])('hears that the user chose "%s"', async (action) => {
    const first = await round(greet);
    expect(textOf(await round(greet, { state: stateOf(first), answers: { user_name: { action } } }))).toBe(action);
  });

  it.each([
    ['no answer at all', {}],
    ['an answer to another question', { other: accept({ name: 'Ada' }) }],
    ['a number', { user_name: 12_345 }],
    ['no action', { user_name: { content: { name: 'Ada' } } }],
    ['an action of its own', { user_name: { action: 'yes' } }],
    ['nothing filled in', { user_name: { action: 'accept' } }],
    ['a field that is too short', { user_name: accept({ name: 'A' }) }],
    ['a field of another type', { user_name: accept({ name: 7 }) }],
    ['a list', { user_name: accept([]) }],
  ])('asks again for %s', async (_, answers) => {
    const first = await round(greet);
    const again = await round(greet, { state: stateOf(first), answers });
    expect(Object.keys(questionsOf(again))).toEqual(['user_name']);
    const last = await round(greet, { state: stateOf(again), answers: { user_name: accept({ name: 'Ada' }) } });
    expect(textOf(last)).toBe('Hello Ada');
  });

  it('ignores what it has not asked for: other answers, other fields', async () => {
    const first = await round(greet);
    const answers = { user_name: accept({ name: 'Ada', age: 7 }), extra: accept({}) };
    expect(textOf(await round(greet, { state: stateOf(first), answers }))).toBe('Hello Ada');
  });

  it('takes an answer that came unasked, by its key, and checks it', async () => {
    expect(textOf(await round(greet, { answers: { user_name: accept({ name: 'Ada' }), more: 1 } }))).toBe('Hello Ada');
    for (const answers of [{ wrong_key: accept({ name: 'Ada' }) }, { user_name: 1 }]) {
      expect(Object.keys(questionsOf(await round(greet, { answers })))).toEqual(['user_name']);
    }
  });

  it.each([null, [], 'answers', 7])('refuses answers that are %j', async (answers) => {
    expect(await round(greet, { answers })).toMatchObject(refusal(400, -32602, /"inputResponses" is an object/)!);
  });

  it('puts in one round what is asked at the same time, and reads all three kinds', async () => {
    const all = asking(async (run) => {
      const [who, city, folders] = await Promise.all([
        run.ask('user_name', name),
        run.ask('greeting', capital),
        run.ask('client_roots', listRoots()),
      ]);
      return { who, city: city.content, folders: folders.roots.length };
    });
    const first = await round(all);
    expect(Object.entries(questionsOf(first)).map(([key, { method }]) => [key, method])).toEqual([
      ['user_name', 'elicitation/create'],
      ['greeting', 'sampling/createMessage'],
      ['client_roots', 'roots/list'],
    ]);
    const answers = {
      user_name: accept({ name: 'Ada' }),
      greeting: { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
      client_roots: { roots: [{ uri: 'file:///a' }] },
    };
    expect(JSON.parse(textOf(await round(all, { state: stateOf(first), answers }))!)).toEqual({
      who: { action: 'accept', content: { name: 'Ada' } },
      city: { type: 'text', text: 'Paris' },
      folders: 1,
    });
    // One of three: the others are asked again, and the first is not.
    const some = await round(all, { state: stateOf(first), answers: { greeting: answers.greeting } });
    expect(Object.keys(questionsOf(some))).toEqual(['user_name', 'client_roots']);
    expect(textOf(await round(all, { state: stateOf(some), answers }))).toContain('Paris');
  });

  it('carries earlier answers in the state, which is another in each round', async () => {
    const steps = asking(async (run) => {
      const one = await run.ask('step1', name);
      const two = await run.ask('step2', name);
      return [one, two].map((answer) => (answer.action === 'accept' ? answer.content['name'] : '')).join(' ');
    });
    const first = await round(steps);
    const second = await round(steps, { state: stateOf(first), answers: { step1: accept({ name: 'Ada' }) } });
    expect(Object.keys(questionsOf(second))).toEqual(['step2']);
    expect(stateOf(second)).not.toBe(stateOf(first));
    const third = await round(steps, { state: stateOf(second), answers: { step2: accept({ name: 'Lovelace' }) } });
    expect(textOf(third)).toBe('Ada Lovelace');
  });

  it('looks up what it asks among the answers, and does not read through all that a client sends', async () => {
    const looked: unknown[] = [];
    const watched = (own: object) =>
      new Proxy(own, {
        ownKeys: (target) => (looked.push('all'), Reflect.ownKeys(target)),
        get: (target, key) => (looked.push(key), Reflect.get(target, key) as unknown),
      });
    const answers = { user_name: accept({ name: 'Ada' }), more: 1 };
    const tool = asking(async (run) => {
      await run.ask('user_name', name);
      return looked.splice(0);
    });
    expect(textOf(await round(tool, { answers: watched(answers) }))).toBe('["user_name"]');
    const state = stateOf(await round(tool));
    looked.length = 0;
    expect(textOf(await round(tool, { state, answers: watched(answers) }))).toBe('["user_name"]');
  });

  it('takes beside a state only answers to what was asked, and carries nothing else', async () => {
    const steps = asking(async (run) => [await run.ask('step1', name), await run.ask('step2', name)]);
    const first = await round(steps, { answers: { junk: 'x'.repeat(10_000) } });
    expect(stateOf(first).length).toBeLessThan(1_000);
    const answers = { step1: accept({ name: 'Ada' }), step2: accept({ name: 'Eve' }) };
    const second = await round(steps, { state: stateOf(first), answers });
    expect(Object.keys(questionsOf(second))).toEqual(['step2']);
  });

  it('forgets an answer once its question has changed, also when it changes back', async () => {
    let turn = 0;
    const tool = asking((run) =>
      run.ask('a', elicitForm({ message: turn++ % 2 === 0 ? 'Even?' : 'Odd?', schema: { type: 'object' } })),
    );
    const even = await round(tool);
    const odd = await round(tool, { state: stateOf(even), answers: { a: accept({}) } });
    const again = await round(tool, { state: stateOf(odd) });
    expect(questionsOf(again)['a']?.params?.['message']).toBe('Even?');
  });

  it('asks anew when the question has changed under its key, and does not take the old answer for it', async () => {
    let count = 3;
    const purge = asking((run) =>
      run.ask('sure', elicitForm({ message: `Delete ${count++}?`, schema: { type: 'object' } })),
    );
    const first = await round(purge);
    const second = await round(purge, { state: stateOf(first), answers: { sure: accept({}) } });
    expect(questionsOf(second)['sure']?.params?.['message']).toBe('Delete 4?');
  });

  it('puts one question for a key that stands for it twice, and fails for a key that stands for two', async () => {
    const twice = asking(async (run) => {
      await Promise.all([run.ask('a', name), run.ask('a', name)]);
      return (await run.ask('a', name)).action;
    });
    const first = await round(twice);
    expect(textOf(await round(twice, { state: stateOf(first), answers: { a: accept({ name: 'Ada' }) } }))).toBe(
      'accept',
    );
    const two = asking((run) => Promise.all([run.ask('a', name), run.ask('a', capital)]));
    const failed = await round(two);
    expect(failed).toMatchObject(refusal(200, -32603, /question could not be put/)!);
    expect(failed.reports[0]?.error).toMatchObject({ message: expect.stringContaining('stands for two questions') });
    expect(failed.reports[0]).toMatchObject({ where: 'tool ask' });
  });

  it.each([undefined, null, 'name', { message: 'What is your name?', schema: { type: 'object' } }])(
    'is a fault of the tool, which is told how to make one, when it is no question: %p',
    async (question) => {
      for (const revision of [MODERN, '2025-11-25'] as const) {
        const tool = asking((run) => run.ask('a', question as never));
        const exchange = await ask(revision, 'tools/call', { name: 'ask' }, { tools: [tool], context: { seal } });
        expect(exchange).toMatchObject(refusal(200, -32603, /^Tool ask failed/)!);
        expect(exchange.reports[0]?.error).toMatchObject({
          message: expect.stringMatching(/^run\.ask\("a", …\) takes a question: make one with elicitForm\(\)/),
        });
      }
    },
  );

  it('asks although its author caught the interruption, or did something else with it', async () => {
    const caught: unknown[] = [];
    const swallow = asking((run) => run.ask('a', name).catch((error: unknown) => caught.push(error)));
    const forget = asking((run) => void run.ask('a', name));
    for (const tool of [swallow, forget]) expect(Object.keys(questionsOf(await round(tool)))).toEqual(['a']);
    expect(caught).toEqual([expect.any(McpInputRequired)]);
  });

  it.each([
    ['', /A key of run.ask/],
    ['with blank', /A key of run.ask/],
    ['a'.repeat(65), /A key of run.ask/],
  ])('is a fault of the server with the key "%s"', async (key, message) => {
    const exchange = await round(asking((run) => run.ask(key, name)));
    expect(exchange).toMatchObject(refusal(200, -32603, /log has the cause/)!);
    expect(exchange.reports[0]?.error).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('may use the names that objects inherit as keys', async () => {
    const tool = asking(
      async (run) => (await run.ask('__proto__', name)).action + (await run.ask('toString', name)).action,
    );
    const first = await round(tool, { answers: {} });
    const answers = JSON.parse('{"__proto__":{"action":"decline"}}') as object;
    const second = await round(tool, { state: stateOf(first), answers });
    expect(Object.keys(questionsOf(second))).toEqual(['toString']);
    const third = await round(tool, { state: stateOf(second), answers: { toString: { action: 'cancel' } } });
    expect(textOf(third)).toBe('declinecancel');
  });
});

describe('what a client can be asked for', () => {
  const cases: [string, object, string[]][] = [
    ['nothing', {}, []],
    ['elicitation without modes', { elicitation: {} }, ['elicitation']],
    ['forms', { elicitation: { form: {} } }, ['elicitation']],
    ['pages', { elicitation: { url: {} } }, ['elicitation.url']],
    ['both', { elicitation: { form: {}, url: {} } }, ['elicitation', 'elicitation.url']],
    ['a model', { sampling: {} }, ['sampling']],
    ['a model with tools', { sampling: { tools: {} } }, ['sampling', 'sampling.tools']],
    ['roots', { roots: { listChanged: true } }, ['roots']],
    ['garbage', { elicitation: true, sampling: 'yes', roots: null }, []],
  ];
  it.each(cases)('run.can() tells it of a client that declares %s', async (_, can, expected) => {
    const needs = ['elicitation', 'elicitation.url', 'sampling', 'sampling.tools', 'roots'] as const;
    const tool = asking((run) => needs.filter((need) => run.can(need)));
    expect(JSON.parse(textOf(await round(tool, { can }))!)).toEqual(expected);
  });

  const link = elicitUrl({ message: 'Pay there.', url: 'https://pay.example/1' });
  const withTools = sample({ messages: [{ role: 'user', content: [] as never }], maxTokens: 1, tools: [] });
  it.each([
    ['a form', name, { elicitation: {} }],
    ['a page', link, { elicitation: { url: {} } }],
    ['a model', capital, { sampling: {} }],
    ['roots', listRoots(), { roots: {} }],
    ['a model with tools', withTools, { sampling: { tools: {} } }],
  ])('-32021 names what a client would have to declare for %s, and nothing is asked', async (_, request, required) => {
    const refused = await round(
      asking((run) => run.ask<unknown>('x', request)),
      { can: {} },
    );
    expect(refused).toMatchObject(
      refusal(400, -32021, /needs a client that declares/, 1, { requiredCapabilities: required })!,
    );
    expect(refused.reports).toEqual([]);
  });

  it('a tool may do without', async () => {
    const tool = asking((run) => run.ask('x', capital).catch(() => 'without'));
    expect(textOf(await round(tool, { can: {} }))).toBe('without');
  });

  it('prompts and resources ask as tools do, completions cannot', async () => {
    const prompts = [
      { name: 'p', handler: async (_: unknown, __: unknown, run: McpRun) => (await run.ask('a', name)).action },
    ];
    const resources = [
      {
        uri: 'shop://r',
        name: 'r',
        read: async (_: unknown, __: unknown, run: McpRun) => (await run.ask('a', name)).action,
      },
    ];
    const meta = { _meta: { [META_KEY.capabilities]: EVERYTHING } };
    for (const [method, params] of [
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'shop://r' }],
    ] as const) {
      const around = { prompts, resources: resources as never, context: { seal } };
      const first = await ask(MODERN, method, { ...params, ...meta }, around);
      expect(Object.keys(questionsOf(first))).toEqual(['a']);
      const answers = { inputResponses: { a: { action: 'cancel' } }, requestState: stateOf(first) };
      const second = await ask(MODERN, method, { ...params, ...meta, ...answers }, around);
      expect(JSON.stringify(resultOf(second))).toContain('cancel');
    }
    const completions = [
      {
        prompt: 'q',
        argument: 'x',
        complete: async (...[, , , run]: [unknown, unknown, unknown, McpRun]) => [(await run.ask('a', name)).action],
      },
    ];
    const completed = await ask(
      MODERN,
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'q' }, argument: { name: 'x', value: '' }, ...meta },
      {
        prompts: [
          { name: 'q', inputSchema: { type: 'object', properties: { x: { type: 'string' } } }, handler: () => 'q' },
        ],
        completions,
        context: { seal },
      },
    );
    expect(completed.reports[0]?.error).toMatchObject({ message: expect.stringContaining('a completion cannot') });
  });
});

describe('run.remember()', () => {
  it('computes once, however often the method begins anew', async () => {
    let computed = 0;
    const tool = asking(async (run) => {
      const order = await run.remember('order', () => Promise.resolve({ id: ++computed, at: new Date(0) }));
      await run.ask('a', name);
      const same = await run.remember('order', () => 'never');
      await run.ask('b', name);
      return [order, same, await run.remember('nothing', () => undefined)];
    });
    const first = await round(tool);
    const second = await round(tool, { state: stateOf(first), answers: { a: accept({ name: 'Ada' }) } });
    const third = await round(tool, { state: stateOf(second), answers: { b: accept({ name: 'Ada' }) } });
    const order = { id: 1, at: '1970-01-01T00:00:00.000Z' };
    expect(JSON.parse(textOf(third)!)).toEqual([order, order, null]);
    expect(computed).toBe(1);
  });

  it('is no secret of the client: the state shows nothing of it', async () => {
    const tool = asking(async (run) => {
      await run.remember('price', () => 'a price that nobody may know');
      await run.ask('a', name);
    });
    const state = stateOf(await round(tool));
    const parts = state.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect([state, ...parts].join()).not.toContain('nobody may know');
  });

  it('tries again what has failed, and keeps nothing of it', async () => {
    let tries = 0;
    const tool = asking(async (run) => {
      await run.remember('a', () => Promise.reject(new Error(`${++tries}`))).catch(() => undefined);
      return run.remember('a', () => ++tries);
    });
    expect(textOf(await round(tool))).toBe('2');
  });

  const circle: Record<string, unknown> = {};
  circle['again'] = circle;
  it.each([
    ['a number that is none of JSON', () => 1n, /^What run\.remember\("all", …\) keeps must be JSON/],
    ['what holds itself', () => circle, /^What run\.remember\("all", …\) keeps must be JSON/],
    ['a value in place of a function', 7, /^run\.remember\("all", …\) takes a function/],
  ])('is a fault of the tool with %s, and names the key', async (_, compute, message) => {
    const exchange = await round(asking((run) => run.remember('all', compute as () => unknown)));
    expect(exchange).toMatchObject(refusal(200, -32603, /^Tool ask failed/)!);
    expect(exchange.reports[0]?.error).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('is a fault of the server beyond what a client should carry', async () => {
    const tool = asking(async (run) => {
      await run.remember('all', () => 'x'.repeat(1_000_000));
      await run.ask('a', name);
    });
    const exchange = await round(tool);
    expect(exchange).toMatchObject(refusal(200, -32603, /question could not be put/)!);
    expect(exchange.reports[0]?.error).toMatchObject({ message: expect.stringContaining('has grown to') });
  });
});

describe('the state of a call', () => {
  const ada = (more: Partial<McpCaller>) => establishCaller({ authenticated: true, subject: 'ada', ...more });
  it('is a matter of the client when its own answers have made it too large', async () => {
    const tool = asking(async (run) => [await run.ask('a', listRoots()), await run.ask('b', listRoots())]);
    const refused = await round(tool, { answers: { a: { roots: [], more: 'x'.repeat(600_000) } } });
    expect(refused).toMatchObject(refusal(400, -32602, /answers to this call are too large/)!);
    expect(refused.reports).toEqual([]);
  });

  const tool = asking(async (run) => (await run.ask('a', name)).action);
  const answers = { a: accept({ name: 'Ada' }) };

  it('opens for the same call: the order of its arguments does not matter', async () => {
    const first = await round(tool, { args: { a: 1, b: { c: 2, d: [3] } } });
    const state = stateOf(first);
    expect(textOf(await round(tool, { state, answers, args: { b: { d: [3], c: 2 }, a: 1 } }))).toBe('accept');
  });

  it.each<[string, Round]>([
    ['other arguments', { args: { a: 2 } }],
    ['another caller', { caller: account('eve') }],
    ['one of that name at another issuer', { caller: ada({ issuer: 'https://b.test' }) }],
    ['the same person with another client', { caller: ada({ clientId: 'b' }) }],
    ['another server', { around: { context: { seal: createMcpSeal('shop') } } }],
    ['a later time', { around: { context: { now: () => Date.now() + 61_000 } } }],
  ])('is refused with %s', async (_, changed) => {
    const given = { caller: account('ada'), args: { a: 1 } };
    const state = stateOf(await round(tool, given));
    expect(textOf(await round(tool, { ...given, state, answers }))).toBe('accept');
    expect(await round(tool, { ...given, state, answers, ...changed })).toMatchObject(STALE!);
  });

  it('is refused for another tool, another method, and when its caller has signed in meanwhile', async () => {
    const state = stateOf(await round(tool));
    const other = { ...tool, name: 'other' };
    expect(await round(other, { state, answers })).toMatchObject(STALE!);
    expect(await round(tool, { state, answers, caller: account('ada') })).toMatchObject(STALE!);
    const nameless = establishCaller({ authenticated: true, scopes: [] });
    expect(await round(tool, { state, answers, caller: nameless })).toMatchObject(STALE!);
    const around = { prompts: [{ name: 'ask', handler: () => 'x' }], context: { seal } };
    const same = { name: 'ask', arguments: {}, requestState: state };
    expect(await ask(MODERN, 'prompts/get', same, around)).toMatchObject(STALE!);
  });

  it('is not even opened when it is longer than any that a gate gives', async () => {
    const open = jest.spyOn(seal, 'open');
    try {
      expect(await round(tool, { state: `eyJ..${'A'.repeat(600_000)}..`, answers })).toMatchObject(STALE!);
      expect(open).not.toHaveBeenCalled();
    } finally {
      open.mockRestore();
    }
  });

  it('is a matter of the client whose arguments are nested too deeply to be told from others', async () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 30_000; depth += 1) deep = [deep];
    const refused = await round(tool, { args: { deep } });
    expect(refused).toMatchObject(refusal(400, -32602, /nested too deeply/)!);
    expect(refused.reports).toEqual([]);
  });

  it('is a matter of the client whose arguments hold a number beyond all numbers, which would be told from nothing', async () => {
    const refused = await round(tool, { args: { amount: [Number.POSITIVE_INFINITY] } }); // what `1e400` is parsed to
    expect(refused).toMatchObject(refusal(400, -32602, /A number of the parameters is too large/)!);
    expect(refused.reports).toEqual([]);
  });

  it.each([7, null, {}, '', 'x', 'a.b.c.d.e'])('is refused when it is %j', async (state) => {
    expect(await round(tool, { state, answers })).toMatchObject(STALE!);
  });

  it('is refused with any single bit changed, and with anything behind it', async () => {
    const state = stateOf(await round(tool));
    expect(await round(tool, { state: `${state}-TAMPERED`, answers })).toMatchObject(STALE!);
    await fc.assert(
      fc.asyncProperty(fc.nat(state.length * 7 - 1), async (bit) => {
        const bytes = Buffer.from(state);
        bytes[Math.floor(bit / 7)]! ^= 1 << (bit % 7);
        expect(await round(tool, { state: bytes.toString('latin1'), answers })).toMatchObject(STALE!);
      }),
      { numRuns: 200 },
    );
  });

  it('is looked at only for a tool that the caller has (T12)', async () => {
    const reserved = { ...tool, requiresAuth: true };
    const state = stateOf(await round(reserved, { caller: account('ada') }));
    expect(await round(reserved, { state, answers })).toMatchObject(refusal(200, -32602, /Unknown tool: ask/)!);
  });
});

describe('a tool that asks its user first', () => {
  let runs = 0;
  const purge = asking(() => `purged ${++runs}`, { confirm: ({ shop }) => `Delete all of ${String(shop)}?` });

  beforeEach(() => (runs = 0));

  it('runs once they have agreed, and not before', async () => {
    const first = await round(purge, { args: { shop: 'north' } });
    expect(questionsOf(first)).toEqual({
      nest_confirm: {
        method: 'elicitation/create',
        params: { message: 'Delete all of north?', requestedSchema: { type: 'object', properties: {} } },
      },
    });
    expect(runs).toBe(0);
    const answers = { nest_confirm: { action: 'accept' } };
    const second = await round(purge, { state: stateOf(first), answers, args: { shop: 'north' } });
    expect(textOf(second)).toBe('purged 1');
    const elsewhere = await round(purge, { state: stateOf(first), answers, args: { shop: 'south' } });
    expect(elsewhere).toMatchObject(STALE!);
  });

  it.each([
    ['decline', /^The user declined: tool ask was not run/],
    ['cancel', /^The user gave no answer: tool ask was not run/],
  ])('is not run when they %s, and says so', async (action, text) => {
    const first = await round(purge);
    const second = await round(purge, { state: stateOf(first), answers: { nest_confirm: { action } } });
    expect(resultOf(second)).toMatchObject({ isError: true });
    expect(textOf(second)).toMatch(text);
    expect(runs).toBe(0);
  });

  it('is refused by a client that cannot ask them', async () => {
    const refused = await round(purge, { can: { sampling: {} } });
    expect(resultOf(refused)).toMatchObject({ isError: true });
    expect(textOf(refused)).toMatch(/its user must agree first, and this client cannot ask them/);
    expect(runs).toBe(0);
  });

  it('is a fault of the server when its function gives no text, and runs nothing', async () => {
    const broken = asking(() => ++runs, { confirm: () => '' });
    expect(await round(broken)).toMatchObject(refusal(200, -32603, /log has the cause/)!);
    expect(runs).toBe(0);
  });

  it('asks nothing of a caller whose token does not reach for it', async () => {
    const scoped = { ...purge, scopesFor: () => ['shop:purge'] };
    const refused = await round(scoped, { caller: account('ada') });
    expect(resultOf(refused)).toMatchObject({ isError: true });
  });
});
