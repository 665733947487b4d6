/**
 * Percentiles of what was measured.
 */

/** Of values in ascending order, the one that a part of them does not exceed. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
