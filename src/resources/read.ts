/**
 * One reading of one resource: its method run, its value made contents. The rules live here, as those of a call do.
 */
import { isPending, whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpCallRun } from '../tools/call.js';
import { McpToolFailure } from '../tools/failure.js';
import { businessFailure } from '../tools/http-exception.js';
import type { McpResourceContents } from '../tools/result.js';
import { settleToolValue } from '../tools/settle.js';
import { toResourceContents } from './contents.js';
import type { McpLocatedResource } from './resource-index.js';

/** How a reading ended. */
export type McpReadOutcome =
  | { readonly kind: 'contents'; readonly contents: readonly McpResourceContents[] }
  /** There is nothing under this URI; in the application's own words, if it has some. */
  | { readonly kind: 'absent'; readonly message?: string }
  /** The application refuses, and says why. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The server's own fault: for its log, never for the client (P15). */
  | { readonly kind: 'fault'; readonly error: unknown };

/** Reads what the catalogue has given out: at once, unless something must be waited for. Never throws or rejects. */
export function readMcpResource(
  located: McpLocatedResource,
  uri: string,
  caller: McpCaller,
  run: McpCallRun,
): Awaitable<McpReadOutcome> {
  try {
    if (run.abortedBy !== undefined) run.signal.throwIfAborted();
    const value = run.enter(caller, undefined, () => settleToolValue(readValue(located, uri, caller, run), run));
    const outcome = whenThere(value, (settled) => shapeValue(settled, located, uri));
    return isPending(outcome) ? outcome.catch(shapeFailure) : outcome;
  } catch (error) {
    return shapeFailure(error);
  }
}

function readValue(located: McpLocatedResource, uri: string, caller: McpCaller, run: McpCallRun): unknown {
  return 'variables' in located
    ? located.entry.resource.read(located.variables, caller, run)
    : located.entry.resource.read(uri, caller, run);
}

function shapeValue(value: unknown, { entry }: McpLocatedResource, uri: string): McpReadOutcome {
  const { mimeType } = entry.resource;
  const contents = toResourceContents(value, { uri, ...(mimeType !== undefined && { mimeType }) });
  return contents === undefined ? { kind: 'absent' } : { kind: 'contents', contents };
}

const NOT_FOUND = 404;

function shapeFailure(error: unknown): McpReadOutcome {
  try {
    if (error instanceof McpToolFailure) return { kind: 'refused', message: error.message };
    const failure = businessFailure(error);
    if (failure === undefined) return { kind: 'fault', error };
    const { status, message } = failure;
    return status === NOT_FOUND ? { kind: 'absent', message } : { kind: 'refused', message };
  } catch {
    return { kind: 'fault', error }; // an exception whose own methods throw
  }
}
