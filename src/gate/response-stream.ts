/**
 * The way back: one answer, as JSON while nothing must be said before it, as an SSE stream from the first notification
 * on (G6; 2026-07-28, Streamable HTTP, receiving messages).
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { McpAnswer } from '../protocol/context.js';
import type { JsonRpcNotification } from '../protocol/messages.js';
import { messageText } from '../protocol/wire-text.js';
import type { McpClock } from '../runs/clock.js';

/** What a response stream is made of. */
export interface McpResponseStreamOptions {
  readonly res: ServerResponse;
  /** Headers to send along with ours. */
  readonly headers?: OutgoingHttpHeaders;
  /** The `Accept` header of the request. */
  readonly accept: string | undefined;
  /** Milliseconds of silence after which the stream opens. */
  readonly graceMs: number;
  /** Milliseconds between two comments on an open stream. */
  readonly heartbeatMs: number;
  readonly clock: McpClock;
}

/** Sends one answer and what comes before it. After `finish`, or once the client has gone, everything is dropped. */
export interface McpResponseStream {
  /** The answer may take long: after the grace delay the stream opens, so that no proxy takes it for dead. */
  expectDelay(): void;
  /** Sends a notification if the client takes a stream. A slow reader gets only the newest of each progress token. */
  notify(message: JsonRpcNotification): void;
  /** Sends the answer and ends the response. `extra` headers go with an answer that is not a stream. */
  finish(answer: McpAnswer, extra?: OutgoingHttpHeaders): void;
}

/** `no-transform` keeps a compression middleware from holding events back. */
const NO_STORE = { 'Cache-Control': 'no-store, no-transform' };

/** The way back for one request. */
export function createMcpResponseStream(options: McpResponseStreamOptions): McpResponseStream {
  return new ResponseStream(options);
}

class ResponseStream implements McpResponseStream {
  private readonly takes: Taken;
  /** What a slow reader has not had yet, by the token of its progress. */
  private waiting: Map<unknown, string> | undefined;
  private cancelTimer: (() => void) | undefined;
  private open = false;
  private over = false;

  constructor(private readonly options: McpResponseStreamOptions) {
    this.takes = readAccept(options.accept);
  }

  expectDelay(): void {
    if (!this.takes.stream || this.open || this.over || this.cancelTimer !== undefined) return;
    const { clock, graceMs } = this.options;
    this.cancelTimer = clock.after(graceMs, () => this.openStream());
  }

  notify(message: JsonRpcNotification): void {
    const { res } = this.options;
    if (!this.takes.stream || this.over || res.destroyed) return;
    if (!this.open) this.openStream();
    if (!this.open) return;
    if (res.writableNeedDrain) (this.waiting ??= new Map()).set(message.params?.['progressToken'], sseEvent(message));
    else res.write(sseEvent(message));
  }

  finish({ status, body }: McpAnswer, extra?: OutgoingHttpHeaders): void {
    const { res, headers } = this.options;
    if (this.over) return;
    this.over = true;
    this.cancelTimer?.();
    if (res.destroyed) return;
    if (!this.open && body !== undefined && this.takes.streamOnly && status === 200) this.openStream();
    if (!this.open) return sendMcpJson(res, status, body, extra === undefined ? headers : { ...headers, ...extra });
    const held = this.waiting === undefined ? '' : [...this.waiting.values()].join('');
    this.waiting = undefined;
    res.end(body === undefined ? held : held + sseEvent(body));
    this.cancelTimer?.();
  }

  private openStream(): void {
    const { res, headers } = this.options;
    if (res.destroyed || res.headersSent) return; // somebody else answers already: a middleware that lost its patience
    this.open = true;
    this.cancelTimer?.();
    const ours = { ...NO_STORE, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    res.writeHead(200, alongside(headers, ours));
    res.flushHeaders();
    res.on('drain', () => this.flushWaiting());
    res.on('close', () => {
      this.over = true;
      this.cancelTimer?.();
      this.waiting = undefined;
    });
    this.beatLater();
  }

  private beatLater(): void {
    const { clock, heartbeatMs } = this.options;
    this.cancelTimer = clock.after(heartbeatMs, () => this.beat());
  }

  private beat(): void {
    const { res } = this.options;
    if (this.over) return;
    if (!res.writableNeedDrain) res.write(':\n\n');
    this.beatLater();
  }

  private flushWaiting(): void {
    const { res } = this.options;
    for (const [token, event] of this.waiting ?? []) {
      if (res.writableNeedDrain) return;
      this.waiting?.delete(token);
      res.write(event);
    }
  }
}

/** Sends a whole response: JSON, or nothing but a status. */
export function sendMcpJson(res: ServerResponse, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  if (body === undefined) {
    const ours = { ...NO_STORE, ...(status !== 204 && { 'Content-Length': 0 }) };
    res.writeHead(status, alongside(headers, ours)).end();
    return;
  }
  const text = messageText(body);
  const ours = {
    'Cache-Control': NO_STORE['Cache-Control'],
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  };
  res.writeHead(status, alongside(headers, ours));
  res.end(text); // as text: Node sends it in one piece with the headers
}

/** They say how a body is sent, and the body is ours. */
const FRAMING = ['content-length', 'content-encoding', 'transfer-encoding'];

/** The host's headers with ours, which win whatever the case of a name: one that is sent twice spoils the response. */
function alongside(given: OutgoingHttpHeaders | undefined, ours: OutgoingHttpHeaders): OutgoingHttpHeaders {
  if (given === undefined || isEmpty(given)) return ours;
  const taken = new Set([...FRAMING, ...Object.keys(ours).map((name) => name.toLowerCase())]);
  const kept = Object.entries(given).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ours };
}

function isEmpty(headers: OutgoingHttpHeaders): boolean {
  for (const _ in headers) return false;
  return true;
}

function sseEvent(message: unknown): string {
  return `event: message\ndata: ${messageText(message)}\n\n`;
}

/** What a client takes. */
interface Taken {
  readonly stream: boolean;
  readonly streamOnly: boolean;
}

/** What the official clients say. */
const USUAL_ACCEPT = 'application/json, text/event-stream';
const USUAL: Taken = { stream: true, streamOnly: false };

/** Whether the client takes a stream: it must say so, a bare `*` is a client that knows nothing of MCP. */
function readAccept(accept: string | undefined): Taken {
  if (accept === USUAL_ACCEPT) return USUAL;
  const ranges = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.trim())
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';')[0]!.trim());
  const stream = ranges.includes('text/event-stream');
  const json = ranges.some((range) => range === 'application/json' || range === '*/*' || range === 'application/*');
  return { stream, streamOnly: stream && !json };
}
