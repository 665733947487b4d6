/**
 * What a call has learned so far, carried by its client to the next round: sealed, for one caller, one request, and not for
 * long (2026-07-28, multi round-trip requests, server requirements).
 */
import type { McpCaller } from '../../caller.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { isObject } from '../messages.js';
import type { McpCall } from '../read.js';
import { subjectDigest } from './digest.js';

/** A question, as its digest, and the client's answer to it. */
export type StatedAnswer = readonly [question: string, answer: unknown];

/** What earlier rounds have left. */
export interface InputState {
  readonly answers: ReadonlyMap<string, StatedAnswer>;
  readonly kept: ReadonlyMap<string, unknown>;
  /** Answers to questions that nobody knows, by their keys: a client's own object, however large, which is only looked up in. */
  readonly unasked?: Readonly<Record<string, unknown>>;
}

/** What this round leaves. */
export interface NextState extends Omit<InputState, 'unasked'> {
  /** What is asked now: the digest of each question under its key. */
  readonly asked: ReadonlyMap<string, string>;
}

interface Sealed {
  readonly until: number;
  readonly who: string;
  readonly what: string;
  readonly asked: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, StatedAnswer>>;
  readonly kept: Readonly<Record<string, readonly [unknown?]>>;
}

/** Whom a state is for. Strangers are one: a client may come from another address for each round. */
function whoIs({ authenticated, issuer, clientId, subject }: McpCaller): string {
  return JSON.stringify([authenticated, issuer, clientId, subject]);
}

const PURPOSE = 'request state';
/** The most characters of a state: it comes back with each round, within the body's limit. */
const MAX_STATE = 512 * 1024;

export const NO_STATE: InputState = Object.freeze({ answers: new Map(), kept: new Map() });

/** Whether a request goes on from an earlier round. */
export function goesOn({ params }: McpCall): boolean {
  return 'requestState' in params || 'inputResponses' in params;
}

/**
 * What earlier rounds have left, with the answers that the client brings now. Answers without a state are taken by their keys:
 * a client may know what it will be asked.
 *
 * Does NOT check that a state comes for the first time, nor who at the client has answered.
 *
 * @throws McpProtocolError `-32602` for a state that this gate did not give to this caller for this request, or that is too old.
 */
export async function openState(call: McpCall, context: McpMessageContext): Promise<InputState> {
  const { requestState, inputResponses = {} } = call.params;
  if (!isObject(inputResponses)) {
    throw McpProtocolError.invalidParams('"inputResponses" is an object: an answer under the key of each question.');
  }
  if (requestState === undefined) return { ...NO_STATE, unasked: inputResponses };
  const isOurs = typeof requestState === 'string' && requestState.length <= MAX_STATE;
  const state = (isOurs ? await context.seal.open(PURPOSE, requestState) : undefined) as Sealed | undefined;
  const isGood =
    state !== undefined &&
    state.until >= context.now() &&
    state.who === whoIs(context.caller) &&
    state.what === (await subjectDigest(call));
  if (!isGood) {
    throw McpProtocolError.invalidParams(
      '"requestState" is not what this server gave for this request, or it is too old. Send the request anew, without it.',
    );
  }
  const answers = new Map(Object.entries(state.answers));
  for (const [key, question] of Object.entries(state.asked)) {
    if (Object.hasOwn(inputResponses, key)) answers.set(key, [question, inputResponses[key]]); // whatever else comes was not asked
  }
  const kept = Object.entries(state.kept).map(([key, [value]]) => [key, value] as const);
  return { answers, kept: new Map(kept) };
}

/**
 * @throws Error when it has grown beyond what a client should carry; McpProtocolError `-32602` when that is for what the client
 * itself has answered.
 */
export async function sealState(call: McpCall, context: McpMessageContext, next: NextState): Promise<string> {
  const content: Sealed = {
    until: context.now() + context.server.answerWithinMs,
    who: whoIs(context.caller),
    what: await subjectDigest(call),
    asked: Object.fromEntries(next.asked),
    answers: Object.fromEntries(next.answers),
    kept: Object.fromEntries(Array.from(next.kept, ([key, value]) => [key, value === undefined ? [] : [value]])),
  };
  const text = await context.seal.seal(PURPOSE, content);
  if (text.length <= MAX_STATE) return text;
  if (JSON.stringify(content.answers).length > JSON.stringify(content.kept).length) {
    throw McpProtocolError.invalidParams('The answers to this call are too large to be carried to its next question.');
  }
  throw new Error(
    `The state of the call has grown to ${text.length} characters of at most ${MAX_STATE}: run.remember() less, or ask for less.`,
  );
}
