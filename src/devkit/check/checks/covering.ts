/**
 * Whether one path of a route takes every request that another would.
 */

type Segment = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'one' | 'rest' };

/**
 * Whether every address of `inner` is an address of `outer` too. Paths with optional groups or expressions are not judged:
 * the answer is no.
 */
export function covers(outer: string, inner: string): boolean {
  const [wide, narrow] = [segmentsOf(outer), segmentsOf(inner)];
  if (wide === undefined || narrow === undefined) return false;
  for (const [at, segment] of wide.entries()) {
    if (segment.kind === 'rest') return narrow.length > at;
    const other = narrow[at];
    if (other === undefined || other.kind === 'rest') return false;
    if (segment.kind === 'text' && (other.kind !== 'text' || other.text !== segment.text)) return false;
  }
  return wide.length === narrow.length;
}

function segmentsOf(path: string): Segment[] | undefined {
  const parts = path.toLowerCase().split('/').filter(Boolean);
  const segments = parts.map((part): Segment | undefined => {
    if (/^:\w+$/.test(part)) return { kind: 'one' };
    if (/^(?:\{?\*\w*\}?|\(\.\*\))$/.test(part)) return part.startsWith('{') ? undefined : { kind: 'rest' };
    return /[:*{}()?+]/.test(part) ? undefined : { kind: 'text', text: part };
  });
  return segments.includes(undefined) ? undefined : (segments as Segment[]);
}
