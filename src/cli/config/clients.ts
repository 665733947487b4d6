/**
 * The clients whose files are known: where each keeps its servers, and how it writes one. Each entry names the public
 * document that says so.
 */
import { join } from 'node:path';
import type { ServerSettings, ServerWish } from './server.js';

/** How a file is written. A client of plain JSON refuses a file with comments, so we do too, before it does. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml';

/** One client. */
export interface McpClientFile {
  readonly title: string;
  readonly format: ConfigFormat;
  /** The setting that holds the servers. */
  readonly servers: string;
  /** Below the project's folder, or below the user's own for a client that has no file in a project. */
  readonly file: { readonly in: 'project' | 'home'; readonly path: string };
  /**
   * How the client names the project's folder in a command; without it the command starts there.
   */
  readonly projectFolder?: string;
  readonly http: (url: string, tokenEnv: string | undefined) => ServerSettings;
  readonly stdio: (command: string, args: readonly string[]) => ServerSettings;
}

const bearer = (reference: string | undefined): ServerSettings =>
  reference === undefined ? {} : { headers: { Authorization: `Bearer ${reference}` } };

export const CLIENTS = {
  /** https://code.claude.com/docs/en/mcp, "Project scope" and "Environment variable expansion in .mcp.json". */
  claude: {
    title: 'Claude Code',
    format: 'json',
    servers: 'mcpServers',
    file: { in: 'project', path: '.mcp.json' },
    http: (url, env) => ({ type: 'http', url, ...bearer(env && `\${${env}}`) }),
    stdio: (command, args) => ({ command, args }),
  },
  /** https://cursor.com/docs/mcp, "Using mcp.json" and "Config interpolation". */
  cursor: {
    title: 'Cursor',
    format: 'json',
    servers: 'mcpServers',
    file: { in: 'project', path: join('.cursor', 'mcp.json') },
    projectFolder: '${workspaceFolder}',
    http: (url, env) => ({ url, ...bearer(env && `\${env:${env}}`) }),
    stdio: (command, args) => ({ type: 'stdio', command, args }),
  },
  /**
   * https://code.visualstudio.com/docs/agents/reference/mcp-configuration; that ${env:NAME} is resolved is said in
   * microsoft/vscode#245237.
   */
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    servers: 'servers',
    file: { in: 'project', path: join('.vscode', 'mcp.json') },
    projectFolder: '${workspaceFolder}',
    http: (url, env) => ({ type: 'http', url, ...bearer(env && `\${env:${env}}`) }),
    stdio: (command, args) => ({ type: 'stdio', command, args }),
  },
  /** https://docs.windsurf.com/windsurf/cascade/mcp, "Remote HTTP MCPs" and "Config Interpolation". */
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    servers: 'mcpServers',
    file: { in: 'home', path: join('.codeium', 'windsurf', 'mcp_config.json') },
    http: (url, env) => ({ serverUrl: url, ...bearer(env && `\${env:${env}}`) }),
    stdio: (command, args) => ({ command, args }),
  },
  /**
   * https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md and docs/reference/configuration.md,
   * which says that any string may name a variable. Its own writer keeps comments (google-gemini/gemini-cli#8154).
   */
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    servers: 'mcpServers',
    file: { in: 'project', path: join('.gemini', 'settings.json') },
    http: (url, env) => ({ httpUrl: url, ...bearer(env && `\${${env}}`) }),
    stdio: (command, args) => ({ command, args }),
  },
  /** https://developers.openai.com/codex/mcp, "Streamable HTTP servers". The project's file counts in a trusted project. */
  codex: {
    title: 'Codex',
    format: 'toml',
    servers: 'mcp_servers',
    file: { in: 'project', path: join('.codex', 'config.toml') },
    http: (url, env) => ({ url, ...(env !== undefined && { bearer_token_env_var: env }) }),
    stdio: (command, args) => ({ command, args }),
  },
} as const satisfies Readonly<Record<string, McpClientFile>>;

export type McpClientName = keyof typeof CLIENTS;

/** What the client is to have. */
export function settingsFor(client: McpClientFile, wish: ServerWish): ServerSettings {
  return wish.transport === 'http' ? client.http(wish.url, wish.tokenEnv) : client.stdio(wish.command, wish.args);
}
