/**
 * How long a question may keep the process busy: work is done in short pieces with everybody else's turn in between, until
 * its time is over.
 */
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work between two turns of everybody else. */
const PIECE_MS = 15;

/** The time is over. What was done so far is kept, so that asking again goes on from there. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** The time of one question, from its first step on: what comes before (looking which files there are) is not counted. */
export class Patience {
  private until = Number.POSITIVE_INFINITY;
  private turn: number | undefined;

  constructor(
    private readonly ms: number,
    private readonly signal?: AbortSignal,
  ) {}

  /**
   * To be awaited between two steps, neither of which takes long.
   *
   * @throws OutOfTime when the time is over, the signal's reason when it aborts.
   */
  async breathe(): Promise<void> {
    this.signal?.throwIfAborted();
    const now = performance.now();
    if (this.turn === undefined) {
      this.turn = now;
      this.until = now + this.ms;
    }
    if (now > this.until) throw new OutOfTime('The time of this question is over.');
    if (now - this.turn < PIECE_MS) return;
    await setImmediate();
    this.turn = performance.now();
  }
}
