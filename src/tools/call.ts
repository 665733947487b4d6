/**
 * One call of one tool: its arguments checked, its handler run, its value made a result. The rules live here, so that
 * no tool can break them by forgetting.
 */
import { isPending, whenThere, type Awaitable } from '../awaitable.js';
import type { McpAccount, McpAccountResolver } from '../account.js';
import type { McpCaller } from '../caller.js';
import { actingFor, McpAccountsMissing } from './acting.js';
import type { McpRun } from '../runs/run.js';
import type { McpDeclaredTool } from './declared-tool.js';
import { confirmed } from './confirm.js';
import { McpToolFailure, type ArgumentFault } from './failure.js';
import { businessMessage } from './http-exception.js';
import { jsonText } from './json-text.js';
import { isCallToolResult, toCallToolResult, type CallToolResult } from './result.js';
import { mcpCallScopes, missingScopes } from './scopes.js';
import { settleToolValue } from './settle.js';
import { mcpText } from './text.js';

/** How a call ended. */
export type McpCallOutcome =
  /** `alarm`: the set-up of the server is at fault; for its log, at FATAL. */
  | { readonly kind: 'result'; readonly result: CallToolResult; readonly alarm?: Error }
  /** The caller lacks scopes that THIS call needs; `scopes` are all of the operation's. */
  | { readonly kind: 'insufficient_scope'; readonly scopes: readonly string[] }
  /** The server's own fault: for its log, never for the client (P15). */
  | { readonly kind: 'fault'; readonly error: unknown };

/** Where a run lets its handler work. */
export interface McpCallRun extends McpRun {
  /** Why it was aborted, if it was: known without a signal, which costs. */
  readonly abortedBy?: string;
  enter<T>(caller: McpCaller, account: McpAccount | undefined, work: () => T): T;
}

/** Who calls, and how the account behind a caller is found. */
export interface McpCallParties {
  readonly caller: McpCaller;
  /** Absent: no tool can act for a user here. */
  readonly accounts?: McpAccountResolver;
}

/** Calls a tool that the catalogue has given out: at once, unless something must be waited for. Never throws or rejects. */
export function callMcpTool(
  entry: McpDeclaredTool,
  args: Record<string, unknown>,
  parties: McpCallParties,
  run: McpCallRun,
): Awaitable<McpCallOutcome> {
  try {
    const outcome = whenThere(entry.checkArguments(args), (checked) => callChecked(entry, checked, parties, run));
    return isPending(outcome) ? outcome.catch(shapeFailure) : outcome;
  } catch (error) {
    return shapeFailure(error);
  }
}

function callChecked(
  entry: McpDeclaredTool,
  args: Record<string, unknown>,
  parties: McpCallParties,
  run: McpCallRun,
): Awaitable<McpCallOutcome> {
  const { tool } = entry;
  if (tool.scopesFor !== undefined) {
    const scopes = mcpCallScopes(tool, args);
    if (missingScopes(scopes, tool, parties.caller).length > 0) return { kind: 'insufficient_scope', scopes };
  }
  return whenThere(actingFor(tool, parties), ({ caller, account }) => {
    return confirmed(tool, args, run, () => {
      // Nobody waits any more: what has not begun must not begin, its client may ask again and have the work done twice.
      if (run.abortedBy !== undefined) run.signal.throwIfAborted();
      const value = run.enter(caller, account, () => settleToolValue(tool.handler(args, caller, run), run));
      return whenThere(value, (settled) => shapeValue(entry, settled));
    });
  });
}

function shapeFailure(error: unknown): McpCallOutcome {
  try {
    const message = error instanceof McpToolFailure ? error.message : businessMessage(error);
    if (message === undefined) return { kind: 'fault', error };
    const result = mcpText(message, true);
    return { kind: 'result', result, ...(error instanceof McpAccountsMissing && { alarm: error.alarm }) };
  } catch {
    return { kind: 'fault', error }; // an exception whose own methods throw
  }
}

function shapeValue(entry: McpDeclaredTool, value: unknown): McpCallOutcome {
  if (entry.outputSchema === undefined) return { kind: 'result', result: toCallToolResult(value) };
  const ready = isCallToolResult(value) ? toCallToolResult(value) : undefined;
  if (ready?.isError === true) return { kind: 'result', result: ready };
  // A ready result without structured content broke the tool's promise like any other value that does not fit.
  const structured = plainJson(ready === undefined ? value : ready.structuredContent);
  const faults = structured === undefined ? [NO_VALUE] : entry.checkOutput(structured);
  if (faults !== undefined) return { kind: 'fault', error: new McpOutputFault(entry.tool.name, faults) };
  const content = ready?.content ?? mcpText(structured).content;
  return { kind: 'result', result: { ...ready, content, structuredContent: structured } };
}

const NO_VALUE: ArgumentFault = { path: '', expected: 'must be a value, got none' };

/** The value as it will be on the wire: what is checked is what is sent. */
function plainJson(value: unknown): unknown {
  const text = jsonText(value);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** A tool's value does not fit the output schema that it declares. For the log. */
export class McpOutputFault extends Error {
  override readonly name = 'McpOutputFault';

  constructor(
    tool: string,
    readonly faults: readonly ArgumentFault[],
  ) {
    const list = faults.map(({ path, expected }) => `${path === '' ? 'the value' : path}: ${expected}`).join('; ');
    super(`The value of tool "${tool}" does not fit its outputSchema. ${list}`);
  }
}
