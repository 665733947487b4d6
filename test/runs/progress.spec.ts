/** P10: what a tool reports, and what its client receives. */
import * as fc from 'fast-check';
import {
  createProgressReporter,
  MCP_PROGRESS_MIN_INTERVAL_MS,
  NO_PROGRESS,
  type McpProgressParams,
} from '../../src/runs/progress.js';
import { HandClock } from '../support/hand-clock.js';

interface Sent extends McpProgressParams {
  readonly at: number;
}

function listen(token: string | number = 'token') {
  const clock = new HandClock();
  const sent: Sent[] = [];
  const reporter = createProgressReporter({
    token,
    clock,
    send: (params) => sent.push({ ...params, at: clock.now() }),
  });
  return { clock, sent, reporter, values: () => sent.map(({ progress }) => progress) };
}

describe('a tool that reports progress', () => {
  it('P10: reaches its client under the token that the request supplied, at once', () => {
    const { reporter, sent } = listen(7);
    reporter.report(1, 10, 'one of ten');
    expect(sent).toEqual([{ progressToken: 7, progress: 1, total: 10, message: 'one of ten', at: 1_000 }]);
  });

  it('P10: says neither total nor message when it has none', () => {
    const { reporter, sent } = listen();
    reporter.report(0);
    expect(Object.keys(sent[0]!)).toEqual(['progressToken', 'progress', 'at']);
  });

  it('P10: drops what does not increase', () => {
    const { reporter, clock, values } = listen();
    for (const value of [5, 5, 4, -1, 6]) {
      reporter.report(value);
      clock.turn(MCP_PROGRESS_MIN_INTERVAL_MS);
    }
    expect(values()).toEqual([5, 6]);
  });

  it.each([
    NaN,
    Infinity,
    -Infinity,
    '3' as never,
    null as never,
    1n as never,
    Symbol('x') as never,
    undefined as never,
  ])('P10, R2: drops %p and does not throw', (value) => {
    const { reporter, sent } = listen();
    reporter.report(value);
    expect(sent).toEqual([]);
  });

  it('P10: leaves a total or a message out that is none', () => {
    const { reporter, sent } = listen();
    reporter.report(1, NaN, 5 as never);
    expect(sent).toEqual([{ progressToken: 'token', progress: 1, at: 1_000 }]);
  });

  it('P10: thins a burst to its first and, when the interval has passed, its last value', () => {
    const { reporter, clock, sent } = listen();
    for (let value = 1; value <= 1_000; value += 1) reporter.report(value, 1_000, `${value}`);
    clock.turn(MCP_PROGRESS_MIN_INTERVAL_MS - 1);
    expect(sent.map(({ progress }) => progress)).toEqual([1]);
    clock.turn(1);
    expect(sent[1]).toEqual({ progressToken: 'token', progress: 1_000, total: 1_000, message: '1000', at: 1_100 });
  });

  it('P10: loses not even the last value of a burst that the end cuts short', () => {
    const { reporter, values } = listen();
    reporter.report(1);
    reporter.report(2);
    reporter.report(3);
    reporter.end();
    expect(values()).toEqual([1, 3]);
  });

  it.each(['end', 'stop'] as const)('P10: is not heard after %s, and leaves no timer behind', (over) => {
    const { reporter, clock, sent } = listen();
    reporter.report(1);
    reporter.report(2);
    reporter[over]();
    const before = sent.length;
    reporter.report(3);
    clock.turn(10_000);
    reporter.end();
    expect(sent).toHaveLength(before);
    expect(clock.pending).toBe(0);
  });

  it('R4: sends nothing more once it was stopped, not even what a burst held back', () => {
    const { reporter, clock, values } = listen();
    reporter.report(1);
    reporter.report(2);
    reporter.stop();
    clock.turn(10_000);
    expect(values()).toEqual([1]);
  });

  it('R2: is a shared no-op when nobody listens', () => {
    expect(Object.isFrozen(NO_PROGRESS)).toBe(true);
    expect(() => {
      NO_PROGRESS.report(1);
      NO_PROGRESS.end();
      NO_PROGRESS.stop();
    }).not.toThrow();
  });
});

describe('whatever a tool reports, and whenever', () => {
  type Step = { readonly report: number } | { readonly wait: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ report: fc.oneof(fc.double(), fc.integer({ min: -20, max: 200 })) }) },
    { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 250 }) }) },
  );
  const play = (steps: readonly Step[]) => {
    const run = listen();
    for (const each of steps) {
      if ('wait' in each) run.clock.turn(each.wait);
      else run.reporter.report(each.report);
    }
    return run;
  };
  const largest = (steps: readonly Step[]) =>
    Math.max(...steps.flatMap((each) => ('report' in each && Number.isFinite(each.report) ? [each.report] : [])));

  it('P10: what is sent increases strictly', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const run = play(steps);
        run.reporter.end();
        const values = run.values();
        return values.every((value, at) => Number.isFinite(value) && (at === 0 || value > values[at - 1]!));
      }),
    );
  });

  it('P10: no two go out within 100 ms, but for the last one that the end lets go', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const run = play(steps);
        const gaps = run.sent.slice(1).map(({ at }, before) => at - run.sent[before]!.at);
        const inTime = gaps.every((gap) => gap >= MCP_PROGRESS_MIN_INTERVAL_MS);
        const before = run.sent.length;
        run.reporter.end();
        return inTime && run.sent.length - before <= 1;
      }),
    );
  });

  it('P10: the largest value always arrives, by the end or by waiting', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), fc.boolean(), (steps, waits) => {
        const run = play(steps);
        if (waits) run.clock.turn(MCP_PROGRESS_MIN_INTERVAL_MS);
        else run.reporter.end();
        const last = run.values().at(-1) ?? -Infinity;
        return last === largest(steps);
      }),
    );
  });

  it('R4: after a stop at any moment there is silence', () => {
    fc.assert(
      fc.property(fc.array(step), fc.array(step), (before, after) => {
        const run = play(before);
        run.reporter.stop();
        const heard = run.sent.length;
        for (const each of after) {
          if ('wait' in each) run.clock.turn(each.wait);
          else run.reporter.report(each.report);
        }
        run.reporter.end();
        return run.sent.length === heard && run.clock.pending === 0;
      }),
    );
  });
});
