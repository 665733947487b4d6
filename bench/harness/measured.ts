/**
 * What came of measuring one case in several rounds, and how two cases compare.
 */
import type { Subject } from '../subjects.js';
import type { LoadResult } from './load.js';
import { summary, type Summary } from './statistics.js';

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

  private perRound(floor: Measured, compare: (own: LoadResult, its: LoadResult) => number): Summary {
    return summary(this.rounds.map((own, round) => compare(own, floor.rounds[round]!)));
  }
}
