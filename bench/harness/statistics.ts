/**
 * Medians and spreads: means of a noisy machine say nothing.
 */

/** The middle of several rounds, and how far apart they lay. */
export interface Summary {
  readonly median: number;
  /** Half the distance from the lowest to the highest, as a part of the median. */
  readonly spread: number;
}

export function summary(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const median = percentile(sorted, 0.5);
  return { median, spread: median === 0 ? 0 : (sorted.at(-1)! - sorted[0]!) / 2 / median };
}

/** Of values in ascending order. Between two of them, the line that joins them. */
export function percentile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}
