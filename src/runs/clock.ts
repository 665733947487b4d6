/**
 * Time, as the floors may know it: handed in, so that tests turn it by hand.
 */

/** Gives the time and calls back later. */
export interface McpClock {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Calls `work` once after `ms`; the result takes the appointment back. Never keeps the process alive. */
  after(ms: number, work: () => void): () => void;
}

/** The clock of the process. */
export const SYSTEM_CLOCK: McpClock = Object.freeze({
  now: () => performance.now(),
  after(ms: number, work: () => void) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
});
