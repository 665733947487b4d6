/**
 * Time, as the floors may know it: handed in, so that tests turn it by hand.
 */

/** Gives the time and calls back later. */
export interface McpClock {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Calls `work` once after `ms`, never sooner; the result takes the appointment back. Never keeps the process alive. */
  after(ms: number, work: () => void): () => void;
}

/** Timers of Node count whole milliseconds from a time that is already past, and so come early by one. */
const EARLY_MS = 1;
/** Timers of Node overflow above this, some twenty-five days, and come at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock of the process. */
export const SYSTEM_CLOCK: McpClock = Object.freeze({
  now: () => performance.now(),
  after(ms: number, work: () => void) {
    const delay = Math.ceil(ms) + EARLY_MS;
    if (delay > LONGEST_MS) return afterLong(delay, work);
    const timer = setTimeout(work, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
});

/** For a token of a month, say, whose subscription must not end before it does. */
function afterLong(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  function wait(left: number): void {
    timer = setTimeout(() => (left > LONGEST_MS ? wait(left - LONGEST_MS) : work()), Math.min(left, LONGEST_MS));
    timer.unref();
  }
  wait(ms);
  return () => clearTimeout(timer);
}
