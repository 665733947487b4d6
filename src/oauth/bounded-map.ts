/**
 * A map that never grows past its bound: what was not asked for lately goes.
 *
 * Two generations instead of a strict order: moving an entry to the end at each question makes a full `Map` allocate a
 * new table every few thousand questions, which costs more than the digest it is asked with.
 */

/** Keeps at most `limit` values; those asked for since the last turn of generations stay. */
export class BoundedMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  readonly #half: number;

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const former = this.#old.get(key);
    if (former !== undefined) this.set(key, former);
    return former;
  }

  set(key: string, value: V): void {
    this.#old.delete(key);
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** How many values are kept. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
