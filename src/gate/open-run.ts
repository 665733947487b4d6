/**
 * A run, opened for one request of one client. What can end it early is wired only when the work does not end at once, and
 * taken down when it ends.
 */
import type { McpCaller } from '../caller.js';
import type { McpRunRequest } from '../protocol/context.js';
import type { McpClock } from '../runs/clock.js';
import type { McpLiveRuns } from '../runs/live-runs.js';
import type { McpLogLevel, McpLogReporter } from '../runs/log.js';
import { McpOpenRun } from '../runs/open-run.js';
import { createProgressReporter, type McpProgressReporter } from '../runs/progress.js';
import { logFor } from './run-log.js';
import type { McpWayToClient } from './way-to-client.js';

/** What a run is opened with. */
export interface McpRunOpening {
  readonly asked: McpRunRequest;
  readonly caller: McpCaller;
  /** The framework's request. */
  readonly request: unknown;
  readonly clock: McpClock;
  readonly maxRunMs: number | undefined;
  readonly live: Pick<McpLiveRuns, 'add'>;
  /** Whose runs a cancellation reaches (R4). */
  readonly principal: () => string;
  readonly way: McpWayToClient;
  /** What the client has asked to hear of the run's log. */
  readonly logLevel: McpLogLevel | undefined;
  /** The work goes on: ties the run to what else may end it. */
  readonly onHold: (run: McpOpenRun) => void;
}

/** A run with progress to its stream and, while it is held, a deadline, the token's expiry, and a place among the live runs. */
export class McpGateRun extends McpOpenRun {
  private teardown: (() => void)[] = NOTHING;

  constructor(private readonly opening: McpRunOpening) {
    super({ request: opening.request, progress: reporterFor(opening), inputs: opening.asked.inputs });
  }

  override hold(): void {
    const { asked, caller, clock, maxRunMs, live, principal, onHold } = this.opening;
    this.teardown = [live.add(principal(), asked.requestId, this)];
    if (maxRunMs !== undefined) this.teardown.push(clock.after(maxRunMs, () => this.abort('deadline')));
    if (caller.expiresAt !== undefined) {
      const left = Math.max(caller.expiresAt - Date.now(), 0);
      this.teardown.push(clock.after(left, () => this.abort('expired')));
    }
    onHold(this);
  }

  protected override openLog(): McpLogReporter {
    const { asked, clock, logLevel, way } = this.opening;
    return logFor(way, asked.requestId, logLevel, clock);
  }

  override end(): void {
    super.end();
    for (const undo of this.teardown) undo();
    this.teardown = NOTHING;
  }
}

const NOTHING: (() => void)[] = [];

function reporterFor({ asked, clock, way }: McpRunOpening): McpProgressReporter | undefined {
  const { progressToken } = asked;
  if (progressToken === undefined) return undefined;
  return createProgressReporter({
    token: progressToken,
    clock,
    send: (params) => {
      way.notify({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...params } }, asked.requestId);
    },
  });
}
