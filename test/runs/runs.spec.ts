/** R1, R4, R5: a run from the side that can end it, and what is readable below a tool. */
import { jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ANONYMOUS_CALLER, establishCaller } from '../../src/caller.js';
import { currentAmbient, McpRequestContext } from '../../src/runs/ambient.js';
import { SYSTEM_CLOCK } from '../../src/runs/clock.js';
import { McpLiveRuns } from '../../src/runs/live-runs.js';
import { McpOpenRun, type McpAbortCause, type McpOpenRunOptions } from '../../src/runs/open-run.js';
import { isMcpProgress, McpProgress } from '../../src/runs/run.js';
import { account } from '../support/callers.js';

const open = (options: Partial<McpOpenRunOptions> = {}) => new McpOpenRun({ id: 'run', ...options });

describe('a caller', () => {
  it('A1: is frozen, with everything in it', () => {
    const scopes = ['read'];
    const caller = establishCaller({ authenticated: true, subject: 'ada', scopes });
    scopes.push('write');
    expect(caller).toEqual({ authenticated: true, subject: 'ada', scopes: ['read'], roles: [] });
    for (const part of [caller, caller.scopes, caller.roles, ANONYMOUS_CALLER, ANONYMOUS_CALLER.scopes]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('A1: that nobody established is anonymous: without subject, scopes and roles', () => {
    expect(establishCaller({})).toEqual({ authenticated: false, scopes: [], roles: [] });
  });
});

describe('a run that is aborted', () => {
  it.each([
    ['disconnected', 'The client closed the connection.'],
    ['cancelled', 'The client cancelled the call.'],
    ['deadline', 'The call ran longer than the server allows.'],
    ['expired', "The caller's token expired."],
    ['shutdown', 'The server is shutting down.'],
  ] as const)('R1: tells its tool by an AbortError that it was %s', (cause, message) => {
    const run = open();
    const { signal } = run;
    run.abort(cause);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: 'AbortError', message });
    expect(run.abortedBy).toBe(cause);
  });

  it('R1: shows an aborted signal to a tool that reads it only afterwards', () => {
    const run = open();
    run.abort('cancelled');
    expect(run.signal.aborted).toBe(true);
    expect(run.signal.reason).toMatchObject({ message: 'The client cancelled the call.' });
  });

  it('creates no AbortController until a tool asks for the signal, and then always the same', () => {
    const original = globalThis.AbortController;
    let created = 0;
    globalThis.AbortController = class extends original {
      constructor() {
        super();
        created += 1;
      }
    };
    try {
      const silent = open();
      silent.onAbort(() => undefined);
      silent.abort('cancelled');
      silent.end();
      expect(created).toBe(0);
      const asked = open();
      expect(asked.signal).toBe(asked.signal);
      expect(created).toBe(1);
    } finally {
      globalThis.AbortController = original;
    }
  });

  it('keeps the first cause and calls its listeners once', () => {
    const run = open();
    const heard: McpAbortCause[] = [];
    run.onAbort((cause) => heard.push(cause));
    run.abort('deadline');
    run.abort('cancelled');
    run.onAbort((cause) => heard.push(cause)); // too late for the event, not for the news
    expect(heard).toEqual(['deadline', 'deadline']);
    expect(run.abortedBy).toBe('deadline');
  });

  it('R4: reports no progress any more', () => {
    const calls: string[] = [];
    const run = open({
      progress: {
        report: () => calls.push('report'),
        end: () => calls.push('end'),
        stop: () => calls.push('stop'),
      },
    });
    run.abort('cancelled');
    expect(calls).toEqual(['stop']);
  });

  it('cannot be aborted after its end, and ends once', () => {
    let ends = 0;
    const run = open({ onEnd: () => (ends += 1) });
    const heard: McpAbortCause[] = [];
    run.onAbort((cause) => heard.push(cause));
    run.end();
    run.abort('disconnected');
    run.end();
    expect(ends).toBe(1);
    expect(heard).toEqual([]);
    expect(run.abortedBy).toBeUndefined();
    expect(run.signal.aborted).toBe(false);
  });

  it('still ends after an abort, so that nothing of it is left', () => {
    let ends = 0;
    const run = open({ onEnd: () => (ends += 1) });
    run.abort('disconnected');
    run.end();
    expect(ends).toBe(1);
  });
});

describe('notifications/cancelled', () => {
  const live = () => {
    const runs = new McpLiveRuns();
    const add = (principal: string, id: string | number) => {
      const run = open();
      return { run, leave: runs.add(principal, id, run) };
    };
    return { runs, add };
  };

  it('R4: reaches only the run of the one who sends it', () => {
    const { runs, add } = live();
    const own = add('subject ada', 1);
    const others = add('subject eve', 1);
    runs.cancel('subject ada', 1);
    expect(own.run.abortedBy).toBe('cancelled');
    expect(others.run.abortedBy).toBeUndefined();
  });

  it('R4: reaches only the request with that id, of that type', () => {
    const { runs, add } = live();
    const text = add('peer', '1');
    const number = add('peer', 1);
    const other = add('peer', 2);
    runs.cancel('peer', 1);
    expect([text, number, other].map(({ run }) => run.abortedBy)).toEqual([undefined, 'cancelled', undefined]);
  });

  it('R4: cannot be pointed at another caller by an id that holds its name', () => {
    const { runs, add } = live();
    const victim = add('subject ada', '1');
    runs.cancel('da', '1\u0000subject a');
    runs.cancel('subject ada', '1\u0000subject ada');
    runs.cancel('', '1\u0000subject ada');
    expect(victim.run.abortedBy).toBeUndefined();
  });

  it('R4: reaches every run that one caller has under one id, and nothing when there is none', () => {
    const { runs, add } = live();
    const [first, second] = [add('peer', 1), add('peer', 1)];
    first.leave();
    runs.cancel('peer', 1);
    expect(first.run.abortedBy).toBeUndefined();
    expect(second.run.abortedBy).toBe('cancelled');
    expect(() => runs.cancel('peer', 99)).not.toThrow();
  });

  it('G10: finds nothing of runs that have left', () => {
    const { runs, add } = live();
    const all = [add('a', 1), add('a', 1), add('b', 'x')];
    expect(runs.size).toBe(3);
    for (const { leave } of all) leave();
    for (const { leave } of all) leave();
    expect(runs.size).toBe(0);
    const again = add('a', 1);
    all[0]!.leave(); // an old farewell takes nobody else along
    expect(runs.size).toBe(1);
    runs.abortAll('shutdown');
    expect(again.run.abortedBy).toBe('shutdown');
  });
});

describe('code below a tool', () => {
  const ada = account('ada', 'read');
  const request = { url: '/mcp' };
  const below = <T>(work: () => T) => open({ request }).enter(ada, undefined, work);

  it('R5, A5: reads caller, account, run, signal and request', () => {
    const run = open({ request });
    const person = { id: 'ada', roles: ['clerk'], active: true };
    run.enter(ada, person, () => {
      expect(McpRequestContext.caller()).toBe(ada);
      expect(McpRequestContext.account()).toBe(person);
      expect(McpRequestContext.run()).toBe(run);
      expect(McpRequestContext.signal()).toBe(run.signal);
      expect(currentAmbient()?.request).toBe(request);
    });
  });

  it('R5: reads nothing outside a tool', () => {
    expect(currentAmbient()).toBeUndefined();
    const { caller, account: person, run, signal } = McpRequestContext;
    expect([caller(), person(), run(), signal()]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('R5: knows its caller after an await', async () => {
    await below(async () => {
      await nextTurn();
      expect(McpRequestContext.caller()).toBe(ada);
    });
  });

  it('R5: knows its caller in a timer and in an immediate', async () => {
    const seen = await below(() =>
      Promise.all([
        new Promise((resolve) => setTimeout(() => resolve(McpRequestContext.caller()), 0)),
        new Promise((resolve) => setImmediate(() => resolve(McpRequestContext.caller()))),
        new Promise((resolve) => process.nextTick(() => resolve(McpRequestContext.caller()))),
      ]),
    );
    expect(seen).toEqual([ada, ada, ada]);
  });

  it("R5: knows its caller in a stream's callbacks", async () => {
    const seen = await below(async () => {
      const callers: unknown[] = [];
      const stream = Readable.from(['a', 'b']);
      stream.on('data', () => callers.push(McpRequestContext.caller()));
      await once(stream, 'end');
      return callers;
    });
    expect(seen).toEqual([ada, ada]);
  });

  it('R5: knows its caller in an event that it emits itself', () => {
    const emitter = new EventEmitter();
    let seen: unknown;
    emitter.on('done', () => (seen = McpRequestContext.caller()));
    below(() => emitter.emit('done'));
    expect(seen).toBe(ada);
  });

  it('R5: knows its caller when it tidies up after an abort, which comes from elsewhere', () => {
    const seen: unknown[] = [];
    const run = open();
    run.enter(ada, undefined, () => {
      run.signal.addEventListener('abort', () => seen.push(McpRequestContext.caller()));
      run.onAbort(() => seen.push(McpRequestContext.caller()));
    });
    run.abort('disconnected');
    expect(seen).toEqual([ada, ada]);
    expect(McpRequestContext.caller()).toBeUndefined();
  });

  it('R5: is not mixed up with another run that interleaves', async () => {
    const callers = ['ada', 'eve', 'bob'].map((name) => account(name));
    const seen = await Promise.all(
      callers.map((caller, turns) =>
        open().enter(caller, undefined, async () => {
          for (let turn = 0; turn <= turns; turn += 1) await nextTurn();
          return McpRequestContext.caller();
        }),
      ),
    );
    expect(seen).toEqual(callers);
  });
});

describe('McpProgress', () => {
  it('R3: is known by its brand, so that a second copy of the package makes no difference', () => {
    const foreign = { [Symbol.for('nestjs-mcp-gate.progress')]: true, progress: 1 };
    expect([new McpProgress(1), foreign].map(isMcpProgress)).toEqual([true, true]);
    expect([{ progress: 1 }, null, undefined, 'progress', 1].map(isMcpProgress)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the clock of the process', () => {
  // Its own timers keep no process alive: here something else must.
  const alive = () => {
    const interval = setInterval(() => undefined, 1_000);
    return () => clearInterval(interval);
  };

  it('calls back once, and not when the appointment was taken back', async () => {
    const leave = alive();
    const called: string[] = [];
    const cancel = SYSTEM_CLOCK.after(0, () => called.push('cancelled'));
    cancel();
    await new Promise<void>((resolve) => SYSTEM_CLOCK.after(1, resolve));
    leave();
    expect(called).toEqual([]);
  });

  it('P10: asks Node for a millisecond more: its timers come early by as much, and cut fractions off', () => {
    const asked = jest.spyOn(globalThis, 'setTimeout');
    for (const ms of [100, 37.4, 0]) SYSTEM_CLOCK.after(ms, () => undefined)();
    const delays = asked.mock.calls.map(([, delay]) => delay);
    asked.mockRestore();
    expect(delays).toEqual([101, 39, 1]);
  });

  it('A6: calls back after a time that is too long for Node when it has passed, and no sooner', () => {
    jest.useFakeTimers();
    const called: string[] = [];
    const month = 30 * 24 * 3_600_000;
    SYSTEM_CLOCK.after(month, () => called.push('month'));
    const cancel = SYSTEM_CLOCK.after(month, () => called.push('cancelled'));
    jest.advanceTimersByTime(month);
    expect(called).toEqual([]);
    cancel();
    jest.advanceTimersByTime(1);
    expect([called, jest.getTimerCount()]).toEqual([['month'], 0]);
    jest.useRealTimers();
  });

  it('does not take a time that is too long for Node for none at all', async () => {
    const leave = alive();
    const called: string[] = [];
    const cancels = [2 ** 31 - 1, 2 ** 31, 1e15].map((ms) => SYSTEM_CLOCK.after(ms, () => called.push(`${ms}`)));
    await new Promise<void>((resolve) => SYSTEM_CLOCK.after(5, resolve));
    leave();
    for (const cancel of cancels) cancel();
    expect(called).toEqual([]);
  });
});
