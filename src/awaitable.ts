/**
 * A value that is there already, or will be. What is there is used at once: on the way of a call each promise costs more
 * than the step that it waits for.
 */

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Whether a value is still to come. Also of promises that another realm or library made. */
export function isPending<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Goes on with a value: at once when it is there. What `goOn` throws is thrown, or rejects the promise. */
export function whenThere<T, R>(value: Awaitable<T>, goOn: (value: T) => Awaitable<R>): Awaitable<R> {
  return isPending(value) ? value.then(goOn) : goOn(value);
}

/** All values, in their order: at once when none is still to come. */
export function allThere<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  return values.some(isPending) ? Promise.all(values.map((value) => Promise.resolve(value))) : (values as T[]);
}
