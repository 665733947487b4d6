/**
 * Standard output kept for the protocol alone (S2). Whatever else is printed, by the console, by a logger of any make or by
 * hand, goes to standard error.
 */
import { syncBuiltinESMExports } from 'node:module';
import type { Writable } from 'node:stream';
import { mcpPieceSink, type McpLineSink } from './line-sink.js';

/** The part of a process that prints. */
export interface PrintingProcess {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Takes standard output for the lines of the protocol, and makes `process.stdout` be standard error, for good.
 *
 * Does NOT reach what writes to descriptor 1 past `process.stdout`: child processes that inherit it, worker threads that open
 * it themselves, `fs.writeSync(1, …)`.
 */
export function claimStandardOutput(process: PrintingProcess): McpLineSink {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const sink = mcpPieceSink(stdout, (piece, done) => write(piece, 'utf8', done));
  stderr.on('error', () => undefined); // a client may close it and go on: what is said there is for nobody then
  // For who holds the stream already, as the console does once it was used.
  stdout.write = stderr.write.bind(stderr);
  stdout.end = () => stdout;
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => stderr });
  syncBuiltinESMExports();
  return sink;
}
