/**
 * What can be said to the devkit.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { McpGateSettings } from '../gate/settings.js';

/** The devkit, as an application wants it. */
export interface McpDevkitSettings {
  /**
   * Loads also with `NODE_ENV=production` (in whatever spelling, and when only a file of the environment says so), where it
   * otherwise stops the boot: whoever reaches its gate sees how the application is built. @default false
   */
  readonly evenInProduction?: boolean;
  /**
   * The gate of its own. `false` opens none: list `McpDevkitModule` in the `tools` of the gate that shall serve them.
   * @default { name: 'devkit', path: '/mcp/devkit' }
   */
  readonly gate?: false | McpDevkitGateSettings;
  /** The folder of the project, which nothing is read outside of. @default the folder that the process runs in */
  readonly project?: string;
  /** Requests that `nest_observe` remembers. @default 1000 */
  readonly remember?: number;
}

/** A gate of the devkit is local, and its tools are the devkit's. */
export type McpDevkitGateSettings = Partial<Omit<McpGateSettings, 'tools' | 'allowRemote' | 'allowedHosts'>>;

/** The settings with every default filled in. */
export interface ResolvedDevkitSettings {
  readonly evenInProduction: boolean;
  readonly gate: false | (McpDevkitGateSettings & Pick<McpGateSettings, 'name' | 'path'>);
  readonly project: string;
  readonly remember: number;
}

/** Injects the `ResolvedDevkitSettings`. */
export const DEVKIT_SETTINGS = Symbol('MCP_DEVKIT_SETTINGS');

const KEYS = ['evenInProduction', 'gate', 'project', 'remember'];

/** What no gate of the devkit is told, whoever writes it (JavaScript, or an object of a wider type): it stays local, with the devkit's tools. */
const NOT_OF_ITS_GATE = ['tools', 'allowRemote', 'allowedHosts'];

/** Environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings, checked and complete.
 *
 * @throws TypeError for a setting that cannot be used, Error in production.
 */
export function resolveDevkitSettings(
  settings: McpDevkitSettings,
  surroundings: { readonly env: Environment; cwd(): string } = process,
): ResolvedDevkitSettings {
  const unknown = Object.keys(settings).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`"${unknown}" is not a setting of the devkit. The settings are: ${KEYS.join(', ')}.`);
  }
  const { evenInProduction = false, gate = {}, project = surroundings.cwd(), remember = 1_000 } = settings;
  if (typeof evenInProduction !== 'boolean') throw new TypeError('"evenInProduction" must be true or false.');
  refuseProduction({ evenInProduction }, surroundings.env);
  if ((typeof gate !== 'object' && (gate as unknown) !== false) || (gate as unknown) === null) {
    throw new TypeError('"gate" must be the settings of the devkit\'s gate, or false for none of its own.');
  }
  const foreign = gate === false ? undefined : NOT_OF_ITS_GATE.find((key) => key in gate);
  if (foreign !== undefined) {
    throw new TypeError(
      `"${foreign}" is not a setting of the devkit's gate, which serves the devkit's tools to this machine alone. For another ` +
        'gate say gate: false, and list McpDevkitModule in its "tools".',
    );
  }
  if (typeof project !== 'string' || !isFolder(project)) {
    throw new TypeError(`"project" must be the folder of the project: there is none at "${project}".`);
  }
  if (!Number.isInteger(remember) || remember < 1 || remember > 100_000) {
    throw new TypeError('"remember" must be a whole number of requests from 1 to 100000.');
  }
  return {
    evenInProduction,
    gate: gate !== false && { name: 'devkit', path: '/mcp/devkit', ...gate },
    project: resolve(project),
    remember,
  };
}

/**
 * Asked twice: when the module is imported, and when the application starts, by when a file of the environment is read.
 *
 * @throws Error in production.
 */
export function refuseProduction(
  { evenInProduction }: Pick<ResolvedDevkitSettings, 'evenInProduction'>,
  env: Environment = process.env,
): void {
  if (evenInProduction || !/^\s*prod(?:uction)?\s*$/i.test(env['NODE_ENV'] ?? '')) return;
  throw new Error(
    'McpDevkitModule does not load with NODE_ENV=production: it shows how the application is built. Import it in ' +
      'development only, or say McpDevkitModule.forRoot({ evenInProduction: true }).',
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
