/**
 * The URIs that one client follows: as it writes them, found by the one spelling that they have in common. A client that
 * writes one URI in two ways may know it by either, so it is told under both.
 */
export class FollowedUris {
  private readonly bySpelling = new Map<string, Set<string>>();
  private count = 0;

  /** @param spelling one spelling for URIs that are the same */
  constructor(private readonly spelling: (uri: string) => string) {}

  /** How many there are, as the client writes them. */
  get size(): number {
    return this.count;
  }

  /** Whether the client follows a URI in just this spelling. */
  has(uri: string): boolean {
    return this.bySpelling.get(this.spelling(uri))?.has(uri) === true;
  }

  add(uri: string): void {
    if (this.has(uri)) return;
    const spelling = this.spelling(uri);
    this.bySpelling.set(spelling, (this.bySpelling.get(spelling) ?? new Set()).add(uri));
    this.count += 1;
  }

  /** Takes a URI out; all of its spellings when it is written as in none of them. */
  delete(uri: string): void {
    const spelling = this.spelling(uri);
    const written = this.bySpelling.get(spelling);
    if (written === undefined) return;
    const gone = written.has(uri) ? [uri] : [...written];
    for (const one of gone) written.delete(one);
    this.count -= gone.length;
    if (written.size === 0) this.bySpelling.delete(spelling);
  }

  /** How the client writes a URI. */
  written(uri: string): readonly string[] {
    return [...(this.bySpelling.get(this.spelling(uri)) ?? [])];
  }

  clear(): void {
    this.bySpelling.clear();
    this.count = 0;
  }
}
