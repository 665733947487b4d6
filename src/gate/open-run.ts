/**
 * A run, opened for one request of one client: what can end it early is wired here, and taken down when it ends.
 */
import { randomUUID } from 'node:crypto';
import type { McpCaller } from '../caller.js';
import type { McpRunRequest } from '../protocol/context.js';
import type { McpClock } from '../runs/clock.js';
import type { McpLiveRuns } from '../runs/live-runs.js';
import { McpOpenRun } from '../runs/open-run.js';
import { createProgressReporter, NO_PROGRESS } from '../runs/progress.js';
import type { McpResponseStream } from './response-stream.js';

/** What a run is opened with. */
export interface McpRunOpening {
  readonly request: McpRunRequest;
  readonly caller: McpCaller;
  /** The framework's request. */
  readonly host: unknown;
  readonly clock: McpClock;
  readonly maxRunMs: number | undefined;
  readonly live: McpLiveRuns;
  readonly principal: string;
  readonly stream: Pick<McpResponseStream, 'notify'>;
}

/** Opens a run: progress to the stream, deadline, expiry of the token, and a place among the gate's live runs. */
export function openMcpRun(opening: McpRunOpening): McpOpenRun {
  const { request, caller, host, clock, maxRunMs, live, principal, stream } = opening;
  const teardown: (() => void)[] = [];
  const run = new McpOpenRun({
    id: randomUUID(),
    request: host,
    progress:
      request.progressToken === undefined
        ? NO_PROGRESS
        : createProgressReporter({
            token: request.progressToken,
            clock,
            send: (params) =>
              stream.notify({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...params } }),
          }),
    onEnd: () => teardown.forEach((undo) => undo()),
  });
  teardown.push(live.add(principal, request.requestId, run));
  if (maxRunMs !== undefined) teardown.push(clock.after(maxRunMs, () => run.abort('deadline')));
  if (caller.expiresAt !== undefined) {
    const left = Math.max(caller.expiresAt - Date.now(), 0);
    teardown.push(clock.after(left, () => run.abort('expired')));
  }
  return run;
}
