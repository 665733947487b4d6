/** What a tool logs, over HTTP and over a pipe: on the stream of its own call, in any words, and to nobody who did not ask. */
import type { McpGateSettings } from '../../src/gate/settings.js';
import { McpSetLevels } from '../../src/gate/set-levels.js';
import { META_KEY } from '../../src/protocol/read.js';
import { MCP_LOG_MAX_PER_SECOND, type McpLogLevel } from '../../src/runs/log.js';
import type { McpTool } from '../../src/tools/tool.js';
import { Pipe, quiet } from '../stdio/pipe.js';
import { account } from '../support/callers.js';
import { HandClock } from '../support/hand-clock.js';
import { heldTool, serve, type ServedGate } from '../support/gates.js';
import type { Answer } from '../support/http.js';
import { makeTool } from '../support/tools.js';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const WANTS = { [META_KEY.logLevel]: 'debug' };

const open: { close(): Promise<void> }[] = [];
async function serving(settings: Partial<McpGateSettings> = {}, host?: Parameters<typeof serve>[1]) {
  const gate = await serve({ tools: [loud], ...settings }, host);
  open.push(gate);
  return gate;
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const loud = logging((run) => {
  run.log('debug', 'begins');
  run.log('error', { code: 7 }, 'disk');
});

function logging(work: (run: Parameters<McpTool['handler']>[2]) => void): McpTool {
  return makeTool({
    name: 'loud',
    handler(_, __, run) {
      work(run);
      return 'done';
    },
  });
}

/** What was logged, and the answer behind it. */
function heard({ messages }: Pick<Answer, 'messages'>): unknown[] {
  return messages.map(({ method, params, result }) =>
    method === 'notifications/message'
      ? (params as { data: unknown }).data
      : (result as { content: { text: string }[] }).content[0]!.text,
  );
}

describe('a modern call that asks for the log', () => {
  const call = (gate: ServedGate, asked: Parameters<ServedGate['ask']>[3] = {}) =>
    gate.ask(MODERN, 'tools/call', { name: 'loud', _meta: WANTS }, asked);

  it('has it on the stream of its own answer, before the answer', async () => {
    const answer = await call(await serving());
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(answer.messages.slice(0, -1)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'debug', data: 'begins' } },
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', logger: 'disk', data: { code: 7 } },
      },
    ]);
    expect(answer.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });

  it('is answered in JSON when nothing is logged that it wants, or when it takes no stream', async () => {
    const gate = await serving();
    const severe = await gate.ask(MODERN, 'tools/call', { name: 'loud', _meta: { [META_KEY.logLevel]: 'alert' } });
    const without = await gate.ask(MODERN, 'tools/call', { name: 'loud' });
    const noStream = await call(gate, { headers: { accept: 'application/json' } });
    for (const answer of [severe, without, noStream]) {
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(heard(answer)).toEqual(['done']);
    }
  });

  it('is not even read from the tool when there is nobody to hear it', async () => {
    let read = 0;
    const data = { toJSON: () => (read += 1) };
    const gate = await serving({ tools: [logging((run) => run.log('info', data))] });
    await call(gate, { headers: { accept: 'application/json' } });
    await gate.ask(MODERN, 'tools/call', { name: 'loud' });
    await gate.ask(MODERN, 'tools/call', { name: 'loud', _meta: { [META_KEY.logLevel]: 'error' } });
    expect(read).toBe(0);
    await call(gate);
    expect(read).toBeGreaterThan(0);
  });

  it('has it while the tool works, and nothing once it is over', async () => {
    const held = heldTool();
    const gate = await serving({ tools: [held.tool] });
    const answer = gate.ask(MODERN, 'tools/call', { name: 'held', _meta: WANTS });
    const { run, finish } = await held.next();
    run.log('info', 'at work');
    await Promise.resolve();
    run.log('info', 'still');
    finish('done');
    expect(heard(await answer)).toEqual(['at work', 'still', 'done']);
    run.log('emergency', 'late');
    expect(gate.exchanges[0]!.res.writableEnded).toBe(true);
  });

  it('has whatever was logged, as JSON can carry it (P15)', async () => {
    const circle: Record<string, unknown> = { name: 'circle' };
    circle['self'] = circle;
    const broken = {
      get value(): never {
        throw new Error('hunter2');
      },
    };
    const unreadable = {
      toJSON: () => {
        throw new Error('hunter2');
      },
    };
    const proto: unknown = JSON.parse('{"__proto__":{"a":1}}');
    const said: [given: unknown, heard: unknown][] = [
      [undefined, null],
      [null, null],
      [() => 1, null],
      [Symbol('x'), null],
      [NaN, null],
      [12n, '12'],
      [-0, 0],
      ['', ''],
      ['a\r\n\ud800', 'a\r\n\ud800'],
      [circle, { name: 'circle', self: '[circular]' }],
      [broken, '[unreadable value]'],
      [unreadable, '[unreadable value]'],
      [{ toJSON: () => 'short' }, 'short'],
      [new Map([['a', new Set([1n])]]), { a: ['1'] }],
      [new Date(0), '1970-01-01T00:00:00.000Z'],
      [
        [undefined, () => 1],
        [null, null],
      ],
      [new Error('/etc/passwd'), '[Error]'],
      [{ cause: new TypeError('hunter2') }, { cause: '[TypeError]' }],
      [proto, proto],
    ];
    const gate = await serving({ tools: [logging((run) => said.forEach(([given]) => run.log('info', given)))] });
    const answer = await call(gate);
    expect(heard(answer)).toEqual([...said.map(([, expected]) => expected), 'done']);
    expect(answer.text).not.toMatch(/hunter2|passwd/);
  });

  it('has what was there when it was logged, whatever became of it', async () => {
    const gate = await serving({
      tools: [
        logging((run) => {
          const state = { step: 1 };
          run.log('info', state);
          state.step = 2;
          run.log('info', state);
        }),
      ],
    });
    expect(heard(await call(gate))).toEqual([{ step: 1 }, { step: 2 }, 'done']);
  });

  it('has a summary of what is too long, as of a result (T9)', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => ({ at, word: 'x'.repeat(20) }));
    const gate = await serving({
      tools: [
        logging((run) => {
          run.log('info', rows);
          run.log('info', 'x'.repeat(40_000));
          run.log('info', 'x'.repeat(31_000));
        }),
      ],
    });
    const [list, text, whole] = heard(await call(gate)) as [object, object, string];
    expect(list).toMatchObject({ kind: 'array', count: 5_000, keysOfItems: ['at', 'word'] });
    expect(text).toMatchObject({
      kind: 'text',
      characters: 40_000,
      summary: expect.stringMatching(/SUMMARY/) as string,
    });
    expect(whole).toHaveLength(31_000);
  });

  it('has no more than a bound of messages from a tool that logs in a loop, and is told of the rest', async () => {
    const gate = await serving({
      tools: [
        logging((run) => {
          for (let at = 0; at < 10_000; at += 1) run.log('warning', at);
        }),
      ],
    });
    const all = heard(await call(gate));
    expect(all).toHaveLength(MCP_LOG_MAX_PER_SECOND + 2);
    expect(all.slice(-2)).toEqual(['9950 messages were dropped: at most 50 a second are sent.', 'done']);
  });

  it('does not make a tool fail whose log cannot go anywhere any more', async () => {
    const held = heldTool();
    const gate = await serving({ tools: [held.tool], maxRunMs: 10 });
    const answer = gate.ask(MODERN, 'tools/call', { name: 'held', _meta: WANTS });
    const { run, finish } = await held.next();
    gate.clock.turn(10);
    run.log('info', 'nobody listens');
    finish('done');
    expect((await answer).messages).toMatchObject([{ result: { isError: true } }]);
  });
});

