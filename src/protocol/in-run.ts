/**
 * Work that a request asks for, as a run: it may report progress, ask its client, be cancelled, time out. One that ignores its
 * signal holds nobody up.
 */
import { isPending, whenThere, type Awaitable } from '../awaitable.js';
import { isInputUnavailable, type McpInputUnavailable } from '../runs/input.js';
import type { McpAbortCause, McpOpenRun } from '../runs/open-run.js';
import type { McpMessageContext, McpRunRequest } from './context.js';
import { McpProtocolError } from './errors.js';
import { inputsOf, type CallInputs } from './inputs/call-inputs.js';
import type { InputRequiredResult } from './inputs/input-required.js';
import type { McpCall } from './read.js';

/** How work ended, whatever it was. */
interface Outcome {
  readonly kind: string;
  readonly error?: unknown;
}

/**
 * Goes on with what there is for a caller. Guards, and providers that are asked anew, decide over it and may take as long as they
 * like: whatever ends a run ends the waiting for them. The answer tells nothing of what was waited for (T12).
 */
export function whenFound<T, R>(
  call: McpCall,
  context: Pick<McpMessageContext, 'openRun'>,
  found: Awaitable<T>,
  goOn: (found: T) => Awaitable<R>,
): Awaitable<R | undefined> {
  return isPending(found) ? whenDecided(call, context, found, goOn) : goOn(found);
}

/**
 * Turns in which who asks nobody has decided. Until then nothing from outside can have come in, and a run that is registered costs
 * as much as a guarded call.
 */
const TURNS = 32;
const NEXT_TURN = Promise.resolve();

async function whenDecided<T, R>(
  call: McpCall,
  context: Pick<McpMessageContext, 'openRun'>,
  found: Promise<T>,
  goOn: (found: T) => Awaitable<R>,
): Promise<R | undefined> {
  const decided: { end?: Decision<T> } = {};
  const known = found.then(
    (value) => (decided.end = { value }),
    (error: unknown) => (decided.end = { error }),
  );
  for (let turn = 0; turn < TURNS && decided.end === undefined; turn += 1) await NEXT_TURN;
  const end = decided.end ?? (await untilDecided(call, context, known));
  if (typeof end === 'string') return abortedAnswer('The request', end);
  if ('error' in end) throw end.error;
  return goOn(end.value); // before anything else can come in: it reaches the run that this opens
}

type Decision<T> = { readonly value: T } | { readonly error: unknown };

/** The decision, or what ended the waiting for it. */
async function untilDecided<T>(
  call: McpCall,
  context: Pick<McpMessageContext, 'openRun'>,
  known: Promise<Decision<T>>,
): Promise<Decision<T> | McpAbortCause> {
  const waiting = context.openRun({ requestId: call.id, undecided: true });
  waiting.hold();
  const end = await untilAborted(waiting, known);
  waiting.end();
  return end;
}

/** Work that has nobody to ask. `answer` says what is sent for its outcome, or for what aborted it before there was one. */
export function inRun<T extends Outcome, R>(
  call: McpCall,
  context: McpMessageContext,
  work: (run: McpOpenRun) => Awaitable<T>,
  answer: (outcome: T | McpAbortCause) => R,
): Awaitable<R> {
  return whenThere(outcomeOf(context.openRun(runRequest(call)), work), answer);
}

/**
 * Work that may ask its client: open questions are sent in place of an outcome (2026-07-28, multi round-trip requests).
 *
 * @param what works, for the log
 * @throws McpProtocolError for answers that are not to this call, and for a client that cannot be asked.
 */
export function inAskingRun<T extends Outcome, R>(
  call: McpCall,
  context: McpMessageContext,
  what: string,
  work: (run: McpOpenRun) => Awaitable<T>,
  answer: (outcome: T | McpAbortCause) => R,
): Awaitable<R | InputRequiredResult> {
  return whenThere(inputsOf(call, context), (inputs) => {
    const run = context.openRun(runRequest(call, inputs));
    return whenThere(outcomeOf(run, work), (outcome) => {
      if (typeof outcome === 'string') return answer(outcome);
      if (isInputUnavailable(outcome.error)) throw unavailable(outcome.error);
      return whenThere(required(inputs, context), (result) => result ?? answer(outcome));
    });
  });

  function required(inputs: CallInputs, around: McpMessageContext): Awaitable<InputRequiredResult | undefined> {
    const result = inputs.required();
    if (!isPending(result)) return result;
    return result.catch((error: unknown) => {
      if (error instanceof McpProtocolError) throw error; // the client's own doing
      const id = around.report({ where: what, error });
      throw McpProtocolError.internal(`The question could not be put. The server's log has the cause under ${id}.`);
    });
  }
}

/** The outcome of the work, or why the run was aborted before there was one. `work` never rejects. */
function outcomeOf<T>(run: McpOpenRun, work: (run: McpOpenRun) => Awaitable<T>): Awaitable<T | McpAbortCause> {
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

function unavailable({ needs, requiredCapabilities }: McpInputUnavailable): McpProtocolError {
  return McpProtocolError.missingCapability(
    `This request needs a client that declares the capability "${needs}".`,
    requiredCapabilities,
  );
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

function runRequest({ id, progressToken, logLevel }: McpCall, inputs?: CallInputs): McpRunRequest {
  return { requestId: id, logLevel, progressToken, inputs };
}

function untilAborted<T>(run: McpOpenRun, outcome: Promise<T>): Promise<T | McpAbortCause> {
  return new Promise((resolve) => {
    run.onAbort(resolve);
    void outcome.then(resolve);
  });
}
