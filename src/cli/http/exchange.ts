/**
 * One HTTP exchange, told in full. Over Node's own client: unlike fetch it shows redirects, every header as it came and
 * when each piece arrived, lets a probe write any header, and never gives up on a silent stream by itself.
 */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** What is sent. */
export interface HttpAsk {
  readonly url: string;
  /** @default 'POST' */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds until the whole answer must be there. */
  readonly timeoutMs?: number;
  /** Hangs up. */
  readonly signal?: AbortSignal;
  /**
   * Hears of the answer's status and headers before its body. What it gives hears each piece of the body, however long that is;
   * the answer then holds no more than how it began.
   */
  readonly onHead?: (head: HttpHead) => ((text: string) => void) | undefined;
}

/** How an answer begins. */
export interface HttpHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
}

/** An answer. Times are milliseconds since the request began. */
export interface HttpAnswer extends HttpHead {
  readonly text: string;
  readonly headMs: number;
  readonly endMs: number;
  /** The body in the pieces in which it came. */
  readonly pieces: readonly { readonly at: number; readonly text: string }[];
  /**
   * `cut`: the other side closed before the body was complete. `left`: we hung up, or it took too long. `too-long`: it goes on
   * behind what is read of an answer.
   */
  readonly ending: 'complete' | 'cut' | 'left' | 'too-long';
}

/** Characters that are read of an answer. */
const MOST_READ = 64 * 1024 * 1024;
/** Characters that are kept of an answer to which somebody listens. */
const MOST_KEPT = 64 * 1024;
/** What a piece costs beside its text, about: an answer may come letter by letter. */
const PIECE_COST = 128;

/** There was no answer. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';

  constructor(
    /** Node's code, such as `ECONNREFUSED`; `TIMEOUT` when nothing came in time. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Sends one request on a connection of its own.
 *
 * @throws HttpFailure when there is no answer, and the signal's reason when it aborts before there is one.
 */
export async function exchange(ask: HttpAsk): Promise<HttpAnswer> {
  const started = performance.now();
  const since = () => performance.now() - started;
  const leaving = new AbortController();
  const timer = ask.timeoutMs === undefined ? undefined : setTimeout(() => leaving.abort(TIMED_OUT), ask.timeoutMs);
  const leave = () => leaving.abort(ask.signal?.reason);
  ask.signal?.throwIfAborted();
  ask.signal?.addEventListener('abort', leave);
  try {
    const response = await answerTo(ask, leaving.signal);
    const head = { status: response.statusCode ?? 0, headers: response.headers, rawHeaders: response.rawHeaders };
    const headMs = since();
    const listen = ask.onHead?.(head);
    const pieces: { at: number; text: string }[] = [];
    const decoder = new TextDecoder();
    let size = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        const text = decoder.decode(chunk, { stream: true });
        size += text.length + PIECE_COST;
        if (listen === undefined || size <= MOST_KEPT) pieces.push({ at: since(), text });
        if (listen !== undefined) listen(text);
        else if (size > MOST_READ) break;
      }
    } catch {
      // How it ended is asked below.
    }
    const isTooLong = listen === undefined && size > MOST_READ;
    const ending = isTooLong ? 'too-long' : response.complete ? 'complete' : leaving.signal.aborted ? 'left' : 'cut';
    const text = pieces.map((piece) => piece.text).join('');
    return { ...head, text, headMs, endMs: since(), pieces, ending };
  } finally {
    clearTimeout(timer);
    ask.signal?.removeEventListener('abort', leave);
  }
}

const TIMED_OUT = new HttpFailure('TIMEOUT', 'no answer came in time');

function answerTo(ask: HttpAsk, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(ask.url);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = ask.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(ask.body)) };
    // A name in `host` that is a probe's own must not become the name that TLS asks for.
    const options = { method: ask.method ?? 'POST', agent: false, servername: serverName(url), signal } as const;
    // As clients do: a server that may close at once need not read the rest of what it refuses.
    const headers = { connection: 'keep-alive', ...length, ...ask.headers };
    const request = send(url, { ...options, headers }, resolve);
    // Once an answer has begun, what goes wrong in sending the rest is no news: who refuses a body need not read it.
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new HttpFailure(error.code ?? 'UNKNOWN', error.message, { cause: error }),
      ),
    );
    // Aborted after its last byte, an exchange has nobody left who hears of the socket's error.
    request.on('socket', (socket) => socket.on('error', () => undefined));
    request.end(ask.body);
  });
}

/** An address has no name to ask for (RFC 6066, section 3). */
function serverName({ hostname }: URL): string {
  return /^\[|^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? '' : hostname;
}
