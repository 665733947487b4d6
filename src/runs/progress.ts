/**
 * Progress that a tool may report as often as it likes, and a client receives as the specification has it: only for its
 * own token, always increasing, at a bounded rate, and never after the end (P10; 2026-07-28, progress).
 */
import type { McpClock } from './clock.js';

/** The least time between two notifications of one run, in milliseconds. */
export const MCP_PROGRESS_MIN_INTERVAL_MS = 100;

/** The parameters of a `notifications/progress`. */
export interface McpProgressParams {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Takes what a tool reports. */
export interface McpProgressReporter {
  /** Never throws. A value that is not finite or does not increase is dropped. */
  report(progress: number, total?: number, message?: string): void;
  /** The work went well: sends what a burst held back, then falls silent. */
  end(): void;
  /** The run was aborted: falls silent at once. */
  stop(): void;
}

/** Shared by all runs to which nobody listens. */
export const NO_PROGRESS: McpProgressReporter = Object.freeze({ report() {}, end() {}, stop() {} });

/** What a reporter needs: a token, somewhere to send to, and the time. */
export interface McpProgressOptions {
  readonly token: string | number;
  readonly send: (params: McpProgressParams) => void;
  readonly clock: McpClock;
  /** @default MCP_PROGRESS_MIN_INTERVAL_MS */
  readonly intervalMs?: number;
}

/**
 * A reporter for one run. Of the values of a burst the last is kept: it goes out when the interval has passed, or when
 * the run ends, whichever comes first.
 */
export function createProgressReporter(options: McpProgressOptions): McpProgressReporter {
  const { token, send, clock, intervalMs = MCP_PROGRESS_MIN_INTERVAL_MS } = options;
  let newest = -Infinity;
  let sentAt = -Infinity;
  let held: McpProgressParams | undefined;
  let unschedule: (() => void) | undefined;
  let silent = false;

  function release(): void {
    unschedule?.();
    unschedule = undefined;
    if (held === undefined) return;
    const params = held;
    held = undefined;
    sentAt = clock.now();
    send(params);
  }

  function fallSilent(): void {
    silent = true;
    held = undefined;
    unschedule?.();
    unschedule = undefined;
  }

  return {
    report(progress, total, message) {
      if (silent || !Number.isFinite(progress) || progress <= newest) return;
      newest = progress;
      held = {
        progressToken: token,
        progress,
        ...(Number.isFinite(total) && { total: total as number }),
        ...(typeof message === 'string' && { message }),
      };
      if (unschedule !== undefined) return;
      const wait = sentAt + intervalMs - clock.now();
      if (wait <= 0) release();
      else unschedule = clock.after(wait, release);
    },
    end() {
      if (!silent) release();
      fallSilent();
    },
    stop: fallSilent,
  };
}
