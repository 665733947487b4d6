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
/** Timers of Node overflow above this, and come at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock of the process. */
export const SYSTEM_CLOCK: McpClock = Object.freeze({
  now: () => performance.now(),
  after(ms: number, work: () => void) {
    const timer = setTimeout(work, Math.min(Math.ceil(ms) + EARLY_MS, LONGEST_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
});
