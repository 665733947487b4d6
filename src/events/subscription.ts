/**
 * ONE client that wants to hear of changes, and what it is told: of a list only when the list that IT would get has become
 * another, of a resource only while IT can see it (A2). How it is told is not known here.
 */
import type { Awaitable } from '../awaitable.js';
import type { McpEvent, McpListKind } from './event.js';
import { FollowedUris } from './followed-uris.js';

/** What one client can see, at the moment when it is asked. */
export interface McpView {
  /** Stands for a list as the client would get it: another text for another list. */
  list(kind: McpListKind): Awaitable<string>;
  /** Whether there is something for the client under a URI. */
  sees(uri: string): Awaitable<boolean>;
  /** One spelling for URIs that are the same. */
  spelling(uri: string): string;
}

/** What a subscription does with what it finds. */
export interface McpSubscriptionEnds {
  /** Tells the client. */
  readonly tell: (event: McpEvent) => void;
  /** It could not be found out whether there is something to tell. */
  readonly fail: (error: unknown) => void;
  /** Calls back after milliseconds, unless the result is called before. */
  readonly after: (ms: number, work: () => void) => () => void;
}

const NOT_SEEN_YET = '';

/** Looks in a row before each further one waits, twice as long as the one before it, up to the longest in milliseconds. */
const LOOKS_AT_ONCE = 2;
const LONGEST_REST_MS = 100;

/**
 * Nothing is told before `begin`. Events that come while it is still being looked are one: a burst costs two looks, whatever
 * its size, and a guard that never answers holds up nothing but its own list or URI. Where every look makes another event (a
 * guard that itself tells of changes) there is a rest before the next: the process has others to serve.
 */
export class McpSubscription {
  /** The lists that are followed, as the client knows them. */
  private readonly lists = new Map<McpListKind, string>();
  private readonly uris: FollowedUris;
  /** What is being looked at, and whether it must be looked at once more. */
  private readonly looking = new Map<string, boolean>();
  /** Takes back what rests. */
  private readonly resting = new Set<() => void>();
  /** What came before the beginning. */
  private early: Map<string, McpEvent> | undefined = new Map();
  private over = false;

  constructor(
    private readonly view: McpView,
    private readonly ends: McpSubscriptionEnds,
  ) {
    this.uris = new FollowedUris((uri) => view.spelling(uri));
  }

  /**
   * Follows a list. What differs from how it is now is worth telling.
   *
   * @throws what looking at it throws (as a rejection): it is followed all the same, and its next event is worth telling.
   */
  async follow(kind: McpListKind): Promise<void> {
    this.lists.set(kind, NOT_SEEN_YET);
    this.looking.set(kind, false); // what comes meanwhile waits for what it is compared with
    try {
      this.lists.set(kind, await this.view.list(kind));
    } finally {
      const missed = this.looking.get(kind) === true;
      this.looking.delete(kind);
      if (missed) this.hear({ kind });
    }
  }

  /** Follows what is under a URI, and tells of it as it is written here. */
  watch(uri: string): void {
    this.uris.add(uri);
  }

  /** Follows it no more: as it is written here, or in any spelling when it is followed in another alone. */
  unwatch(uri: string): void {
    this.uris.delete(uri);
  }

  /** Whether a URI is followed as it is written here. */
  watches(uri: string): boolean {
    return this.uris.has(uri);
  }

  /** How many URIs are followed; each spelling is one. */
  get watched(): number {
    return this.uris.size;
  }

  /** From now on the client is told. */
  begin(): void {
    const early = this.early;
    this.early = undefined;
    for (const event of early?.values() ?? []) this.hear(event);
  }

  /** Something has changed for somebody. Never throws. */
  hear(heard: McpEvent): void {
    const event = this.followed(heard);
    if (event === undefined) return;
    const key = event.kind === 'resource' ? `resource ${event.uri}` : event.kind;
    if (this.early !== undefined) this.early.set(key, event);
    else if (this.looking.has(key)) this.looking.set(key, true);
    else void this.look(key, event);
  }

  /** Tells nothing more. */
  end(): void {
    this.over = true;
    this.early = undefined;
    this.lists.clear();
    this.uris.clear();
    for (const callOff of this.resting) callOff();
    this.resting.clear();
  }

  private async look(key: string, event: McpEvent): Promise<void> {
    let looks = 0;
    do {
      if (looks >= LOOKS_AT_ONCE) await this.rest(2 ** (looks - LOOKS_AT_ONCE));
      looks += 1;
      this.looking.set(key, false);
      await Promise.resolve(); // what is said in one go is one
      this.looking.set(key, false);
      try {
        for (const news of await this.newsOf(event)) this.ends.tell(news);
      } catch (error) {
        if (!this.over) this.ends.fail(error);
      }
    } while (this.looking.get(key) === true && this.followed(event) !== undefined);
    this.looking.delete(key);
  }

  /** Pending for ever once the subscription is over: nothing more is to be done then. */
  private rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.ends.after(Math.min(ms, LONGEST_REST_MS), () => {
        this.resting.delete(callOff);
        resolve();
      });
      this.resting.add(callOff);
    });
  }

  /** What is worth telling the client, which may have left in the meantime. */
  private async newsOf(event: McpEvent): Promise<readonly McpEvent[]> {
    if (event.kind === 'resource') return this.seenUnder(event.uri);
    const now = await this.view.list(event.kind);
    if (this.followed(event) === undefined || now === this.lists.get(event.kind)) return [];
    this.lists.set(event.kind, now);
    return [event];
  }

  /** Each spelling is asked for by itself: two of them may be two resources of the application. */
  private async seenUnder(uri: string): Promise<readonly McpEvent[]> {
    const written = this.uris.written(uri);
    const seen = await Promise.all(written.map(async (one) => this.view.sees(one)));
    return written
      .filter((one, at) => seen[at] === true && this.watches(one))
      .map((one) => ({ kind: 'resource', uri: one }));
  }

  /** The event if the client follows what it is of, with the one spelling of its URI. */
  private followed(event: McpEvent): McpEvent | undefined {
    if (this.over) return undefined;
    if (event.kind !== 'resource') return this.lists.has(event.kind) ? event : undefined;
    const uri = this.view.spelling(event.uri);
    return this.uris.written(uri).length === 0 ? undefined : { kind: 'resource', uri };
  }
}
