/**
 * `token`: mints an access token for a workstation or a script, signed with the application's own key (A11). Standard
 * output is the token and nothing else, so that a shell can take it.
 */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { JSONWebKeySet } from 'jose';
import type { McpCommandSurroundings } from './command-line.js';
import { generateMcpKeys, mintMcpToken } from '../oauth/mint.js';

interface TokenOptions {
  readonly resource?: string;
  readonly account?: string;
  readonly scope: readonly string[];
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
    .option('--ttl <duration>', 'how long it lives: 90s, 15m, 8h, 30d', readDuration, 3600)
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
  return JSON.stringify(await generateMcpKeys());
}

async function newToken(options: TokenOptions, env: McpCommandSurroundings['env']): Promise<string> {
  const { resource, account, scope, ttl, keys, clientId } = options;
  if (resource === undefined) throw new Error('--resource is missing: the URL of the gate that is to take the token.');
  if (account === undefined) throw new Error('--account is missing: the account that the token speaks for.');
  const key = await readKeySet(keys, env);
  return mintMcpToken({
    key,
    account,
    resource,
    scopes: scope,
    ttlSec: ttl,
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

function readScopes(given: string, before: readonly string[]): readonly string[] {
  return [...before, ...given.split(/[\s,]+/).filter((scope) => scope !== '')];
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function readDuration(given: string): number {
  const [, amount, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(given) ?? [];
  if (amount === undefined || unit === undefined)
    throw new InvalidArgumentError('Write a number and s, m, h or d: 15m.');
  return Number(amount) * UNIT_SECONDS[unit]!;
}
