/**
 * The log levels that legacy clients have set over HTTP, where no session carries them (G7). A wish that may be forgotten at
 * any time: whoever is not known here is sent nothing, which the specification allows for any client.
 */
import { BoundedMap } from '../oauth/bounded-map.js';
import type { McpClock } from '../runs/clock.js';
import type { McpLogLevel } from '../runs/log.js';

/** How many are remembered, and how long after their last call, in milliseconds. */
const MOST = 1_000;
const KEPT_MS = 60 * 60 * 1_000;

interface SetLevel {
  readonly level: McpLogLevel;
  until: number;
}

export class McpSetLevels {
  private readonly levels = new BoundedMap<SetLevel>(MOST);

  constructor(private readonly clock: McpClock) {}

  /** Whether nobody has set any: the usual case. */
  get isEmpty(): boolean {
    return this.levels.size === 0;
  }

  set(who: string, level: McpLogLevel): void {
    this.levels.set(who, { level, until: this.clock.now() + KEPT_MS });
  }

  of(who: string): McpLogLevel | undefined {
    const known = this.levels.get(who);
    if (known === undefined) return undefined;
    const now = this.clock.now();
    if (now >= known.until) {
      this.levels.delete(who);
      return undefined;
    }
    known.until = now + KEPT_MS;
    return known.level;
  }
}
