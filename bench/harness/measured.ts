/**
 * What came of measuring one case in several rounds, and how two cases compare.
 */
import type { Subject } from '../subjects.js';
import type { LoadResult } from './load.js';
import { percentile, summary, type Summary } from './statistics.js';

/** The part of the time. */
const BUSY = 0.9;

/** The part of the rounds that are taken for undisturbed. */
const QUIET = 0.1;

export class Measured {
  constructor(
    readonly subject: Subject,
    /** What is being sent, in a word or two. */
    readonly variant: string,
    readonly rounds: readonly LoadResult[],
    /** Why there are no rounds. */
    readonly fault?: string,
  ) {}

  get valid(): boolean {
    return this.rounds.length > 0;
  }

  /** Its core was not busy: the load generator was the limit, and only CPU time says what it could do. */
  get isLimited(): boolean {
    return this.of('busy').median < BUSY;
  }

  of(figure: keyof LoadResult): Summary {
    return summary(this.rounds.map((round) => round[figure]));
  }

  /** How many times as many requests a second as `floor` in the same round. */
  ratioTo(floor: Measured): Summary {
    return this.perRound(floor, (own, its) => own.perSecond / its.perSecond);
  }

  /** How many times as many requests for the same CPU time: what counts where the load generator is the limit. */
  cpuRatioTo(floor: Measured): Summary {
    return this.perRound(floor, (own, its) => its.cpu / own.cpu);
  }

  /**
   * The same of the rounds in which each was cheapest, whichever these were: what else a machine does makes a round dearer and
   * never cheaper, so they say more of a small difference than the middle of all.
   */
  quietCpuRatioTo(floor: Measured): number {
    return floor.quietCpu / this.quietCpu;
  }

  private get quietCpu(): number {
    const cpu = this.rounds.map((round) => round.cpu).toSorted((one, other) => one - other);
    return percentile(cpu, QUIET);
  }

  private perRound(floor: Measured, compare: (own: LoadResult, its: LoadResult) => number): Summary {
    return summary(this.rounds.map((own, round) => compare(own, floor.rounds[round]!)));
  }
}