describe('a legacy client over HTTP, where there is no session', () => {
  const as = (agent: string) => ({ headers: { 'user-agent': agent } });
  const set = (gate: ServedGate, level: McpLogLevel, agent = 'one/1') =>
    gate.ask(LEGACY, 'logging/setLevel', { level }, as(agent));
  const call = async (gate: ServedGate, agent = 'one/1') =>
    heard(await gate.ask(LEGACY, 'tools/call', { name: 'loud' }, as(agent)));

  it('hears what it has asked for, from then on, and what it asks for next', async () => {
    const gate = await serving();
    expect(await call(gate)).toEqual(['done']);
    expect((await set(gate, 'debug')).messages).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
    expect(await call(gate)).toEqual(['begins', { code: 7 }, 'done']);
    await set(gate, 'error');
    expect(await call(gate)).toEqual([{ code: 7 }, 'done']);
    await set(gate, 'emergency');
    expect(await call(gate)).toEqual(['done']);
  });

  it('is refused a level that does not exist, and hears what it heard before', async () => {
    const gate = await serving();
    await set(gate, 'error');
    const { status, messages } = await set(gate, 'loud' as McpLogLevel);
    expect([status, messages[0]]).toMatchObject([400, { error: { code: -32602 } }]);
    expect(await call(gate)).toEqual([{ code: 7 }, 'done']);
  });

  it('hears nothing that another program on its machine has asked for', async () => {
    const gate = await serving();
    await set(gate, 'debug', 'one/1');
    expect(await call(gate, 'two/1')).toEqual(['done']);
    expect(await call(gate, '')).toEqual(['done']);
    expect(await call(gate, 'one/1')).toHaveLength(3);
  });

  it('is told from other programs by the first 200 characters of its name: no more is kept of it', async () => {
    const gate = await serving();
    await set(gate, 'debug', `${'x'.repeat(200)}one`);
    expect(await call(gate, `${'x'.repeat(200)}two`)).toHaveLength(3);
    expect(await call(gate, `${'x'.repeat(199)}y`)).toEqual(['done']);
  });

  it('makes no modern client hear anything', async () => {
    const gate = await serving();
    await set(gate, 'debug');
    const modern = await gate.ask(MODERN, 'tools/call', { name: 'loud' }, as('one/1'));
    expect(heard(modern)).toEqual(['done']);
  });

  it('hears nothing that another account has asked for, from the same machine with the same program', async () => {
    let caller = account('ada');
    const gate = await serving({}, () => ({ caller }));
    await set(gate, 'debug');
    caller = account('bob');
    expect(await call(gate)).toEqual(['done']);
    caller = account('ada');
    expect(await call(gate)).toHaveLength(3);
  });

  it('is not remembered as a stranger from anywhere: behind a proxy all of them have one address', async () => {
    let caller: ReturnType<typeof account> | undefined;
    const gate = await serving({ allowRemote: true }, () => (caller === undefined ? {} : { caller }));
    expect((await set(gate, 'debug')).messages).toMatchObject([{ result: {} }]);
    expect(await call(gate)).toEqual(['done']);
    caller = account('ada');
    await set(gate, 'debug');
    expect(await call(gate)).toHaveLength(3);
  });

  it('is forgotten an hour after its last call, and not before', async () => {
    const gate = await serving();
    await set(gate, 'debug');
    gate.clock.turn(59 * 60_000);
    expect(await call(gate)).toHaveLength(3);
    gate.clock.turn(59 * 60_000);
    expect(await call(gate)).toHaveLength(3);
    gate.clock.turn(60 * 60_000);
    expect(await call(gate)).toEqual(['done']);
  });

  it('leaves nothing behind once it is forgotten', () => {
    const clock = new HandClock();
    const levels = new McpSetLevels(clock);
    levels.set('first', 'debug');
    clock.turn(60 * 60_000);
    expect([levels.isEmpty, levels.of('first'), levels.isEmpty]).toEqual([false, undefined, true]);
  });

  it('is one of a bounded number', () => {
    const levels = new McpSetLevels(new HandClock());
    expect(levels.isEmpty).toBe(true);
    levels.set('first', 'debug');
    for (let at = 0; at < 10_000; at += 1) levels.set(`later/${at}`, 'debug');
    expect(levels.of('first')).toBeUndefined();
    expect(levels.of('later/9999')).toBe('debug');
    const known = Array.from({ length: 10_000 }, (_, at) => levels.of(`later/${at}`)).filter(
      (level) => level !== undefined,
    );
    expect(known.length).toBeLessThanOrEqual(1_000);
  });

  it('is known to the process alone that it spoke to: another sends it nothing', async () => {
    const [one, two] = [await serving(), await serving()];
    await set(one, 'debug');
    expect(await call(two)).toEqual(['done']);
  });
});

