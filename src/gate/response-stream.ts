/**
 * The way back: one answer, as JSON while nothing must be said before it, as an SSE stream from the first notification
 * on (G6; 2026-07-28, Streamable HTTP, receiving messages).
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { McpAnswer } from '../protocol/context.js';
import type { JsonRpcNotification } from '../protocol/messages.js';
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
  const { res, clock, headers } = options;
  const takes = readAccept(options.accept);
  const waiting = new Map<unknown, string>();
  let open = false;
  let over = false;
  let cancelTimer: (() => void) | undefined;

  function openStream(): void {
    if (res.destroyed || res.headersSent) return; // somebody else answers already: a middleware that lost its patience
    open = true;
    cancelTimer?.();
    const ours = { ...NO_STORE, 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    res.writeHead(200, alongside(headers, ours));
    res.flushHeaders();
    res.on('drain', flushWaiting);
    res.on('close', () => {
      over = true;
      cancelTimer?.();
      waiting.clear();
    });
    cancelTimer = clock.after(options.heartbeatMs, beat);
  }

  function beat(): void {
    if (over) return;
    if (!res.writableNeedDrain) res.write(':\n\n');
    cancelTimer = clock.after(options.heartbeatMs, beat);
  }

  function flushWaiting(): void {
    for (const [token, event] of waiting) {
      if (res.writableNeedDrain) return;
      waiting.delete(token);
      res.write(event);
    }
  }

  return {
    expectDelay() {
      if (!takes.stream || open || over || cancelTimer !== undefined) return;
      cancelTimer = clock.after(options.graceMs, openStream);
    },
    notify(message) {
      if (!takes.stream || over || res.destroyed) return;
      if (!open) openStream();
      if (!open) return;
      if (res.writableNeedDrain) waiting.set(message.params?.['progressToken'], sseEvent(message));
      else res.write(sseEvent(message));
    },
    finish({ status, body }, extra) {
      if (over) return;
      over = true;
      cancelTimer?.();
      if (res.destroyed) return;
      if (!open && body !== undefined && takes.streamOnly && status === 200) openStream();
      if (open) {
        const last = [...waiting.values(), ...(body === undefined ? [] : [sseEvent(body)])].join('');
        waiting.clear();
        res.end(last);
        cancelTimer?.();
      } else sendMcpJson(res, status, body, extra === undefined ? headers : { ...headers, ...extra });
    },
  };
}

/** Sends a whole response: JSON, or nothing but a status. */
export function sendMcpJson(res: ServerResponse, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  if (body === undefined) {
    const ours = { ...NO_STORE, ...(status !== 204 && { 'Content-Length': 0 }) };
    res.writeHead(status, alongside(headers, ours)).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  const ours = {
    ...NO_STORE,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  };
  res.writeHead(status, alongside(headers, ours));
  res.end(bytes);
}

/** They say how a body is sent, and the body is ours. */
const FRAMING = ['content-length', 'content-encoding', 'transfer-encoding'];

/** The host's headers with ours, which win whatever the case of a name: one that is sent twice spoils the response. */
function alongside(given: OutgoingHttpHeaders | undefined, ours: OutgoingHttpHeaders): OutgoingHttpHeaders {
  if (given === undefined) return ours;
  const taken = new Set([...FRAMING, ...Object.keys(ours).map((name) => name.toLowerCase())]);
  const kept = Object.entries(given).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ours };
}

function sseEvent(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Whether the client takes a stream: it must say so, a bare `*` is a client that knows nothing of MCP. */
function readAccept(accept: string | undefined): { stream: boolean; streamOnly: boolean } {
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
