/**
 * The request that the current code runs for, readable anywhere below a tool's handler: after an await, in a timer, in
 * a stream's callback (AsyncLocalStorage).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { McpAccount } from '../account.js';
import type { McpCaller } from '../caller.js';
import type { McpRun } from './run.js';

/** What is known below a handler. */
export interface McpAmbient {
  readonly caller: McpCaller;
  /** In whose name the tool acts, when it acts for a user. */
  readonly account?: McpAccount;
  readonly run: McpRun;
  /** What the transport's host knows of the request (in Nest: the HTTP request). */
  readonly request?: unknown;
}

const storage = new AsyncLocalStorage<McpAmbient>();

/** Runs `work` so that everything below it can read `ambient`. */
export function withAmbient<T>(ambient: McpAmbient, work: () => T): T {
  return storage.run(ambient, work);
}

/** The request that this code runs for; `undefined` outside a tool. */
export function currentAmbient(): McpAmbient | undefined {
  return storage.getStore();
}

/**
 * Reads the caller, the signal and the run of the tool below which this code runs. For services that are called by
 * tools and by routes alike: each method gives `undefined` outside a tool.
 */
export const McpRequestContext = Object.freeze({
  /** Who asks. */
  caller: (): McpCaller | undefined => currentAmbient()?.caller,
  /** In whose name the tool acts; `undefined` when it does not act for a user. */
  account: (): McpAccount | undefined => currentAmbient()?.account,
  /** The run, with its signal, its progress and its log. */
  run: (): McpRun | undefined => currentAmbient()?.run,
  /** Aborts with the run. */
  signal: (): AbortSignal | undefined => currentAmbient()?.run.signal,
});
