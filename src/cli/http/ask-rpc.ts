/**
 * One request and its reply, whether that comes as JSON or at the end of a stream.
 */
import { cleaned } from './cleaned.js';
import { exchange, type HttpAnswer } from './exchange.js';
import { isStream, parseReply, rpcReplies, type RpcReply } from './rpc.js';
import { sseReader } from './sse.js';

/** An answer, and the reply in it. */
export interface RpcAnswer extends HttpAnswer {
  readonly reply?: RpcReply;
}

/** What is sent, and who listens. */
export interface RpcAsk {
  readonly url: string;
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
  /** Hears of what comes before the reply. */
  readonly onNotice?: (notice: RpcReply) => void;
  /** Takes out of what came whatever must not be shown, before anything of it is read or cut. */
  readonly clean: (text: string) => string;
  /** Hangs up. */
  readonly signal: AbortSignal;
  /** Milliseconds until the whole answer must be there. @default no limit */
  readonly timeoutMs?: number;
}

/**
 * The answer, as far as it is needed: a stream is left once the reply has come.
 *
 * @throws HttpFailure when there is no answer, the signal's reason when it aborts.
 */
export async function askRpc(ask: RpcAsk): Promise<RpcAnswer> {
  const { url, id, headers, message, onNotice, clean, signal, timeoutMs } = ask;
  const leaving = new AbortController();
  let reply: RpcReply | undefined;
  let isTooLong = false;
  function take(came: RpcReply): void {
    if (came.method !== undefined) return onNotice?.(came);
    if (came.id !== id && came.id !== undefined && came.id !== null) return;
    reply = came;
    leaving.abort(new Error('The reply has come.'));
  }
  function read(): (text: string) => void {
    return sseReader(
      (data) => {
        const said = parseReply(clean(data));
        if (said !== undefined) take(said);
      },
      () => {
        isTooLong = true;
        leaving.abort(new Error('An event of the stream does not end.'));
      },
    );
  }
  const came = await exchange({
    url,
    headers,
    body: JSON.stringify(message),
    signal: AbortSignal.any([signal, leaving.signal]),
    ...(timeoutMs !== undefined && { timeoutMs }),
    onHead: (head) => (isStream(head.headers) ? read() : undefined),
  });
  signal.throwIfAborted();
  const answer = cleaned(isTooLong ? { ...came, ending: 'too-long' } : came, clean);
  if (!isStream(answer.headers)) rpcReplies(answer).forEach(take);
  return { ...answer, ...(reply && { reply }) };
}
