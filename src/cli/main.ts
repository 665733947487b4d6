#!/usr/bin/env node
/**
 * The command `nestjs-mcp-gate`, as a process.
 */
import { runCommandLine } from './command-line.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
