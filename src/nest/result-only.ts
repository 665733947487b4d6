/**
 * A tool's stream as interceptors may see it: its result alone. The progress goes to the run on the way, before Nest
 * would flatten the stream and lose it (R3).
 */
import { from, Observable } from 'rxjs';
import type { McpInputNeed, McpInputRequest } from '../runs/input.js';
import type { McpLogLevel } from '../runs/log.js';
import type { McpRun } from '../runs/run.js';
import { settleToolValue } from '../tools/settle.js';

/** The value itself or, of a stream, an Observable of its result. Unsubscribing it ends the stream. */
export function resultOnly(value: unknown, run: McpRun): unknown {
  if (!isStream(value)) return value;
  return new Observable<unknown>((subscriber) => {
    const gone = new AbortController();
    const settled = settleToolValue(value, new InterceptedRun(run, gone.signal)) as Promise<unknown>;
    subscriber.add(() => gone.abort());
    return from(settled).subscribe(subscriber);
  });
}

/** The same run, which also ends for its stream when an interceptor lets go of it: a time limit, a switch to another. */
class InterceptedRun implements McpRun {
  readonly id: string;
  readonly signal: AbortSignal;

  constructor(
    private readonly run: McpRun,
    gone: AbortSignal,
  ) {
    this.id = run.id;
    this.signal = AbortSignal.any([run.signal, gone]);
  }

  progress(progress: number, total?: number, message?: string): void {
    this.run.progress(progress, total, message);
  }

  ask<A>(key: string, request: McpInputRequest<A>): Promise<A> {
    return this.run.ask(key, request);
  }

  remember<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    return this.run.remember(key, compute);
  }

  can(need: McpInputNeed): boolean {
    return this.run.can(need);
  }

  log(level: McpLogLevel, data: unknown, logger?: string): void {
    this.run.log(level, data, logger);
  }
}

function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as { subscribe?: unknown }).subscribe === 'function' || Symbol.asyncIterator in value;
}
