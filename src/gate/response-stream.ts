/**
 * The way back: one answer, as JSON while nothing must be said before it, as an SSE stream from the first notification
 * on (G6; 2026-07-28, Streamable HTTP, receiving messages).
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { McpAnswer } from '../protocol/context.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../protocol/messages.js';
import { supersededUnder } from '../protocol/superseded.js';
import { messageText } from '../protocol/wire-text.js';
import type { McpClock } from '../runs/clock.js';
import { readAccept, type McpTaken } from './accept.js';
import { McpHeldEvents } from './held-events.js';
import { alongside, NO_STORE, sendMcpJson } from './json-response.js';

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
  /** Whether the client takes anything before its answer. */
  readonly takesMore: boolean;
  /** The answer may take long: after the grace delay the stream opens, so that no proxy takes it for dead. */
  expectDelay(): void;
  /** Sends a notification if the client takes a stream. A slow reader gets only the newest of each progress token. */
  notify(message: JsonRpcNotification): void;
  /** Puts a request to the client, if it takes a stream. Its response comes as a message of its own. */
  ask(message: JsonRpcRequest): void;
  /** Sends the answer and ends the response. `extra` headers go with an answer that is not a stream. */
  finish(answer: McpAnswer, extra?: OutgoingHttpHeaders): void;
}

/** The way back for one request. */
export function createMcpResponseStream(options: McpResponseStreamOptions): McpResponseStream {
  return new ResponseStream(options);
}

class ResponseStream implements McpResponseStream {
  private readonly takes: McpTaken;
  private waiting: McpHeldEvents | undefined;
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

  get takesMore(): boolean {
    return this.takes.stream;
  }

  notify(message: JsonRpcNotification): void {
    if (!this.isOpen()) return;
    if (this.isHeldUp) (this.waiting ??= new McpHeldEvents()).hold(sseEvent(message), supersededUnder(message));
    else this.options.res.write(sseEvent(message));
  }

  ask(message: JsonRpcRequest): void {
    if (!this.isOpen()) return;
    if (this.isHeldUp) (this.waiting ??= new McpHeldEvents()).keep(sseEvent(message));
    else this.options.res.write(sseEvent(message));
  }

  finish({ status, body }: McpAnswer, extra?: OutgoingHttpHeaders): void {
    const { res, headers } = this.options;
    if (this.over) return;
    this.over = true;
    this.cancelTimer?.();
    if (res.destroyed) return;
    if (!this.open && body !== undefined && this.takes.streamOnly && status === 200) this.openStream();
    if (!this.open) return sendMcpJson(res, status, body, extra === undefined ? headers : { ...headers, ...extra });
    const held = this.waiting?.rest() ?? '';
    this.waiting = undefined;
    res.end(body === undefined ? held : held + sseEvent(body));
    this.cancelTimer?.();
  }

  /** Whether a message can go out now; opens the stream for the first. */
  private isOpen(): boolean {
    if (!this.takes.stream || this.over || this.options.res.destroyed) return false;
    if (!this.open) this.openStream();
    return this.open;
  }

  private get isHeldUp(): boolean {
    return this.options.res.writableNeedDrain || this.waiting?.isEmpty === false;
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
    while (!res.writableNeedDrain) {
      const event = this.waiting?.next();
      if (event === undefined) return;
      res.write(event);
    }
  }
}

function sseEvent(message: unknown): string {
  return `event: message\ndata: ${messageText(message)}\n\n`;
}
