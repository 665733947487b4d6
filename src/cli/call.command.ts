/**
 * `call`: one tool called, in this process or at an address, with its progress to be seen; Ctrl-C cancels (N2).
 */
import type { Command } from 'commander';
import { readArguments } from './call/arguments.js';
import type { CallOutcome, CallRequest } from './call/outcome.js';
import { progressDisplay } from './call/progress-display.js';
import { showOutcome } from './call/show-outcome.js';
import { addCallerOptions, callerOf, checkCallerOptions, type CallerOptions } from './caller-options.js';
import { EXIT_FAULT, EXIT_INTERRUPTED, McpCommandEnd } from './ending.js';
import { readGateUrl } from './option-readers.js';
import { tokenFrom, travelsReadable, withoutToken } from './secret-token.js';
import type { McpCommandSurroundings } from './surroundings.js';

interface CallOptions extends CallerOptions {
  readonly module?: string;
  readonly gate?: string;
  readonly url?: string;
  readonly json?: true;
}

/** Adds the command to the program. */
export function addCallCommand(program: Command, surroundings: McpCommandSurroundings): void {
  addCallerOptions(
    program
      .command('call')
      .description('Calls one tool, in this process or at an address. Ctrl-C cancels the call.')
      .argument('<tool>', "the tool's name")
      .argument('[json]', 'its arguments, a JSON object; - reads them from standard input')
      .option('--module <file>', 'starts the application of this module, without a port, and calls the tool in it')
      .option('--gate <name>', "with --module: the gate's name (default: the only one that is enabled)")
      .option('--url <url>', 'calls the tool of the gate at this address', readGateUrl),
  )
    .option('--json', 'prints the whole result as JSON, or the error')
    .addHelpText(
      'after',
      `
The text of the result goes to standard output, progress and errors to standard error. Exits with 1 when the tool says that
it failed and when the gate answers with an error, with 130 when the call was cancelled.

Examples:
  $ nestjs-mcp-gate call shop_stock '{"sku":"A-001"}' --module dist/app.module.js
  $ nestjs-mcp-gate call shop_report - --module dist/app.module.js --as shop:read,shop:write < report.json
  $ nestjs-mcp-gate call shop_reindex --url https://shop.example/mcp --token-env SHOP_TOKEN`,
    )
    .action((tool: string, json: string | undefined, options: CallOptions) => call(tool, json, options, surroundings));
}

async function call(
  tool: string,
  json: string | undefined,
  options: CallOptions,
  given: McpCommandSurroundings,
): Promise<void> {
  checkWay(options);
  checkCallerOptions(options);
  const token = options.tokenEnv === undefined ? undefined : tokenFrom(options.tokenEnv, given);
  const surroundings = withoutToken(given, token);
  const { err, interrupted } = surroundings;
  const display = progressDisplay(surroundings);
  try {
    const args = await readArguments(json, surroundings);
    const request = { tool, args, signal: interrupted, onProgress: display.show };
    const work = options.url === undefined ? callModule : callUrl;
    const isGood = await work(request, { options, token, surroundings, end: display.end });
    if (!isGood) throw new McpCommandEnd(EXIT_FAULT);
  } catch (error) {
    display.end();
    if (!interrupted.aborted) throw error;
    err('Cancelled.\n');
    throw new McpCommandEnd(EXIT_INTERRUPTED);
  }
}

/** What both ways of calling work with. */
interface Calling {
  readonly options: CallOptions;
  readonly token: string | undefined;
  readonly surroundings: McpCommandSurroundings;
  /** Takes the progress off the screen. */
  readonly end: () => void;
}

async function callModule(request: CallRequest, { options, token, surroundings, end }: Calling): Promise<boolean> {
  const { withApplication } = await import('./application.js');
  const { gateUnderTest } = await import('../testing/gate-under-test.js');
  const { callInProcess } = await import('./call/local-call.js');
  return withApplication(options.module!, surroundings, async (app, own) => {
    const gate = gateUnderTest(app, options.gate);
    const caller = await callerOf(options, token, gate.settings, own);
    return finish(await callInProcess(app, gate, caller, request), own);
  });

  function finish(outcome: CallOutcome, own: McpCommandSurroundings): boolean {
    end();
    return showOutcome(outcome, options.json === true, own);
  }
}

async function callUrl(request: CallRequest, { options, token, surroundings, end }: Calling): Promise<boolean> {
  const url = options.url!;
  if (token !== undefined && travelsReadable(url)) {
    surroundings.err('The token travels unencrypted: let the address begin with https.\n');
  }
  const { callAtUrl } = await import('./call/remote-call.js');
  const outcome = await callAtUrl({ url, ...(token !== undefined && { token }) }, request);
  end();
  return showOutcome(outcome, options.json === true, surroundings);
}

function checkWay({ module, url, gate, as, resource }: CallOptions): void {
  if (module !== undefined && url !== undefined) {
    throw new Error('--module and --url are two ways to a tool: leave one out.');
  }
  if (module === undefined && url === undefined) {
    throw new Error(
      'Say where the tool is: --module with the file of the application module, or --url with an address.',
    );
  }
  const local = { '--gate': gate, '--as': as, '--resource': resource };
  const wrong = Object.entries(local).find(([, value]) => value !== undefined)?.[0];
  if (url !== undefined && wrong !== undefined) {
    throw new Error(`${wrong} goes with --module. At an address a token says who calls: --token-env.`);
  }
}
