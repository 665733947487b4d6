/**
 * `config`: writes a gate into the file in which an MCP client keeps its servers. What stands there stays (N2).
 */
import { access } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { Option, type Command } from 'commander';
import { CLIENTS, settingsFor, type McpClientFile, type McpClientName } from './config/clients.js';
import { readConfigFile, writeConfigFile } from './config/config-file.js';
import { McpConfigFault } from './config/config-fault.js';
import { lineDiff, type LineChange } from './config/line-diff.js';
import { mergeServer } from './config/merge.js';
import { withoutSecrets } from './config/secrets.js';
import { serverName } from './config/server-name.js';
import { wantedSettings, type ServerWish } from './config/server.js';
import { isTypeScript } from './load-module.js';
import { addTokenOption, readGateUrl } from './option-readers.js';
import { paintFor, type Paint } from './paint.js';
import { travelsReadable } from './secret-token.js';
import type { McpCommandSurroundings } from './surroundings.js';

interface ConfigOptions {
  readonly client: McpClientName;
  readonly name?: string;
  readonly url?: string;
  readonly stdio?: string;
  readonly gate?: string;
  readonly tokenEnv?: string;
  readonly file?: string;
  readonly force?: true;
  readonly dryRun?: true;
}

/** Adds the command to the program. */
export function addConfigCommand(program: Command, surroundings: McpCommandSurroundings): void {
  const config = program
    .command('config')
    .description('Writes a gate into the file of an MCP client. Everything else in that file stays as it is.')
    .addOption(new Option('--client <client>', 'whose file is written').choices(Object.keys(CLIENTS)).default('claude'))
    .option('--url <url>', 'the address of the gate', readGateUrl)
    .option('--stdio <module file>', 'starts the application of this module instead, without a port')
    .option('--gate <name>', 'with --stdio: which gate, when the application has several')
    .option('--name <name>', "what the client calls the gate (default: the package's name)");
  addTokenOption(config, 'sends the token that the client finds in this environment variable')
    .option('--file <path>', 'another file than that of the project')
    .option('--force', 'changes the settings of a server that has this name already')
    .option('--dry-run', 'prints the change and writes nothing')
    .addHelpText(
      'after',
      `
Files:
${Object.entries(CLIENTS)
  .map(([name, { title, file }]) => `  ${name.padEnd(9)} ${title}: ${file.in === 'home' ? `~${sep}` : ''}${file.path}`)
  .join('\n')}

Examples:
  $ nestjs-mcp-gate config --url http://127.0.0.1:3000/mcp
  $ nestjs-mcp-gate config --client cursor --url https://shop.example/mcp --token-env SHOP_TOKEN
  $ nestjs-mcp-gate config --client vscode --stdio dist/app.module.js --dry-run`,
    )
    .action((options: ConfigOptions) => writeConfig(options, surroundings));
}

async function writeConfig(options: ConfigOptions, surroundings: McpCommandSurroundings): Promise<void> {
  const { out, err, cwd, home } = surroundings;
  const client: McpClientFile = CLIENTS[options.client];
  const name = await serverName(options.name, cwd);
  const path =
    options.file === undefined
      ? join(client.file.in === 'home' ? home : cwd, client.file.path)
      : resolve(cwd, options.file);
  const wish = wishOf(options, client, cwd);
  const ours = settingsFor(client, wish);
  const shown = relative(cwd, path).startsWith('..') ? path : relative(cwd, path);

  try {
    const before = await readConfigFile(path);
    const { text, replaces } = await mergeServer(before ?? '', {
      format: client.format,
      servers: client.servers,
      name,
      wanted: (standing) => (standing === undefined ? ours : wantedSettings(standing, ours, wish.transport)),
    });
    if (text === before) return err(`${shown} has the server "${name}" already. Nothing was written.\n`);
    const written = new Set(wish.transport === 'stdio' ? wish.args : []);
    const shownChange = (output: 'out' | 'err') =>
      changeInWords(lineDiff(before ?? '', text), written, paintFor(surroundings, output));
    if (replaces && options.force !== true) {
      throw new McpConfigFault(
        `it has a server "${name}" with other settings. --force changes them, another --name keeps both:\n${shownChange('err')}`,
      );
    }
    if (options.dryRun === true) return out(shownChange('out'));
    await writeConfigFile(path, text, before);
  } catch (error) {
    if (!(error instanceof McpConfigFault)) throw error;
    throw new Error(`${shown}: ${error.message.trimEnd()}\nNothing was written.`, { cause: error });
  }
  err(`${shown}: ${client.title} has the server "${name}" now.\n`);
  if (wish.transport === 'http') remarkOnToken(wish, client, surroundings);
  else await remarkOnModule(options.stdio!, surroundings);
}

function wishOf({ url, stdio, gate, tokenEnv, file }: ConfigOptions, client: McpClientFile, cwd: string): ServerWish {
  if (url !== undefined && stdio !== undefined) {
    throw new Error('--url and --stdio are two ways to a gate: leave one out, or write two servers with two names.');
  }
  if (url === undefined && stdio === undefined) {
    throw new Error(
      'Say where the gate is: --url with its address, or --stdio with the file of the application module.',
    );
  }
  if (url !== undefined && gate !== undefined)
    throw new Error('--gate goes with --stdio: an address is that of one gate.');
  if (url !== undefined) return { transport: 'http', url, ...(tokenEnv !== undefined && { tokenEnv }) };
  if (tokenEnv !== undefined) throw new Error('--token-env goes with --url: over stdio no token is sent.');
  // A file outside the project knows nothing of its folder; within it the client says how it calls that folder.
  const isProjectFile = file === undefined && client.file.in === 'project';
  const folder = isProjectFile ? client.projectFolder : cwd;
  const module = relative(cwd, resolve(cwd, stdio!)).split(sep).join('/');
  const found = folder === undefined ? [] : ['--prefix', folder];
  const start = ['--no', 'nestjs-mcp-gate', 'stdio', folder === undefined ? module : `${folder}/${module}`];
  const chosen = gate === undefined ? [] : ['--gate', gate];
  return { transport: 'stdio', command: 'npx', args: [...found, ...start, ...chosen] };
}

function changeInWords(lines: readonly LineChange[], written: ReadonlySet<string>, paint: Paint): string {
  return lines
    .map(({ sign, text }) => `${paint(sign === '+' ? 'good' : 'bad', `${sign} ${withoutSecrets(text, written)}`)}\n`)
    .join('');
}

function remarkOnToken(
  { url, tokenEnv }: { url: string; tokenEnv?: string },
  { title }: McpClientFile,
  { err }: McpCommandSurroundings,
): void {
  if (tokenEnv === undefined) return;
  err(`Set ${tokenEnv} where ${title} is started.\n`);
  if (travelsReadable(url)) err('The token will travel unencrypted: let the address begin with https.\n');
}

async function remarkOnModule(file: string, { cwd, err }: McpCommandSurroundings): Promise<void> {
  if (isTypeScript(file)) {
    return err(
      `${file} is TypeScript: Node can not run it with decorators. Name the built file, such as dist/app.module.js.\n`,
    );
  }
  try {
    await access(resolve(cwd, file));
  } catch {
    err(`There is no ${file} yet: build the application before the client starts it.\n`);
  }
}
