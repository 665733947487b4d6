/**
 * A run as its gate holds it: it can be aborted, it knows why, and it costs no AbortController until a tool asks for its
 * signal (creating one with its listeners is dearer than the whole protocol).
 */
import { randomUUID } from 'node:crypto';
import type { McpAccount } from '../account.js';
import type { McpCaller } from '../caller.js';
import { withAmbient, type McpAmbient } from './ambient.js';
import { NO_LOG, type McpLogLevel, type McpLogReporter } from './log.js';
import { NO_PROGRESS, type McpProgressReporter } from './progress.js';
import type { McpInputNeed, McpInputRequest } from './input.js';
import { McpNoInputs, type McpRunInputs } from './inputs.js';
import type { McpRun } from './run.js';

/** Why a run ended early: the client left or cancelled, its deadline or its token ran out, the process shuts down. */
export type McpAbortCause = 'disconnected' | 'cancelled' | 'deadline' | 'expired' | 'shutdown';

/** What a run is made of. */
export interface McpOpenRunOptions {
  /** @default a UUID, made when it is first read */
  readonly id?: string;
  /** What the transport's host knows of the request. */
  readonly request?: unknown;
  /** Takes the tool's progress. @default nobody listens */
  readonly progress?: McpProgressReporter;
  /** How the run asks its client. @default it cannot */
  readonly inputs?: McpInputSource;
  /** Takes what the tool logs. @default nobody listens */
  readonly log?: McpLogReporter;
  /** Called once, when the work is over or aborted and nothing of the run is left. */
  readonly onEnd?: () => void;
}

/** Gives a run its way of asking, when it first asks. */
export interface McpInputSource {
  of(): McpRunInputs;
}

/** One execution of a tool, from the side that can end it. */
export class McpOpenRun implements McpRun {
  private readonly options: McpOpenRunOptions;
  private readonly reporter: McpProgressReporter;
  private ownId: string | undefined;
  private controller: AbortController | undefined;
  private listeners: ((cause: McpAbortCause) => void)[] | undefined;
  private cause: McpAbortCause | undefined;
  private ambient: McpAmbient | undefined;
  private asking: McpRunInputs | undefined;
  private ended = false;
  private logs: McpLogReporter | undefined;

  constructor(options: McpOpenRunOptions) {
    this.options = options;
    this.ownId = options.id;
    this.reporter = options.progress ?? NO_PROGRESS;
  }

  get id(): string {
    return (this.ownId ??= randomUUID());
  }

  /** Created on first read; a getter of the prototype, so that instances keep one cheap shape. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.cause !== undefined) this.controller.abort(abortReason(this.cause));
    }
    return this.controller.signal;
  }

  /** Why the run was aborted; `undefined` while it was not. */
  get abortedBy(): McpAbortCause | undefined {
    return this.cause;
  }

  progress(progress: number, total?: number, message?: string): void {
    this.reporter.report(progress, total, message);
  }

  ask<A>(key: string, request: McpInputRequest<A>): Promise<A> {
    return this.inputs.ask(key, request);
  }

  remember<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    return this.inputs.remember(key, compute);
  }

  can(need: McpInputNeed): boolean {
    return this.inputs.can(need);
  }

  private get inputs(): McpRunInputs {
    if (this.asking === undefined) {
      this.asking = this.options.inputs?.of() ?? new McpNoInputs();
      if (this.ended || this.cause !== undefined) this.asking.over(); // first asked when nobody is there any more (R4)
    }
    return this.asking;
  }

  log(level: McpLogLevel, data: unknown, logger?: string): void {
    if (this.ended || this.cause !== undefined) return;
    (this.logs ??= this.openLog()).log(level, data, logger);
  }

  /** Asked once, when the tool first logs: most never do. */
  protected openLog(): McpLogReporter {
    return this.options.log ?? NO_LOG;
  }

  /** Calls `work` so that caller, account, run and request are readable anywhere below it (R5). */
  enter<T>(caller: McpCaller, account: McpAccount | undefined, work: () => T): T {
    this.ambient = { caller, account, run: this, request: this.options.request };
    return withAmbient(this.ambient, work);
  }

  /** The work did not end at once: from now on others may end it early. For who opens runs to lay in wait. */
  hold(): void {}

  /** Calls back once when the run is aborted, at once if it already was. */
  onAbort(listener: (cause: McpAbortCause) => void): void {
    if (this.cause !== undefined) listener(this.cause);
    else (this.listeners ??= []).push(listener);
  }

  /** Ends the run early. Only the first cause counts, and none after the end. */
  abort(cause: McpAbortCause): void {
    if (this.ended || this.cause !== undefined) return;
    this.cause = cause;
    this.reporter.stop();
    this.asking?.over();
    this.logs?.stop();
    // The tool tidies up as whom it worked for, though the news comes from elsewhere: a socket, a timer (R5).
    if (this.ambient === undefined) this.announce(cause);
    else withAmbient(this.ambient, () => this.announce(cause));
  }

  private announce(cause: McpAbortCause): void {
    this.controller?.abort(abortReason(cause));
    for (const listener of this.listeners ?? []) listener(cause);
    this.listeners = undefined;
  }

  /** The work is over: the last progress goes out; what is reported or logged later is dropped. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.reporter.end();
    this.asking?.over();
    this.logs?.end();
    this.listeners = undefined;
    this.options.onEnd?.();
  }
}

const REASONS: Readonly<Record<McpAbortCause, string>> = {
  disconnected: 'The client closed the connection.',
  cancelled: 'The client cancelled the call.',
  deadline: 'The call ran longer than the server allows.',
  expired: "The caller's token expired.",
  shutdown: 'The server is shutting down.',
};

function abortReason(cause: McpAbortCause): DOMException {
  return new DOMException(REASONS[cause], 'AbortError');
}
