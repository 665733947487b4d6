#!/usr/bin/env node
/**
 * The command `nestjs-mcp-gate`, as a process.
 */
import { homedir } from 'node:os';
import { endProcess, LAST_WORDS_MS } from '../stdio/end-process.js';
import { runCommandLine } from './command-line.js';
import { terminalOf } from './terminal.js';

const streams = [process.stdout, process.stderr];
let interruption: AbortController | undefined;
let patienceMs: number | undefined;

/** Whoever reads may stop reading: `nestjs-mcp-gate doctor … | head`. */
function leave(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  throw error;
}

for (const stream of streams) stream.on('error', leave);

const code = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  cwd: process.cwd(),
  home: homedir(),
  terminal: terminalOf(process.stdout, process.stderr),
  /** Caught once, for a command that listens: a second Ctrl-C ends the process wherever it is. */
  get interrupted() {
    if (interruption === undefined) {
      const controller = (interruption = new AbortController());
      process.once('SIGINT', () => controller.abort(new Error('Interrupted.')));
    }
    return interruption.signal;
  },
  takeProcess() {
    for (const stream of streams) stream.off('error', leave);
    patienceMs = LAST_WORDS_MS;
    return process;
  },
});

// Not by itself: an application that a command has started may hold on to sockets and timers.
await endProcess(code, process, patienceMs);
