/**
 * `token`: mints an access token for a workstation or a script, signed with the application's own key (A11). Standard
 * output is the token and nothing else, so that a shell can take it.
 */
import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { JSONWebKeySet } from 'jose';
import { readDuration, readScopes } from './option-readers.js';
import type { McpCommandSurroundings } from './surroundings.js';

interface TokenOptions {
  readonly resource?: string;
  readonly account?: string;
  readonly scope: readonly string[];
  /** Milliseconds. */
  readonly ttl: number;
  readonly keys?: string;
  readonly clientId?: string;
  readonly generateKeys?: true;
}

/** Adds the command to the program. */
export function addTokenCommand(program: Command, { env, out }: McpCommandSurroundings): void {
  program
    .command('token')
    .description('Prints an access token for one gate, signed with the key set in MCP_JWKS or a file.')
    .option('--resource <url>', 'the URL of the gate that is to take the token')
    .option('--account <id>', 'the account that the token speaks for')
    .option('--scope <scope...>', 'scopes to grant, separated by spaces or commas; may be repeated', readScopes, [])
    .addOption(
      new Option('--ttl <duration>', 'how long it lives: 90s, 15m, 8h, 30d')
        .argParser(readDuration)
        .default(3_600_000, '1h'),
    )
    .option('--keys <file>', 'a file with a private JSON Web Key Set, instead of MCP_JWKS')
    .option('--client-id <id>', 'the client that it is for')
    .option('--generate-keys', 'prints a new private key set for MCP_JWKS instead of a token')
    .addHelpText(
      'after',
      `
Examples:
  $ export MCP_JWKS="$(nestjs-mcp-gate token --generate-keys)"
  $ nestjs-mcp-gate token --resource http://127.0.0.1:3000/mcp --account ada --scope shop:read --ttl 1h`,
    )
    .action(async (options: TokenOptions) => {
      out(`${options.generateKeys === true ? await newKeys() : await newToken(options, env)}\n`);
    });
}

async function newKeys(): Promise<string> {
  const { generateMcpKeys } = await import('../oauth/mint.js');
  return JSON.stringify(await generateMcpKeys());
}

async function newToken(options: TokenOptions, env: McpCommandSurroundings['env']): Promise<string> {
  const { resource, account, scope, ttl, keys, clientId } = options;
  if (resource === undefined) throw new Error('--resource is missing: the URL of the gate that is to take the token.');
  if (account === undefined) throw new Error('--account is missing: the account that the token speaks for.');
  const key = await readKeySet(keys, env);
  const { mintMcpToken } = await import('../oauth/mint.js');
  return mintMcpToken({
    key,
    account,
    resource,
    scopes: scope,
    ttlSec: ttl / 1_000,
    ...(clientId !== undefined && { clientId }),
  });
}

async function readKeySet(file: string | undefined, env: McpCommandSurroundings['env']): Promise<JSONWebKeySet> {
  const source = file === undefined ? 'MCP_JWKS' : file;
  const text = file === undefined ? env['MCP_JWKS'] : await readKeyFile(file);
  if (text === undefined || text.trim() === '') {
    throw new Error(
      'There is no key to sign with: set MCP_JWKS or name a file with --keys. --generate-keys makes one.',
    );
  }
  try {
    return JSON.parse(text) as JSONWebKeySet;
  } catch {
    throw new Error(`${source} is not JSON: it must hold a JSON Web Key Set. --generate-keys makes one.`);
  }
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Error(`The file ${file} cannot be read: --keys names a file with a JSON Web Key Set.`);
  }
}
