/**
 * Where lines go: a stream of Node, of which it is known when it has taken one and when nobody reads it any more.
 */
import type { Writable } from 'node:stream';
import type { Awaitable } from '../awaitable.js';

/**
 * Takes one whole line, its newline included. The next one waits for the promise, if there is one; when it rejects, or when
 * this throws, no more lines come.
 */
export interface McpLineSink {
  (line: string): Awaitable<void>;
  /** How many bytes were taken so far, where that is known in the middle of a line: who takes a long one slowly has not left. */
  readonly taken?: () => number;
}

/**
 * Lines into a stream, one write each. Nothing is handed to the stream before it has taken the line before, so that with a
 * slow reader nothing piles up in it.
 */
export function mcpLineSink(stream: Writable): McpLineSink {
  stream.on('error', () => undefined); // each line hears of it
  return (line) => written((done) => stream.write(line, 'utf8', done));
}

/** What goes in one write: characters of a short line, bytes of a long one. */
const PIECE = 64 * 1024;

/**
 * The same for a stream that nobody else writes to: a long line goes in pieces, each counted once it was taken.
 *
 * @param write writes to the stream
 */
export function mcpPieceSink(
  stream: Writable,
  write: (piece: string | Buffer, done: WriteDone) => unknown,
): McpLineSink {
  stream.on('error', () => undefined);
  let taken = 0;
  async function put(piece: string | Buffer): Promise<void> {
    await written((done) => write(piece, done));
    taken += piece.length;
  }
  async function putAll(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE) await put(bytes.subarray(at, at + PIECE));
  }
  const sink = (line: string) => (line.length <= PIECE ? put(line) : putAll(Buffer.from(line)));
  return Object.assign(sink, { taken: () => taken });
}

function written(write: (done: WriteDone) => unknown): Promise<void> {
  return new Promise((resolve, reject) => void write((error) => (error ? reject(error) : resolve())));
}

type WriteDone = (error?: Error | null) => void;

const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Whether a sink failed because its reader has left, as readers do. */
export function isGone(error: unknown): boolean {
  return GONE.has(String((error as { code?: unknown } | undefined)?.code));
}
