/**
 * A visit to a deployed gate: what it is asked with, and one way to ask.
 */
import { cleaned } from '../http/cleaned.js';
import { exchange, type HttpAnswer, type HttpAsk } from '../http/exchange.js';
import { rpcReplies, rpcRequest, type RpcReply } from '../http/rpc.js';
import { quoted } from '../paint.js';
import { hiding } from '../secret-token.js';

/** What a visitor was told. */
export interface VisitPlan {
  /** The gate's address as clients write it. */
  readonly url: string;
  readonly token?: string;
  /** The origin of a page that is to call the gate. */
  readonly origin?: string;
  /** A tool that may be called, with its arguments. */
  readonly call?: { readonly tool: string; readonly args: object };
  /** How long a stream is watched, in milliseconds. */
  readonly idleMs: number;
  /** How long one request may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What the first checks have learnt, for those that follow. */
export interface Standing {
  /** Whether the gate answers with 401 to who shows no token. */
  readonly isProtected: boolean;
  /** Whether requests of this visit are answered with results. */
  readonly isAdmitted: boolean;
  /** The revision that the rest is asked in: the newest in which tools could be listed. */
  readonly version: string;
  /** Whether the newest revision is served, even if something on the way spoils it. */
  readonly speaksModern: boolean;
  /** The tools that were listed. */
  readonly tools: readonly ListedTool[];
}

/** A tool as far as the doctor reads it. */
export interface ListedTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean };
  readonly inputSchema?: { readonly required?: readonly string[] };
}

/** An answer, and the reply in it. */
export interface Answer extends HttpAnswer {
  /** The reply to the request; `undefined` when there is none in the answer. */
  readonly reply?: RpcReply;
}

/** How a message is sent, where it is not sent as a client would. */
export interface Sending extends Omit<HttpAsk, 'url' | 'body'> {
  /** Headers beside the usual ones, or in their place; an empty one is left out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default false */
  readonly withToken?: boolean;
}

const ID = 1;

/** Sends one request of a client that speaks `version`. Throws an HttpFailure when there is no answer. */
export async function say(
  plan: VisitPlan,
  version: string,
  { method, params }: { readonly method: string; readonly params?: object },
  { withToken = false, ...sending }: Sending = {},
): Promise<Answer> {
  const { headers, message } = rpcRequest(version, { id: ID, method, ...(params && { params }) });
  const { id: _, ...notification } = message as { id: number };
  const answer = await ask(plan, {
    ...sending,
    body: JSON.stringify(method.startsWith('notifications/') ? notification : message),
    headers: {
      ...headers,
      ...(withToken && plan.token !== undefined && { authorization: `Bearer ${plan.token}` }),
      ...sending.headers,
    },
  });
  const reply = rpcReplies(answer).find(
    ({ id, method: of }) => of === undefined && (id === ID || id === undefined || id === null),
  );
  return { ...answer, ...(reply && { reply }) };
}

/** One request to the gate, or to another address that belongs to it. */
export async function ask(plan: VisitPlan, request: Partial<HttpAsk>): Promise<HttpAnswer> {
  const headers = Object.entries(request.headers ?? {}).filter(([, value]) => value !== '');
  const answer = await exchange({
    url: plan.url,
    timeoutMs: plan.timeoutMs,
    signal: plan.signal,
    ...request,
    headers: Object.fromEntries(headers),
  });
  if (answer.status === 429) throw new TooManyRequests();
  // A server may send the token back. Hidden here, before anything of the answer is shortened and shown.
  return plan.token === undefined ? answer : cleaned(answer, hiding(plan.token));
}

/** A limit of requests: whatever is asked from now on, its answer says nothing of what was asked. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
}

/** An answer in a few words: its status, and what it says. */
export function inWords({ status, text, reply, headers }: HttpAnswer & Pick<Answer, 'reply'>): string {
  const said = reply === undefined ? text : (reply.error?.message ?? failureOf(reply.result));
  const kind = headers['content-type']?.split(';')[0] ?? 'no content';
  const code = reply?.error === undefined ? '' : ` and ${reply.error.code}`;
  return said === '' ? `${status}` : `${status}${code}, ${quoted(kind, 60)}: ${quoted(said, 120)}`;
}

/** What a tool says of its failure. */
function failureOf(result: RpcReply['result']): string {
  return result?.['isError'] === true ? JSON.stringify(result['content'] ?? '') : '';
}

/** Whether an answer says that a token is wanted. */
export const asksForToken = ({ status }: Pick<HttpAnswer, 'status'>): boolean => status === 401;
