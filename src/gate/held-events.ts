/**
 * What a slow reader has not had yet, in its order. Of progress only the newest is kept, and no more than a bound of what
 * else may be lost, so that a reader who stands still makes nothing grow (G6).
 */

/** Characters of messages that may wait for one reader, beyond what supersedes itself. */
const MAX_HELD = 256 * 1024;

export class McpHeldEvents {
  private readonly events = new Map<string | symbol, string>();
  private size = 0;

  /**
   * Keeps one message.
   *
   * @param newest under which name it takes the place of what waits; nothing: it waits behind the others, unless too much does
   */
  hold(event: string, newest?: string): void {
    if (newest !== undefined) this.events.set(newest, event);
    else if (this.size + event.length <= MAX_HELD) this.keep(event);
  }

  /** Keeps a message that must not be lost: its sender waits for what comes of it. */
  keep(event: string): void {
    this.size += event.length;
    this.events.set(Symbol('event'), event);
  }

  get isEmpty(): boolean {
    return this.events.size === 0;
  }

  /** Takes out the message that has waited longest. */
  next(): string | undefined {
    for (const [key, event] of this.events) {
      this.events.delete(key);
      if (typeof key === 'symbol') this.size -= event.length;
      return event;
    }
    return undefined;
  }

  /** Takes out all that waits, as one text. */
  rest(): string {
    const text = [...this.events.values()].join('');
    this.events.clear();
    this.size = 0;
    return text;
  }
}