describe('over a pipe', () => {
  const pipes: Pipe[] = [];
  const pipe = (...entries: McpTool[]) => {
    pipes.push(new Pipe({ entries }));
    return pipes.at(-1)!;
  };
  afterEach(async () => {
    for (const each of pipes.splice(0)) {
      each.input.end();
      await each.served;
    }
  });
  const said = ({ messages }: Pipe) => messages.map(({ id, params }) => params?.data ?? id);

  it('a legacy client hears from the level on that it has set for its conversation', async () => {
    const one = pipe(loud);
    const other = pipe(loud);
    one.ask(LEGACY, 'tools/call', { name: 'loud' }, 1);
    one.ask(LEGACY, 'logging/setLevel', { level: 'debug' }, 2);
    one.ask(LEGACY, 'tools/call', { name: 'loud' }, 3);
    one.ask(LEGACY, 'logging/setLevel', { level: 'loud' }, 4);
    one.ask(LEGACY, 'logging/setLevel', { level: 'error' }, 5);
    one.ask(LEGACY, 'tools/call', { name: 'loud' }, 6);
    await one.answer(6);
    expect(said(one)).toEqual([1, 2, 'begins', { code: 7 }, 3, 4, 5, { code: 7 }, 6]);
    expect(one.messages[1]).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect(one.messages[5]).toMatchObject({ id: 4, error: { code: -32602 } });
    other.ask(LEGACY, 'tools/call', { name: 'loud' }, 1);
    await other.answer(1);
    expect(said(other)).toEqual([1]);
  });

  it('a modern request hears what it asks for itself, and no other does', async () => {
    const one = pipe(loud);
    one.ask(MODERN, 'tools/call', { name: 'loud', _meta: { [META_KEY.logLevel]: 'error' } }, 1);
    one.ask(MODERN, 'tools/call', { name: 'loud' }, 2);
    await one.answer(2);
    expect(said(one)).toEqual([{ code: 7 }, 1, 2]);
  });

  it('a call that was cancelled is not heard any more (R4)', async () => {
    const held = heldTool();
    const one = pipe(held.tool);
    one.ask(MODERN, 'tools/call', { name: 'held', _meta: WANTS }, 1);
    const { run, finish } = await held.next();
    run.log('info', 'before');
    one.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await quiet();
    run.log('info', 'after');
    finish('done');
    await quiet();
    expect(said(one)).toEqual(['before']);
  });
});
