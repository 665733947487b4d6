/**
 * A map that never grows past its bound: what was not asked for the longest goes first.
 */

/** Keeps at most `limit` values. */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();

  constructor(readonly limit: number) {}

  get size(): number {
    return this.#values.size;
  }

  /** The value, which thereby becomes the one to go last. */
  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.limit) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
