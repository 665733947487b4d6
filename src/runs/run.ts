/**
 * One execution of a tool, as its author sees it: a signal to obey, and places to report progress and to log.
 */
import type { McpInputNeed, McpInputRequest } from './input.js';
import type { McpLogLevel } from './log.js';

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
  /**
   * Asks the client's user (`elicitForm`, `elicitUrl`), its model (`sample`) or the client itself (`listRoots`), and gives the
   * answer, checked. Written as if the answer came at once; in fact a client of revision 2026-07-28 ends the call with the
   * question and calls again with the answer: the method then begins anew, and this gives the answer. So what comes before it
   * runs more than once: do nothing there that must happen once, and keep what is dear with `remember`.
   *
   * @param key stands for this question in this run: 1 to 64 letters, digits, `_`, `.` or `-`
   * @throws McpInputUnavailable (as a rejection) when the client cannot be asked: ask `can` first. Uncaught, it tells the client
   * what it would have to declare (`-32021`).
   */
  ask<Answer>(key: string, request: McpInputRequest<Answer>): Promise<Answer>;
  /**
   * Computes a value once, however often the method begins anew for an answer: it travels, sealed, with the client. It must be
   * JSON, and small.
   *
   * @param key stands for this value in this run, as for `ask`
   */
  remember<Value>(key: string, compute: () => Value | Promise<Value>): Promise<Value>;
  /**
   * Whether the client can be asked for something. Over HTTP nobody knows what a client of a revision before 2026-07-28 can
   * do: the answer is `true`, and one that cannot makes `ask` fail.
   */
  can(need: McpInputNeed): boolean;
  /**
   * Logs for the CLIENT, if it has asked to hear this level; it may be anybody who has the tool, so no secret and nothing of the
   * server's own. Never throws, and does nothing when nobody listens. What JSON cannot carry is said in the nearest way, above
   * 50 messages a second the rest is dropped and counted. Deprecated by revision 2026-07-28: for operators log with the
   * application's own logger.
   *
   * @param logger names where it comes from, in 200 characters at most
   */
  log(level: McpLogLevel, data: unknown, logger?: string): void;
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
