/**
 * One execution of a tool, as its author sees it: a signal to obey and a place to report progress.
 */

/** What a tool is given of its own execution. */
export interface McpRun {
  /** Unique to this run: for what the tool writes to a log of its own. */
  readonly id: string;
  /**
   * Aborts when the client leaves or cancels, the run's deadline passes, the caller's token expires or the process
   * shuts down. Created on first read.
   */
  readonly signal: AbortSignal;
  /**
   * Reports how far the work has come. Never throws, and does nothing when nobody listens. Values that do not increase
   * are dropped; bursts are thinned to one every 100 ms, the last value is never lost.
   */
  progress(progress: number, total?: number, message?: string): void;
}

const BRAND = Symbol.for('nestjs-mcp-gate.progress');

/** Emitted by a tool's Observable or async iterable to report progress; every other value is a result. */
export class McpProgress {
  /** @internal */
  readonly [BRAND] = true;

  constructor(
    /** How far the work has come. Must increase from one emission to the next. */
    readonly progress: number,
    /** How far there is to go, when known. */
    readonly total?: number,
    /** A sentence for the person who waits. */
    readonly message?: string,
  ) {}
}

/** Whether a value is progress, also when two copies of this package are loaded. */
export function isMcpProgress(value: unknown): value is McpProgress {
  return typeof value === 'object' && value !== null && BRAND in value;
}
