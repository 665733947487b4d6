/**
 * Messages in, whole lines out, one after the other, no faster than they are taken. What waits is counted, so that whoever
 * asks for more can stop asking; progress that waits gives way to newer progress (G6).
 */
import { isPending, type Awaitable } from '../awaitable.js';
import type { JsonRpcNotification, RequestId } from '../protocol/messages.js';
import { supersededUnder } from '../protocol/superseded.js';
import { messageText } from '../protocol/wire-text.js';
import type { McpLineSink } from './line-sink.js';

interface WaitingLine {
  text: string;
  /** The request that it belongs to. */
  readonly about: RequestId | undefined;
  /** Under this name only the newest is worth sending. */
  readonly newest?: string;
}

interface Watcher {
  readonly holds: () => boolean;
  readonly tell: () => void;
}

/** Writes to one sink. Once that has failed, or the writer was closed, everything is dropped. */
export class McpLineWriter {
  private readonly waiting = new Set<WaitingLine>();
  private readonly newest = new Map<string, WaitingLine>();
  private readonly watchers = new Set<Watcher>();
  private size = 0;
  private count = 0;
  private busy = false;
  private broken = false;

  /**
   * @param sink where lines go
   * @param limit characters that may wait before the writer is full
   * @param onFailure hears once that the sink takes nothing any more
   */
  constructor(
    private readonly sink: McpLineSink,
    private readonly limit: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Whether so much waits that nothing should be asked for that makes more of it. */
  get isFull(): boolean {
    return this.size > this.limit;
  }

  /** How much was taken so far, in a measure of its own: all there is to know is whether it grows. */
  get taken(): number {
    return this.count + (this.sink.taken?.() ?? 0);
  }

  /** Writes an answer as soon as it can. @throws what JSON.stringify throws for something that JSON cannot carry */
  send(message: object, about?: RequestId): void {
    this.put({ text: lineOf(message), about });
  }

  /**
   * Writes a notification as soon as it can: one that a newer one supersedes gives way to it, and others are dropped while
   * too much waits.
   */
  notify(message: JsonRpcNotification, about?: RequestId): void {
    const text = lineOf(message);
    const newest = supersededUnder(message);
    const older = newest === undefined ? undefined : this.newest.get(newest);
    if (older !== undefined) {
      this.size += text.length - older.text.length;
      older.text = text;
    } else if (newest !== undefined) this.put({ text, about, newest });
    else if (!this.isFull) this.put({ text, about });
  }

  /** What still waits of a request must not go out any more. */
  forget(request: RequestId): void {
    for (const line of this.waiting) if (line.about === request) this.remove(line);
    this.look();
  }

  /** Calls back once there is room: at once, when there is. */
  whenRoom(tell: () => void): void {
    this.watch({ holds: () => !this.isFull, tell });
  }

  /** Calls back once everything was taken. */
  whenFlushed(tell: () => void): void {
    this.watch({ holds: () => !this.busy && this.waiting.size === 0, tell });
  }

  /** Drops everything, now and from now on. */
  close(): void {
    this.drop();
    this.look();
  }

  private put(line: WaitingLine): void {
    if (this.broken) return;
    this.waiting.add(line);
    this.size += line.text.length;
    if (line.newest !== undefined) this.newest.set(line.newest, line);
    if (!this.busy) this.flush();
  }

  private remove(line: WaitingLine): void {
    this.waiting.delete(line);
    this.size -= line.text.length;
    if (line.newest !== undefined) this.newest.delete(line.newest);
  }

  private flush(): void {
    for (const line of this.waiting) {
      this.remove(line);
      const taken = this.hand(line.text);
      if (this.broken) return;
      if (isPending(taken)) {
        this.busy = true;
        void taken.then(
          () => this.goOn(),
          (error) => this.fail(error),
        );
        break;
      }
      this.count += 1;
    }
    this.look();
  }

  private goOn(): void {
    if (this.broken) return;
    this.busy = false;
    this.count += 1;
    this.flush();
  }

  private hand(text: string): Awaitable<void> {
    try {
      return this.sink(text);
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (this.broken) return;
    this.drop();
    this.onFailure(error);
    this.look();
  }

  private drop(): void {
    this.broken = true;
    this.busy = false;
    this.size = 0;
    this.waiting.clear();
    this.newest.clear();
  }

  private watch(watcher: Watcher): void {
    this.watchers.add(watcher);
    this.look();
  }

  private look(): void {
    for (const watcher of this.watchers) {
      if (!watcher.holds()) continue;
      this.watchers.delete(watcher);
      watcher.tell();
    }
  }
}

/** JSON has no newline outside its strings when nobody asks for one, and escapes those inside. */
function lineOf(message: object): string {
  return `${messageText(message)}\n`;
}
