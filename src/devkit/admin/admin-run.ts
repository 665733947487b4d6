/**
 * The run of a read inside of the call that asked for it: the same signal, the same progress, and the read's own caller.
 */
import type { McpAccount } from '../../account.js';
import type { McpCaller } from '../../caller.js';
import { currentAmbient, withAmbient } from '../../runs/ambient.js';
import type { McpInputNeed, McpInputRequest } from '../../runs/input.js';
import type { McpLogLevel } from '../../runs/log.js';
import type { McpRun } from '../../runs/run.js';
import type { McpCallRun } from '../../tools/call.js';

export class AdminRun implements McpCallRun {
  readonly id: string;

  constructor(private readonly run: McpRun) {
    this.id = run.id;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }

  enter<T>(caller: McpCaller, account: McpAccount | undefined, work: () => T): T {
    const { request } = currentAmbient() ?? {};
    return withAmbient({ caller, run: this.run, request, ...(account !== undefined && { account }) }, work);
  }

  progress(progress: number, total?: number, message?: string): void {
    this.run.progress(progress, total, message);
  }

  log(level: McpLogLevel, data: unknown, logger?: string): void {
    this.run.log(level, data, logger);
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
}
