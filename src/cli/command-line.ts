/**
 * The command line, without a process around it: words in, text and an exit code out.
 */
import { Command, CommanderError } from 'commander';
import { addCallCommand } from './call.command.js';
import { addCatalogueCommand } from './catalogue.command.js';
import { addConfigCommand } from './config.command.js';
import { addDoctorCommand } from './doctor.command.js';
import { EXIT_FAULT, McpCommandEnd } from './ending.js';
import { addStdioCommand } from './stdio.command.js';
import type { McpCommandSurroundings } from './surroundings.js';
import { addTokenCommand } from './token.command.js';
import { VERSION } from './version.js';

export type { McpCommandSurroundings };

/** In the order of the help. What a command needs to do its work it loads when it is called. */
const COMMANDS: readonly ((program: Command, surroundings: McpCommandSurroundings) => void)[] = [
  addCatalogueCommand,
  addCallCommand,
  addConfigCommand,
  addDoctorCommand,
  addStdioCommand,
  addTokenCommand,
];

/**
 * Runs one command. Gives the exit code: 0, 1 when it failed, found a fault or was not understood, 130 when the user
 * interrupted it. Never throws.
 */
export async function runCommandLine(words: readonly string[], surroundings: McpCommandSurroundings): Promise<number> {
  const { out, err, terminal } = surroundings;
  const program = new Command('nestjs-mcp-gate')
    .description('Tools for the gates of a NestJS application.')
    .version(VERSION, '-V, --version', 'prints the version of this package')
    .configureOutput({
      writeOut: out,
      writeErr: err,
      // What follows the equals sign of a word that is no option may be a secret.
      outputError: (text, write) => write(text.replace(/(unknown option '[^'=]*)=.*'/s, "$1'")),
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .showHelpAfterError('(--help says how it is used)')
    .addHelpText(
      'after',
      '\nExit codes: 0 all is well, 1 it failed, found a fault or was not understood, 130 interrupted.',
    )
    .exitOverride();
  for (const add of COMMANDS) add(program, surroundings);
  try {
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError || error instanceof McpCommandEnd) return error.exitCode; // it has said its piece
    // The messages of our own errors are written for people and never hold a key or a token.
    err(`${error instanceof Error ? error.message : 'The command failed.'}\n`);
    return EXIT_FAULT;
  }
}
