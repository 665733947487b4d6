/**
 * Where lines go: a stream of Node, of which it is known when it has taken one and when nobody reads it any more.
 */
import type { Writable } from 'node:stream';
import type { Awaitable } from '../awaitable.js';

/**
 * Takes one whole line, its newline included. The next one waits for the promise, if there is one; when it rejects, or when
 * this throws, no more lines come.
 */
export type McpLineSink = (line: string) => Awaitable<void>;

/**
 * Lines into a stream, one write each. Nothing is handed to the stream before it has taken the line before, so that with a
 * slow reader nothing piles up in it.
 *
 * @param write writes to it. @default its own `write`
 */
export function mcpLineSink(
  stream: Writable,
  write = (line: string, done: WriteDone): unknown => stream.write(line, 'utf8', done),
): McpLineSink {
  stream.on('error', () => undefined); // each line hears of it
  return (line) => new Promise((resolve, reject) => void write(line, (error) => (error ? reject(error) : resolve())));
}

type WriteDone = (error?: Error | null) => void;

const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Whether a sink failed because its reader has left, as readers do. */
export function isGone(error: unknown): boolean {
  return GONE.has(String((error as { code?: unknown } | undefined)?.code));
}
