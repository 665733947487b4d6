/**
 * Who listens at a gate for changes: how many of each caller, and what ends them. A subscription is a run that nobody counts
 * as a call.
 */
import { McpAudience } from '../events/audience.js';
import type { McpEventBus } from '../events/bus.js';
import type { McpEvent } from '../events/event.js';
import type { RequestId } from '../protocol/messages.js';
import type { McpNewsBound } from '../protocol/news.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import type { McpOpenRun } from '../runs/open-run.js';
import { causeText } from './log.js';

export class McpGateNews {
  private readonly audience: McpAudience;
  private readonly live = new McpLiveRuns();
  private readonly counts = new Map<string, number>();
  private open = 0;

  /**
   * @param bounds how many subscriptions one caller may have, and all together
   * @param report hears of a bus that does not let go, or gives no way to leave it
   */
  constructor(
    bus: McpEventBus,
    readonly bounds: Readonly<Record<McpNewsBound, number>>,
    report: (error: unknown) => void,
  ) {
    this.audience = new McpAudience(bus, report);
  }

  /**
   * Hears of every change, until the result is called.
   *
   * @throws Error when the bus cannot be listened to, for the log: with what it threw
   */
  hear(listener: (event: McpEvent) => void): () => void {
    try {
      return this.audience.join(listener);
    } catch (error) {
      throw new Error(`subscribe() of the bus of events (the setting "events") threw: ${causeText(error)}`, {
        cause: error,
      });
    }
  }

  /** What keeps a caller from one subscription more, if anything does. */
  boundOf(principal: string): McpNewsBound | undefined {
    if ((this.counts.get(principal) ?? 0) >= this.bounds.perCaller) return 'perCaller';
    return this.open >= this.bounds.total ? 'total' : undefined;
  }

  /** Takes a subscription in. The result takes it out again. */
  add(principal: string, requestId: RequestId, run: McpOpenRun): () => void {
    const takeOut = this.live.add(principal, requestId, run);
    this.counts.set(principal, (this.counts.get(principal) ?? 0) + 1);
    this.open += 1;
    return () => {
      takeOut();
      this.open -= 1;
      const left = this.counts.get(principal)! - 1;
      if (left === 0) this.counts.delete(principal);
      else this.counts.set(principal, left);
    };
  }

  /** Its own client ends it (R4). */
  cancel(principal: string, requestId: RequestId): void {
    this.live.cancel(principal, requestId);
  }

  /** The process ends: so do they all, and their clients are told. */
  close(): void {
    this.live.abortAll('shutdown');
  }

  /** How many subscriptions are open. */
  get size(): number {
    return this.open;
  }
}
