/**
 * `stdio`: an application as the server of whoever starts the command, over its standard input and output (S1, N2).
 */
import type { Command } from 'commander';
import { claimStandardOutput } from '../stdio/standard-output.js';
import { McpCommandEnd } from './ending.js';
import { loadModule } from './load-module.js';
import type { McpCommandSurroundings } from './surroundings.js';

/** Adds the command to the program. */
export function addStdioCommand(program: Command, { cwd, takeProcess, err }: McpCommandSurroundings): void {
  program
    .command('stdio')
    .description('Serves a gate to the client that starts this command, over standard input and output. Opens no port.')
    .argument('<module file>', "the built file of the application's root module, such as dist/app.module.js")
    .option('--gate <name>', 'which gate, when the application has several')
    .addHelpText(
      'after',
      `
Nothing but the protocol is on standard output; what the application prints is on standard error. The caller is the local
operator: tools that need a token are not there. Ends when the client closes its end.

Examples:
  $ nestjs-mcp-gate stdio dist/app.module.js --gate shop
  $ nestjs-mcp-gate config --stdio dist/app.module.js     writes that into the file of a client`,
    )
    .action(async (file: string, options: { readonly gate?: string }) => {
      const process = takeProcess();
      const write = claimStandardOutput(process); // before anything of the application can print
      if (process.stdin.isTTY) err('This command is started by a client and waits for its messages. Ctrl-C ends it.\n');
      const module = await loadModule(file, cwd);
      const { serveApplication } = await import('../nest/stdio.js');
      const code = await serveApplication(module, options, process, write);
      if (code !== 0) throw new McpCommandEnd(code);
    });
}
