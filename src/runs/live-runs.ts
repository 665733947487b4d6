/**
 * The runs that are under way at a gate, so that a caller can cancel its own and a shutdown can end them all. Nothing
 * stays once a run has ended (G10).
 */
import type { McpAbortCause, McpOpenRun } from './open-run.js';

/** Runs by who asked for them and under which request id. */
export class McpLiveRuns {
  private readonly byKey = new Map<string, Set<McpOpenRun>>();

  /** Takes a run in. The result takes it out again. */
  add(principal: string, requestId: string | number, run: McpOpenRun): () => void {
    const key = runKey(principal, requestId);
    const runs = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, runs.add(run));
    return () => {
      runs.delete(run);
      if (runs.size === 0 && this.byKey.get(key) === runs) this.byKey.delete(key);
    };
  }

  /** Cancels the runs of ONE principal under one request id (R4); another's are out of reach. */
  cancel(principal: string, requestId: string | number): void {
    for (const run of this.byKey.get(runKey(principal, requestId)) ?? []) run.abort('cancelled');
  }

  /** Ends every run. */
  abortAll(cause: McpAbortCause): void {
    for (const runs of this.byKey.values()) for (const run of runs) run.abort(cause);
  }

  /** How many runs are under way. */
  get size(): number {
    let size = 0;
    for (const runs of this.byKey.values()) size += runs.size;
    return size;
  }
}

/** The id's type is part of the key: `1` and `"1"` are two requests. */
function runKey(principal: string, requestId: string | number): string {
  return `${typeof requestId === 'number' ? 'n' : 's'}:${requestId}\u0000${principal}`;
}
