/** R3: a handler's value followed to its end, with its progress on the way and its cancellation. */
import { concat, defer, EMPTY, NEVER, Observable, of, Subject, throwError, type Observer } from 'rxjs';
import { McpOpenRun } from '../../src/runs/open-run.js';
import { McpProgress, type McpRun } from '../../src/runs/run.js';
import { settleToolValue } from '../../src/tools/settle.js';
import { collectGarbage } from '../support/garbage.js';

function start() {
  const progress: unknown[][] = [];
  const run = new McpOpenRun({
    id: 'run',
    progress: { report: (...report) => progress.push(report), end() {}, stop() {} },
  });
  return { run, progress };
}

const settle = async (value: unknown, run: McpRun = start().run) => settleToolValue(value, run);

/** An async iterable that a test feeds, and that says what was done to it. */
function fed() {
  const steps: ((step: IteratorResult<unknown>) => void)[] = [];
  const calls: string[] = [];
  const iterable: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        calls.push('next');
        return new Promise((resolve) => steps.push(resolve));
      },
      return: async () => {
        calls.push('return');
        return { done: true, value: undefined };
      },
    }),
  };
  return { iterable, calls, give: (value: unknown) => steps.shift()!({ done: false, value }) };
}

/** Lets everything that promises have to do be done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a tool that returns', () => {
  it.each<[string, unknown]>([
    ['a string', 'text'],
    ['nothing', undefined],
    ['null', null],
    ['an object', { a: 1 }],
    ['an array', [1, 2]],
    ['something with subscribe but no pipe, which is data', { subscribe: () => undefined }],
    ['an iterable that is not asynchronous, which is data', new Set([1])],
  ])('R3: %s has it as its value, without a detour', (_, value) => {
    expect(settleToolValue(value, start().run)).toBe(value);
  });

  it('R3: a promise has what it resolves to', async () => {
    expect(await settle(Promise.resolve('later'))).toBe('later');
  });

  it('R3: a promise of an Observable has its last value', async () => {
    expect(await settle(Promise.resolve(of(1, 2)))).toBe(2);
  });

  it('R3: a promise that rejects fails with its reason', async () => {
    await expect(settle(Promise.reject(new Error('no stock')))).rejects.toThrow('no stock');
  });
});

describe('a tool that returns an Observable', () => {
  it('R3: has its last value, synchronous or not', async () => {
    expect(await settle(of('a', 'b', 'c'))).toBe('c');
    expect(await settle(defer(async () => 'later'))).toBe('later');
  });

  it('R3: reports McpProgress to the run and does not take it for the result', async () => {
    const { run, progress } = start();
    const value = await settle(of(new McpProgress(1, 2, 'half'), 'result', new McpProgress(2, 2)), run);
    expect(value).toBe('result');
    expect(progress).toEqual([
      [1, 2, 'half'],
      [2, 2, undefined],
    ]);
  });

  it('R3: has no value when it is empty or gives nothing but progress', async () => {
    expect(await settle(EMPTY)).toBeUndefined();
    expect(await settle(of(new McpProgress(1)))).toBeUndefined();
  });

  it('R3: fails with its error, also behind a value', async () => {
    const stream = concat(
      of(1),
      throwError(() => new Error('broken')),
    );
    await expect(settle(stream)).rejects.toThrow('broken');
  });

  it('R3: fails when subscribing throws', async () => {
    const broken = {
      pipe: () => undefined,
      subscribe: () => {
        throw new Error('cold');
      },
    };
    await expect(settle(broken)).rejects.toThrow('cold');
  });

  it('R3: is unsubscribed when the run is aborted, and fails with the reason', async () => {
    const { run } = start();
    const subject = new Subject();
    const value = settle(subject, run);
    expect(subject.observed).toBe(true);
    run.abort('cancelled');
    expect(subject.observed).toBe(false);
    await expect(value).rejects.toMatchObject({ name: 'AbortError', message: 'The client cancelled the call.' });
  });

  it('R3: is unsubscribed at once when the run was aborted before or while it was subscribed', async () => {
    for (const abort of ['before', 'while'] as const) {
      const { run } = start();
      let torn = 0;
      const stream = new Observable((observer: Observer<unknown>) => {
        if (abort === 'while') run.abort('disconnected');
        observer.next(1);
        return () => (torn += 1);
      });
      if (abort === 'before') run.abort('disconnected');
      await expect(settle(stream, run)).rejects.toMatchObject({ name: 'AbortError' });
      expect(torn).toBe(1);
    }
  });

  it('R3: is left alone by an abort after it completed', async () => {
    const { run } = start();
    let torn = 0;
    const stream = new Observable((observer: Observer<unknown>) => {
      observer.next('result');
      observer.complete();
      return () => (torn += 1);
    });
    expect(await settle(stream, run)).toBe('result');
    run.abort('disconnected');
    expect(torn).toBe(1);
  });

  it('R1, R3: harms nobody by a teardown that throws', async () => {
    const { run } = start();
    const stream = new Observable(() => () => {
      throw new Error('teardown of the tool');
    });
    const value = settle(stream, run);
    let others = 0;
    run.onAbort(() => (others += 1));
    expect(() => run.abort('disconnected')).not.toThrow();
    expect(others).toBe(1);
    await expect(value).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('R3: obeys the signal of a run that has nothing but a signal', async () => {
    const controller = new AbortController();
    const run = { id: 'plain', signal: controller.signal, progress: () => undefined } as unknown as McpRun;
    const subject = new Subject();
    const waiting = settle(subject, run);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(subject.observed).toBe(false);
    await expect(settle(NEVER, run)).rejects.toThrow('enough');
  });
});

describe('a tool that returns an async iterable', () => {
  it('R3: has the last value that it yields, and reports its progress', async () => {
    const { run, progress } = start();
    async function* work() {
      yield new McpProgress(1, 3);
      yield 'first';
      yield new McpProgress(2, 3, 'nearly');
      yield 'last';
    }
    expect(await settle(work(), run)).toBe('last');
    expect(progress).toEqual([
      [1, 3, undefined],
      [2, 3, 'nearly'],
    ]);
  });

  it('R3: has what a generator returns as its result', async () => {
    async function* work() {
      yield new McpProgress(1);
      return 'returned';
    }
    expect(await settle(work())).toBe('returned');
  });

  it('R3: keeps the last yielded value of a generator that returns nothing', async () => {
    async function* work() {
      yield 'yielded';
    }
    expect(await settle(work())).toBe('yielded');
  });

  it('R3: has no value when it is empty', async () => {
    async function* work() {}
    expect(await settle(work())).toBeUndefined();
  });

  it('R3: fails with its error', async () => {
    async function* work() {
      yield 1;
      throw new Error('broken');
    }
    await expect(settle(work())).rejects.toThrow('broken');
  });

  it('R3: gets its return() when the run is aborted, and fails with the reason at once', async () => {
    const { run } = start();
    const { iterable, calls, give } = fed();
    const value = settle(iterable, run);
    give(1);
    await settled();
    run.abort('deadline');
    await expect(value).rejects.toMatchObject({ message: 'The call ran longer than the server allows.' });
    expect(calls).toEqual(['next', 'next', 'return']);
  });

  it('R3: is not asked for more after an abort, and reports nothing more', async () => {
    const { run, progress } = start();
    const { iterable, calls, give } = fed();
    const value = settle(iterable, run);
    run.abort('cancelled');
    await expect(value).rejects.toThrow();
    give(new McpProgress(1));
    await settled();
    expect(calls).toEqual(['next', 'return']);
    expect(progress).toEqual([]);
  });

  it("R3: runs a generator's finally when the run is aborted", async () => {
    const { run } = start();
    let cleaned = false;
    let wake: () => void = () => undefined;
    async function* work() {
      try {
        yield 1;
        await new Promise<void>((resolve) => (wake = resolve));
        yield 2;
      } finally {
        cleaned = true;
      }
    }
    const value = settle(work(), run);
    await settled();
    run.abort('disconnected');
    await expect(value).rejects.toThrow();
    wake();
    await settled();
    expect(cleaned).toBe(true);
  });

  it('R3: is not begun when the run was aborted before', async () => {
    const { run } = start();
    run.abort('disconnected');
    const { iterable, calls } = fed();
    await expect(settle(iterable, run)).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls).not.toContain('next');
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('return of the tool');
      },
    ],
    ['rejects', () => Promise.reject(new Error('return of the tool'))],
  ])('R1, R3: harms nobody by a return() that %s', async (_, giveBack) => {
    const { run } = start();
    const iterator = { next: () => new Promise(() => undefined), return: giveBack };
    const value = settle({ [Symbol.asyncIterator]: () => iterator }, run);
    let others = 0;
    run.onAbort(() => (others += 1));
    expect(() => run.abort('disconnected')).not.toThrow();
    expect(others).toBe(1);
    await expect(value).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('R3: may have no return() at all', async () => {
    const { run } = start();
    const value = settle({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }, run);
    run.abort('disconnected');
    await expect(value).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('keeps none of the values that are past, however long it runs', async () => {
    const kept: WeakRef<object>[] = [];
    const { run } = start();
    let release: () => void = () => undefined;
    async function* work() {
      for (let at = 0; at < 200; at += 1) {
        const value = { at, weight: new Uint8Array(1_000) };
        kept.push(new WeakRef(value));
        yield value;
      }
      await new Promise<void>((resolve) => (release = resolve));
    }
    const value = settle(work(), run);
    while (kept.length < 200) await settled();
    await settled();
    await collectGarbage();
    const alive = kept.filter((reference) => reference.deref() !== undefined).length;
    release();
    await value;
    expect(alive).toBeLessThan(20);
  });
});
