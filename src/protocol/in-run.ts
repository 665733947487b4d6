/**
 * Work that a request asks for, as a run: it may report progress, be cancelled, time out. One that ignores its signal holds
 * nobody up.
 */
import { isPending, type Awaitable } from '../awaitable.js';
import type { McpAbortCause, McpOpenRun } from '../runs/open-run.js';
import type { McpMessageContext, McpRunRequest } from './context.js';
import { McpProtocolError } from './errors.js';
import type { McpCall } from './read.js';

/** The outcome of the work, or why the run was aborted before there was one. `work` never rejects. */
export function inRun<T extends object>(
  call: McpCall,
  context: McpMessageContext,
  work: (run: McpOpenRun) => Awaitable<T>,
): Awaitable<T | McpAbortCause> {
  const run = context.openRun(runRequest(call));
  const outcome = work(run);
  if (!isPending(outcome)) {
    run.end();
    return run.abortedBy ?? outcome;
  }
  run.hold();
  return untilAborted(run, outcome).then((end) => {
    run.end();
    return end;
  });
}

/** Nothing for a client that cancelled or left: nothing may be sent. `again` is how it asks again. */
export function abortedAnswer(what: string, cause: McpAbortCause, again = 'Ask'): undefined {
  switch (cause) {
    case 'deadline':
      throw McpProtocolError.internal(`${what} was stopped: it took longer than this server allows.`);
    case 'shutdown':
      throw McpProtocolError.internal(`${what} was stopped: the server is shutting down. ${again} again later.`);
    case 'expired':
      throw McpProtocolError.internal(`${what} was stopped: the token expired. ${again} again with a new one.`);
    default:
      return undefined;
  }
}

function runRequest({ id, progressToken }: McpCall): McpRunRequest {
  return progressToken === undefined ? { requestId: id } : { requestId: id, progressToken };
}

function untilAborted<T>(run: McpOpenRun, outcome: Promise<T>): Promise<T | McpAbortCause> {
  return new Promise((resolve) => {
    run.onAbort(resolve);
    void outcome.then(resolve);
  });
}
