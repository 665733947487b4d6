/**
 * A gate served over two streams: each line that comes in is asked, each answer is a line that goes out (S1; 2026-07-28,
 * stdio). The streams may be those of the process or of any socket.
 */
import type { Readable } from 'node:stream';
import type { McpGate } from '../gate/gate.js';
import type { McpStdioConversation, McpStdioEnding } from '../gate/stdio-conversation.js';
import { McpLineReader, type McpInputLine } from './line-reader.js';
import { isGone, type McpLineSink } from './line-sink.js';
import { McpLineWriter } from './line-writer.js';

/** What a client is heard and answered by. */
export interface McpStdioStreams {
  /** Where its lines come from. Read no faster than answers are taken. */
  readonly input: Readable;
  /** Takes one answer, a whole line with its newline. See `mcpLineSink` for a stream of Node. */
  readonly write: McpLineSink;
  /** Ends the conversation from this side, as a shutdown: running calls are aborted, and told so. */
  readonly signal?: AbortSignal;
  /** Makes what guards and tools see in place of an HTTP request, for each line anew. @default nothing */
  readonly request?: () => unknown;
}

/** Characters that may wait to be written before no more is read. */
const MAX_WAITING = 1024 * 1024;
const LINES_A_TURN = 16;

/**
 * Serves one client: the LOCAL OPERATOR, who is asked for no token and has no tool that waits for one (S3).
 *
 * Fulfilled once the input has ended (running calls are then aborted) or `signal` has aborted, and all that was owed is
 * written; or as soon as nobody reads the answers any more.
 *
 * @throws Error (as a rejection) for a gate that is not enabled, and what `write` fails with when it is not that the client
 * has gone.
 */
export function serveMcpStdio(gate: McpGate, streams: McpStdioStreams): Promise<void> {
  return new Promise((resolve, reject) => new StdioService(gate, streams, resolve, reject).start());
}

class StdioService {
  private readonly reader: McpLineReader;
  private readonly writer: McpLineWriter;
  private readonly conversation: McpStdioConversation;
  /** What is left of the chunk that came last. */
  private lines: Iterator<McpInputLine> | undefined;
  private left = false;
  private over = false;

  constructor(
    gate: McpGate,
    private readonly streams: McpStdioStreams,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    const { write, request } = streams;
    this.reader = new McpLineReader(gate.settings.bodyLimit);
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
    this.lines = this.reader.read(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    this.ask();
  };

  /**
   * Asks line by line, and waits, in the middle of a chunk too, while too much is still to be written. After some lines the
   * answers that are ready have a turn: they count before there are more of them.
   */
  private ask(): void {
    const { input } = this.streams;
    for (let asked = 0; !this.over; asked += 1) {
      if (this.writer.isFull || asked === LINES_A_TURN) {
        input.pause();
        setImmediate(() => this.writer.whenRoom(() => this.ask()));
        return;
      }
      const line = this.lines?.next();
      if (line === undefined || line.done === true) break;
      this.conversation.take(line.value);
    }
    this.lines = undefined;
    if (this.left) this.leave();
    else if (!this.over) input.resume();
  }

  /** There is no more input. A socket says so also while it is paused: what came before it is asked first. */
  private readonly leave = (): void => {
    this.left = true;
    if (this.lines !== undefined || this.over) return;
    const last = this.reader.end();
    if (last !== undefined) this.conversation.take(last);
    this.end('disconnected');
  };

  private readonly stop = (): void => this.end('shutdown');

  private end(ending: McpStdioEnding): void {
    if (!this.close()) return;
    void this.conversation.end(ending).then(() => this.writer.whenFlushed(this.resolve));
  }

  private fail(error: unknown): void {
    this.close();
    void this.conversation.end('disconnected');
    if (isGone(error)) this.resolve();
    else this.reject(error);
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
