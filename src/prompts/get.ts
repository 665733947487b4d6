/**
 * One prompt, filled in: its arguments checked, its method run, its value made messages.
 */
import { isPending, whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpCallRun } from '../tools/call.js';
import { McpToolFailure } from '../tools/failure.js';
import { businessMessage } from '../tools/http-exception.js';
import { settleToolValue } from '../tools/settle.js';
import type { McpDeclaredPrompt } from './declared-prompt.js';
import { toPromptResult } from './messages.js';
import type { McpPromptResult } from './prompt.js';

/** How it ended. */
export type McpPromptOutcome =
  | { readonly kind: 'result'; readonly result: McpPromptResult }
  /** The arguments or the application refuse, and say why. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The server's own fault: for its log, never for the client (P15). */
  | { readonly kind: 'fault'; readonly error: unknown };

/** Fills in what the catalogue has given out: at once, unless something must be waited for. Never throws or rejects. */
export function getMcpPrompt(
  entry: McpDeclaredPrompt,
  args: Readonly<Record<string, unknown>>,
  caller: McpCaller,
  run: McpCallRun,
): Awaitable<McpPromptOutcome> {
  const { name, prompt } = entry;
  try {
    const outcome = whenThere(entry.checkArguments(args), (checked) => {
      if (run.abortedBy !== undefined) run.signal.throwIfAborted();
      const value = run.enter(caller, undefined, () => settleToolValue(prompt.handler(checked, caller, run), run));
      return whenThere(value, (settled): McpPromptOutcome => {
        return { kind: 'result', result: toPromptResult(name, settled, prompt.description) };
      });
    });
    return isPending(outcome) ? outcome.catch(shapeFailure) : outcome;
  } catch (error) {
    return shapeFailure(error);
  }
}

function shapeFailure(error: unknown): McpPromptOutcome {
  try {
    const message = error instanceof McpToolFailure ? error.message : businessMessage(error);
    return message === undefined ? { kind: 'fault', error } : { kind: 'refused', message };
  } catch {
    return { kind: 'fault', error }; // an exception whose own methods throw
  }
}
