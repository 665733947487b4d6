/**
 * A handler's value followed to its end: a promise, an async iterable or an Observable becomes the value that the result
 * is made of, and the progress it emits on the way goes to the run (R3).
 */
import { isMcpProgress, type McpRun } from '../runs/run.js';

/** An Observable of any copy of rxjs: what is used of it. */
interface Subscribable {
  pipe: unknown;
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/**
 * The last value that is not progress (of a generator, what it returns if it returns something); `undefined` when there
 * is none. When the run is aborted an Observable is unsubscribed, an async iterable gets its `return()`, and the promise
 * rejects. Synchronous values stay synchronous.
 */
export function settleToolValue(value: unknown, run: McpRun): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isSubscribable(value)) return settleObservable(value, run);
  if (Symbol.asyncIterator in value) return settleIterable(value as AsyncIterable<unknown, unknown>, run);
  if (isThenable(value)) return Promise.resolve(value).then((inner) => settleToolValue(inner, run));
  return value;
}

function settleObservable(observable: Subscribable, run: McpRun): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    let over = false;
    let subscription: { unsubscribe(): void } | undefined;
    function fail(error: unknown): void {
      over = true;
      reject(error);
      quietly(() => subscription?.unsubscribe());
    }
    subscription = observable.subscribe({
      next: (value) => {
        if (over) return;
        try {
          if (isMcpProgress(value)) run.progress(value.progress, value.total, value.message);
          else last = value;
        } catch (error) {
          fail(error); // rxjs would throw it where nobody can catch it, and the process would end
        }
      },
      error: (error) => {
        over = true;
        reject(error);
      },
      complete: () => {
        over = true;
        resolve(last);
      },
    });
    if (over) return quietly(() => subscription.unsubscribe());
    onRunAbort(run, () => {
      if (!over) fail(run.signal.reason);
    });
  });
}

function settleIterable(iterable: AsyncIterable<unknown, unknown>, run: McpRun): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const iterator = iterable[Symbol.asyncIterator]();
    let over = false;
    onRunAbort(run, () => {
      if (over) return;
      over = true;
      reject(run.signal.reason as Error);
      // A generator that is waiting takes its return() when it wakes: nobody waits for that.
      quietly(() => iterator.return?.());
    });

    // No race against the abort for each step: a promise that stays pending would keep every value that was raced.
    async function lastValue(): Promise<unknown> {
      let last: unknown;
      try {
        for (;;) {
          const step = await iterator.next();
          if (over) return undefined;
          if (isMcpProgress(step.value)) run.progress(step.value.progress, step.value.total, step.value.message);
          else if (step.done !== true || step.value !== undefined) last = step.value;
          if (step.done === true) return last;
        }
      } finally {
        over = true;
      }
    }
    if (!over) lastValue().then(resolve, reject);
  });
}

/** Takes a tool down whose client has gone. What it throws then has nobody to go to, and must not end the process. */
function quietly(teardown: () => unknown): void {
  try {
    void Promise.resolve(teardown()).catch(() => undefined);
  } catch {
    // nobody waits any more
  }
}

/** Uses the run's own list of listeners where there is one: reading `signal` costs an AbortController. */
function onRunAbort(run: McpRun & { onAbort?(listener: () => void): void }, listener: () => void): void {
  if (typeof run.onAbort === 'function') run.onAbort(listener);
  else if (run.signal.aborted) listener();
  else run.signal.addEventListener('abort', listener, { once: true });
}

function isSubscribable(value: object): value is Subscribable {
  const { subscribe, pipe } = value as Partial<Subscribable>;
  return typeof subscribe === 'function' && typeof pipe === 'function';
}

function isThenable(value: object): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown }).then === 'function';
}
