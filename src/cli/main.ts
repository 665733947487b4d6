#!/usr/bin/env node
/**
 * The command `nestjs-mcp-gate`, as a process.
 */
import { homedir } from 'node:os';
import { runCommandLine } from './command-line.js';

const DEFAULT_COLUMNS = 100;
let interruption: AbortController | undefined;

// Whoever reads may stop reading: `nestjs-mcp-gate doctor … | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  cwd: process.cwd(),
  home: homedir(),
  terminal: {
    out: process.stdout.isTTY,
    err: process.stderr.isTTY,
    columns: process.stdout.columns ?? DEFAULT_COLUMNS,
  },
  /** Caught once, for a command that listens: a second Ctrl-C ends the process wherever it is. */
  get interrupted() {
    if (interruption === undefined) {
      const controller = (interruption = new AbortController());
      process.once('SIGINT', () => controller.abort(new Error('Interrupted.')));
    }
    return interruption.signal;
  },
});
