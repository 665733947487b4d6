/**
 * A gate served over two streams: each line that comes in is asked, each answer is a line that goes out (S1; 2026-07-28,
 * stdio). The streams may be those of the process or of any socket.
 */
import type { Readable } from 'node:stream';
import type { McpGate } from '../gate/gate.js';
import type { McpStdioConversation, McpStdioEnding } from '../gate/stdio-conversation.js';
import { isGone, type McpLineSink } from './line-sink.js';
import { McpLineWriter } from './line-writer.js';
import { onceStalled } from './patience.js';
import { McpUnaskedLines } from './unasked-lines.js';

/** What a client is heard and answered by. */
export interface McpStdioStreams {
  /** Where its lines come from. While answers are not taken, no more is read than tells of its end: some megabytes. */
  readonly input: Readable;
  /** Takes one answer, a whole line with its newline. See `mcpLineSink` for a stream of Node. */
  readonly write: McpLineSink;
  /** Ends the conversation from this side, as a shutdown: running calls are aborted, and told so. */
  readonly signal?: AbortSignal;
  /** Makes what guards and tools see in place of an HTTP request, for each line anew. @default nothing */
  readonly request?: () => unknown;
}

/** Characters that may wait to be written before no more is asked. */
const MAX_WAITING = 1024 * 1024;
/** Bytes of input that may wait to be asked before no more is read. */
const MAX_UNASKED = 4 * 1024 * 1024;
const LINES_A_TURN = 16;
/** Milliseconds after the end in which something of what is owed must be taken. */
const PATIENCE_MS = 5_000;

/**
 * Serves one client: the LOCAL OPERATOR, who is asked for no token and has no tool that waits for one (S3).
 *
 * Fulfilled once the input has ended (running calls are then aborted) or `signal` has aborted, and all that was owed is
 * written. A client that leaves is not waited for: not when nobody reads the answers any more, nor when it has taken nothing
 * of them for some five seconds after the end.
 *
 * @throws Error (as a rejection) for a gate that is not enabled, and what `write` fails with when it is not that the client
 * has gone.
 */
export function serveMcpStdio(gate: McpGate, streams: McpStdioStreams): Promise<void> {
  return new Promise((resolve, reject) => new StdioService(gate, streams, resolve, reject).start());
}

class StdioService {
  private readonly unasked: McpUnaskedLines;
  private readonly writer: McpLineWriter;
  private readonly conversation: McpStdioConversation;
  /** Another turn of asking will come by itself. */
  private waits = false;
  private left = false;
  private over = false;
  private callOff: (() => void) | undefined;

  constructor(
    gate: McpGate,
    private readonly streams: McpStdioStreams,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    const { write, request } = streams;
    this.unasked = new McpUnaskedLines(gate.settings.bodyLimit, MAX_UNASKED);
    this.writer = new McpLineWriter(write, MAX_WAITING, (error) => this.fail(error));
    this.conversation = gate.respondStdio({
      send: (answer, about) => this.writer.send(answer, about),
      notify: (message, about) => this.writer.notify(message, about),
      forget: (about) => this.writer.forget(about),
      ...(request && { request }),
    });
  }

  start(): void {
    const { input, signal } = this.streams;
    input.on('data', this.take);
    for (const event of ENDS) input.once(event, this.leave);
    signal?.addEventListener('abort', this.stop);
    if (signal?.aborted === true) this.stop();
    else if (input.readableEnded || input.destroyed) this.leave();
  }

  private readonly take = (chunk: Buffer | string): void => {
    this.unasked.put(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    if (this.waits) this.readOn();
    else this.ask();
  };

  /**
   * Asks line by line, and waits, in the middle of a chunk too, while too much is still to be written. After some lines the
   * answers that are ready have a turn: they count before there are more of them.
   */
  private ask(): void {
    this.waits = false;
    for (let asked = 0; !this.over; asked += 1) {
      this.waits = this.writer.isFull || asked === LINES_A_TURN;
      const line = this.waits ? undefined : this.unasked.next();
      if (line === undefined) break;
      this.conversation.take(line);
    }
    if (this.over) return;
    if (this.waits) setImmediate(() => this.writer.whenRoom(() => this.ask()));
    else if (this.left) return this.leaveAtLast();
    this.readOn();
  }

  /** Reads also while nothing is asked, as far as there is room: or the end would not be heard. */
  private readOn(): void {
    const { input } = this.streams;
    if (this.unasked.isFull) input.pause();
    else input.resume();
  }

  /** There is no more input. What came before is asked first. */
  private readonly leave = (): void => {
    if (this.left || this.over) return;
    this.left = true;
    this.hurry();
    if (!this.waits) this.leaveAtLast();
  };

  private leaveAtLast(): void {
    const last = this.unasked.end();
    if (last !== undefined) this.conversation.take(last);
    this.end('disconnected');
  }

  private readonly stop = (): void => this.end('shutdown');

  private end(ending: McpStdioEnding): void {
    if (!this.close()) return;
    this.hurry();
    void this.conversation.end(ending).then(() => this.writer.whenFlushed(() => this.finish()));
  }

  /** From now on nobody is waited for who does nothing. */
  private hurry(): void {
    this.callOff ??= onceStalled(
      () => this.writer.taken,
      PATIENCE_MS,
      () => this.giveUp(),
    );
  }

  private giveUp(): void {
    this.close();
    this.writer.close();
    void this.conversation.end('disconnected');
    this.finish();
  }

  private fail(error: unknown): void {
    this.close();
    void this.conversation.end('disconnected');
    this.callOff?.();
    if (isGone(error)) this.resolve();
    else this.reject(error);
  }

  private finish(): void {
    this.callOff?.();
    this.resolve();
  }

  /** Reads no more. `false` when that was so before. */
  private close(): boolean {
    if (this.over) return false;
    this.over = true;
    const { input, signal } = this.streams;
    input.off('data', this.take);
    input.pause();
    signal?.removeEventListener('abort', this.stop);
    return true;
  }
}

/** A client that was killed resets its end, which is an error of ours only in name. */
const ENDS = ['end', 'close', 'error'];
