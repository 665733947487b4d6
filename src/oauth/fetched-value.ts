/**
 * Something fetched now and then: one fetch at a time whoever asks, kept for a while, a failure remembered briefly.
 */

/** How long a value is good, in milliseconds. */
export interface FetchedValueRules {
  readonly now: () => number;
  /** Until it is fetched again at the next question. */
  readonly freshMs: number;
  /** Until it is not used any more when it cannot be fetched again. */
  readonly usableMs: number;
  /** Told of each failed fetch, once. */
  readonly failed?: (error: unknown, retryInMs: number) => void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** The value that `load` gives. */
export class FetchedValue<T> {
  #value: { readonly loaded: T; readonly at: number } | undefined;
  #pending: Promise<T> | undefined;
  #failure: { readonly error: unknown; readonly retryAt: number; readonly times: number } | undefined;

  constructor(
    private readonly load: () => Promise<T>,
    private readonly rules: FetchedValueRules,
  ) {}

  /** Whether a fetch is under way. */
  get pending(): boolean {
    return this.#pending !== undefined;
  }

  /**
   * The value, fetched when there is none or it is not fresh. When that fails the former one goes on as long as it is
   * usable; without one the failure is thrown, and thrown again without a fetch until it is time to retry (1 s, doubled
   * each time, 30 s at most).
   */
  async get(): Promise<T> {
    const kept = this.#value;
    const age = kept === undefined ? Infinity : this.rules.now() - kept.at;
    if (kept !== undefined && age < this.rules.freshMs) return kept.loaded;
    try {
      return await this.refresh();
    } catch (error) {
      if (kept !== undefined && age < this.rules.usableMs) return kept.loaded;
      throw error;
    }
  }

  /** Fetches now, or waits for the fetch under way. */
  async refresh(): Promise<T> {
    if (this.#pending === undefined) {
      if (this.#failure !== undefined && this.rules.now() < this.#failure.retryAt) throw this.#failure.error;
      this.#pending = this.#fetch().finally(() => (this.#pending = undefined));
    }
    return this.#pending;
  }

  /** Drops the value, so that the next question fetches. */
  forget(): void {
    this.#value = undefined;
  }

  async #fetch(): Promise<T> {
    try {
      const loaded = await this.load();
      this.#value = { loaded, at: this.rules.now() };
      this.#failure = undefined;
      return loaded;
    } catch (error) {
      const times = (this.#failure?.times ?? 0) + 1;
      const retryInMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1));
      this.#failure = { error, times, retryAt: this.rules.now() + retryInMs };
      this.rules.failed?.(error, retryInMs);
      throw error;
    }
  }
}
