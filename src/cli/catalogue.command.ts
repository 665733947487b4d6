/**
 * `catalogue`: the tools of an application as a caller would find them, with the reason that hides each of the others, what
 * they cost in tokens, and what is to be mended (N2).
 */
import type { Command } from 'commander';
import { addCallerOptions, callerOf, checkCallerOptions, type CallerOptions } from './caller-options.js';
import { EXIT_FAULT, EXIT_INTERRUPTED, McpCommandEnd } from './ending.js';
import { unlessInterrupted } from './interruption.js';
import { jsonText, paintFor } from './paint.js';
import { tokenFrom, withoutToken } from './secret-token.js';
import type { McpCommandSurroundings } from './surroundings.js';

interface CatalogueOptions extends CallerOptions {
  readonly gate?: string;
  readonly portability: boolean;
  readonly json?: true;
}

/** Adds the command to the program. */
export function addCatalogueCommand(program: Command, surroundings: McpCommandSurroundings): void {
  addCallerOptions(
    program
      .command('catalogue')
      .description('Prints the tools that a caller finds, why the others are hidden, their sizes, and what to mend.')
      .argument('<module file>', "the file of the application's root module, such as dist/app.module.js")
      .option('--gate <name>', "the gate's name (default: the only one that is enabled)"),
  )
    .option('--no-portability', 'leaves out what clients and vendors are known to mishandle')
    .option('--json', 'prints it as JSON')
    .addHelpText(
      'after',
      `
Without --as and --token-env: as a stranger. The application is started without a port and closed again; guards of tools
run, tools do not. Exits with 1 when a check finds something or a declaration was discarded.

Examples:
  $ nestjs-mcp-gate catalogue dist/app.module.js
  $ nestjs-mcp-gate catalogue dist/app.module.js --gate shop-account --as shop:read,shop:billing
  $ nestjs-mcp-gate catalogue dist/app.module.js --token-env SHOP_TOKEN --json`,
    )
    .action((file: string, options: CatalogueOptions) => printCatalogue(file, options, surroundings));
}

async function printCatalogue(file: string, options: CatalogueOptions, given: McpCommandSurroundings): Promise<void> {
  checkCallerOptions(options);
  const token = options.tokenEnv === undefined ? undefined : tokenFrom(options.tokenEnv, given);
  const surroundings = withoutToken(given, token);
  const { interrupted } = surroundings;
  try {
    const { withApplication } = await import('./application.js');
    const { gateUnderTest } = await import('../testing/gate-under-test.js');
    const { readCatalogue } = await import('./catalogue/read-catalogue.js');
    const { catalogueInWords } = await import('./catalogue/report.js');
    const report = await withApplication(file, surroundings, async (app, own) => {
      const gate = gateUnderTest(app, options.gate);
      const caller = await callerOf(options, token, gate.settings, own);
      const read = await unlessInterrupted(interrupted, readCatalogue(app, gate, caller, options));
      own.out(
        options.json === true ? jsonText(read) : catalogueInWords(read, paintFor(own, 'out'), own.terminal.columns),
      );
      return read;
    });
    if (!report.sound) throw new McpCommandEnd(EXIT_FAULT);
  } catch (error) {
    throw interrupted.aborted ? new McpCommandEnd(EXIT_INTERRUPTED) : error;
  }
}
