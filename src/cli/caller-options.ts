/**
 * Who calls, for commands that ask an application without HTTP: a stranger, somebody with scopes, or the bearer of a token.
 */
import { Option, type Command } from 'commander';
import type { McpCaller } from '../caller.js';
import type { ResolvedGateSettings } from '../gate/settings.js';
import { addTokenOption, readGateUrl, readScopes } from './option-readers.js';
import type { McpCommandSurroundings } from './surroundings.js';

/** What the options say. */
export interface CallerOptions {
  /** Absent: not given; empty: somebody who is signed in and may nothing more. */
  readonly as?: readonly string[];
  readonly account?: string;
  readonly tokenEnv?: string;
  readonly resource?: string;
}

/** Adds the options to a command. */
export function addCallerOptions(command: Command): Command {
  const as = new Option('--as <scopes>', 'as somebody who is signed in with these scopes, separated by commas');
  command.addOption(as.argParser(readScopes)).option('--account <id>', 'with --as: the account that it is');
  return addTokenOption(command, 'as the bearer of the token in this environment variable').option(
    '--resource <url>',
    'with --token-env: the address that the token is for',
    readGateUrl,
  );
}

/** @throws Error for options that say two things. */
export function checkCallerOptions({ as, account, tokenEnv, resource }: CallerOptions): void {
  if (as !== undefined && tokenEnv !== undefined)
    throw new Error('--as and --token-env name two callers: leave one out.');
  if (account !== undefined && as === undefined) throw new Error('--account goes with --as.');
  if (resource !== undefined && tokenEnv === undefined) throw new Error('--resource goes with --token-env.');
}

/**
 * The caller, as far as the gate would know of it. A token is checked as the gate checks it.
 *
 * @throws Error for a token that a gate could not take, or does not.
 */
export async function callerOf(
  options: CallerOptions,
  token: string | undefined,
  settings: ResolvedGateSettings,
  surroundings: McpCommandSurroundings,
): Promise<Partial<McpCaller>> {
  if (token !== undefined) return bearerOf(token, options, settings, surroundings);
  if (options.as === undefined) return {};
  if (settings.authorization === undefined) {
    surroundings.err(`The gate "${settings.name}" authenticates nobody: over HTTP all its callers are strangers.\n`);
  }
  const { as, account } = options;
  return { authenticated: true, scopes: as, ...(account !== undefined && { subject: account }) };
}

async function bearerOf(
  token: string,
  { tokenEnv, resource }: CallerOptions,
  { name, path, authorization }: ResolvedGateSettings,
  { err }: McpCommandSurroundings,
): Promise<Partial<McpCaller>> {
  if (authorization === undefined) {
    throw new Error(`The gate "${name}" takes no tokens: it has no "authorization". Leave --token-env out.`);
  }
  const address = authorization.audience ?? authorization.publicUrl ?? resource;
  if (address === undefined) {
    throw new Error(
      `The gate "${name}" takes its address from each request, and here is none: say with --resource which address the ` +
        `token is for, such as --resource http://127.0.0.1:3000${path}.`,
    );
  }
  const { createMcpAuthenticator } = await import('../oauth/authenticate.js');
  const authenticator = createMcpAuthenticator(authorization, { log: { warn: (message) => err(`${message}\n`) } });
  const found = await authenticator.authenticate(`Bearer ${token}`, address);
  if (found.kind === 'caller') return found.caller;
  const reason = found.kind === 'rejected' ? found.reason : 'token-malformed';
  const refused = `The gate "${name}" refuses the token in ${tokenEnv}: ${reason}. It was checked for ${address}.`;
  if (authorization.anonymous !== true) throw new Error(refused);
  err(`${refused} Its bearer is served as a stranger.\n`);
  return {};
}
