/**
 * The command line, without a process around it: words in, text and an exit code out.
 */
import { Command, CommanderError } from 'commander';
import { addTokenCommand } from './token.command.js';

/** What a command may know and write to. */
export interface McpCommandSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output: results alone. */
  readonly out: (text: string) => void;
  /** Standard error: everything meant for a person. */
  readonly err: (text: string) => void;
}

/** Runs one command. Gives the exit code: 0, or 1 when it failed or was not understood. Never throws. */
export async function runCommandLine(words: readonly string[], surroundings: McpCommandSurroundings): Promise<number> {
  const { out, err } = surroundings;
  const program = new Command('nestjs-mcp-gate')
    .description('Tools for the gates of a NestJS application.')
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError('(--help says how it is used)')
    .exitOverride();
  addTokenCommand(program, surroundings);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // it has said its piece
    // The messages of our own errors are written for people and never hold a key or a token.
    err(`${error instanceof Error ? error.message : 'The command failed.'}\n`);
    return 1;
  }
}
