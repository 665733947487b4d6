/**
 * One completion: what is proposed for what is typed, and no more than a client may be sent.
 */
import { isPending, whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpCallRun } from '../tools/call.js';
import { McpToolFailure } from '../tools/failure.js';
import { businessMessage } from '../tools/http-exception.js';
import { settleToolValue } from '../tools/settle.js';
import type { McpCompletionContext } from './completion.js';
import type { McpDeclaredCompletion } from './declare.js';

/** Values that a client may propose. */
export interface McpCompletionResult {
  /** At most 100. */
  readonly values: readonly string[];
  /** How many there are in all. */
  readonly total?: number;
  readonly hasMore: boolean;
}

/** How it ended. */
export type McpCompletionOutcome =
  | { readonly kind: 'result'; readonly result: McpCompletionResult }
  | { readonly kind: 'refused'; readonly message: string }
  /** The server's own fault: for its log, never for the client (P15). */
  | { readonly kind: 'fault'; readonly error: unknown };

/** The most values of one answer (2026-07-28, completion). */
const MOST_VALUES = 100;

/** The result for a list: the first hundred, and how many there are. */
export function completionResult(values: readonly string[], total = values.length): McpCompletionResult {
  const sent = values.slice(0, MOST_VALUES);
  return { values: sent, total, hasMore: total > sent.length };
}

/** Asks a completion: at once, unless something must be waited for. Never throws or rejects. */
export function completeMcpValue(
  { completion, name }: McpDeclaredCompletion,
  value: string,
  context: McpCompletionContext,
  caller: McpCaller,
  run: McpCallRun,
): Awaitable<McpCompletionOutcome> {
  try {
    if (run.abortedBy !== undefined) run.signal.throwIfAborted();
    const proposed = run.enter(caller, undefined, () =>
      settleToolValue(completion.complete(value, context, caller, run), run),
    );
    const outcome = whenThere(proposed, (settled): McpCompletionOutcome => {
      return { kind: 'result', result: toResult(name, settled) };
    });
    return isPending(outcome) ? outcome.catch(shapeFailure) : outcome;
  } catch (error) {
    return shapeFailure(error);
  }
}

function toResult(name: string, value: unknown): McpCompletionResult {
  const ready: unknown = Array.isArray(value) ? { values: value as unknown[] } : value;
  const { values, total } = (ready ?? {}) as { values?: unknown; total?: unknown };
  if (!isTexts(values) || !(total === undefined || Number.isSafeInteger(total))) {
    throw new TypeError(`The completion of ${name} must give an array of strings, or { values, total }.`);
  }
  return completionResult(values, Math.max(values.length, (total as number | undefined) ?? 0));
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && Array.from<unknown>(values).every((value) => typeof value === 'string');
}

function shapeFailure(error: unknown): McpCompletionOutcome {
  try {
    const message = error instanceof McpToolFailure ? error.message : businessMessage(error);
    return message === undefined ? { kind: 'fault', error } : { kind: 'refused', message };
  } catch {
    return { kind: 'fault', error }; // an exception whose own methods throw
  }
}
