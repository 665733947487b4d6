/**
 * What the parts of requests took, summed up over all requests of one profile.
 */

/** What is measured: Nest's enhancers that come before an answer, and the route's own method. */
export type MeasuredKind = 'guard' | 'interceptor' | 'pipe' | 'handler';

/** What one part took, in all requests together. */
export interface EnhancerTime {
  readonly kind: MeasuredKind;
  readonly name: string;
  readonly calls: number;
  /** Milliseconds. */
  readonly sum: number;
}

/** The parts of a request that are not Nest's enhancers, in all requests together, in milliseconds. */
export interface PhaseTimes {
  readonly requests: number;
  /** Until the first guard, interceptor or the method: middleware, body, routing. */
  readonly before: number;
  /** From the end of the outermost interceptor until the answer is handed to the system. */
  readonly after: number;
}

/** One request on its way: times of the clock of the process. */
export interface Passage {
  readonly began: number;
  /** When the first enhancer had its turn. */
  entered?: number;
  /** When the outermost interceptor was done. */
  left?: number;
  /** When the last pipe was done. */
  piped: number;
}

const MAX_NAME = 80;

export class EnhancerSums {
  private readonly times = new Map<string, { kind: MeasuredKind; name: string; calls: number; sum: number }>();
  private readonly phases = { requests: 0, before: 0, after: 0 };

  /** What was measured, the slowest first. */
  enhancers(): EnhancerTime[] {
    return [...this.times.values()].toSorted((a, b) => b.sum - a.sum);
  }

  between(): PhaseTimes {
    return this.phases;
  }

  /** A part is done that had its turn at `began`. */
  add(kind: MeasuredKind, name: string, began: number): void {
    const key = `${kind} ${name}`;
    const time = this.times.get(key) ?? { kind, name: name.slice(0, MAX_NAME) || '(anonymous)', calls: 0, sum: 0 };
    time.calls += 1;
    time.sum += Math.max(0, performance.now() - began);
    this.times.set(key, time);
  }

  /** A request has its answer. */
  close({ began, entered, left }: Passage): void {
    const now = performance.now();
    this.phases.requests += 1;
    if (began === 0 || entered === undefined) return;
    this.phases.before += entered - began;
    if (left !== undefined) this.phases.after += now - left;
  }
}
