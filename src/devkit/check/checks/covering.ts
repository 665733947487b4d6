/**
 * Whether one path of a route takes every request that another would.
 */

/** A part of a path: as it is written, whatever stands for it, or all that follows. */
export type Segment = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'one' | 'rest' };

/** Whether every address of `narrow` is an address of `wide` too. Of a path that is not judged the answer is no. */
export function covers(wide: readonly Segment[] | undefined, narrow: readonly Segment[] | undefined): boolean {
  if (wide === undefined || narrow === undefined) return false;
  for (const [at, segment] of wide.entries()) {
    if (segment.kind === 'rest') return narrow.length > at;
    const other = narrow[at];
    if (other === undefined || other.kind === 'rest') return false;
    if (segment.kind === 'text' && (other.kind !== 'text' || other.text !== segment.text)) return false;
  }
  return wide.length === narrow.length;
}

/** A path in its parts; `undefined` for one with optional groups or expressions, which is not judged. */
export function segmentsOf(path: string): Segment[] | undefined {
  const parts = path.toLowerCase().split('/').filter(Boolean);
  const segments = parts.map((part): Segment | undefined => {
    if (/^:\w+$/.test(part)) return { kind: 'one' };
    if (/^(?:\{?\*\w*\}?|\(\.\*\))$/.test(part)) return part.startsWith('{') ? undefined : { kind: 'rest' };
    return /[:*{}()?+]/.test(part) ? undefined : { kind: 'text', text: part };
  });
  return segments.includes(undefined) ? undefined : (segments as Segment[]);
}
