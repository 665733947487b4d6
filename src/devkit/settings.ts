/**
 * What can be said to the devkit.
 */
import type { McpGateSettings } from '../gate/settings.js';

/** The devkit, as an application wants it. */
export interface McpDevkitSettings {
  /**
   * Loads also with `NODE_ENV=production`, where it otherwise stops the boot: whoever reaches its gate sees how the application
   * is built. @default false
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
  readonly gate: false | (McpDevkitGateSettings & Pick<McpGateSettings, 'name' | 'path'>);
  readonly project: string;
  readonly remember: number;
}

/** Injects the `ResolvedDevkitSettings`. */
export const DEVKIT_SETTINGS = Symbol('MCP_DEVKIT_SETTINGS');

/** What no gate of the devkit is told, whoever writes it: JavaScript, or an object of a wider type. */
const NOT_ITS_GATES = ['tools', 'allowRemote', 'allowedHosts'];

const KEYS = ['evenInProduction', 'gate', 'project', 'remember'];

/**
 * The settings, checked and complete.
 *
 * @throws TypeError for a setting that cannot be used, Error in production.
 */
export function resolveDevkitSettings(
  settings: McpDevkitSettings,
  surroundings: { readonly env: Readonly<Record<string, string | undefined>>; cwd(): string } = process,
): ResolvedDevkitSettings {
  const unknown = Object.keys(settings).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`"${unknown}" is not a setting of the devkit. The settings are: ${KEYS.join(', ')}.`);
  }
  const { evenInProduction = false, gate = {}, project = surroundings.cwd(), remember = 1_000 } = settings;
  const refused = gate === false ? undefined : NOT_ITS_GATES.find((key) => key in gate);
  if (refused !== undefined) {
    throw new TypeError(
      `"gate.${refused}" is not a setting of the devkit: its gate answers this machine alone, and its tools are the devkit's. ` +
        'For others, list McpDevkitModule in the tools of a gate of your own, with gate: false here.',
    );
  }
  if (surroundings.env['NODE_ENV']?.trim().toLowerCase() === 'production' && !evenInProduction) {
    throw new Error(
      'McpDevkitModule does not load with NODE_ENV=production: it shows how the application is built. Import it in ' +
        'development only, or say McpDevkitModule.forRoot({ evenInProduction: true }).',
    );
  }
  if (!Number.isInteger(remember) || remember < 1 || remember > 100_000) {
    throw new TypeError('"remember" must be a whole number of requests from 1 to 100000.');
  }
  return { gate: gate !== false && { name: 'devkit', path: '/mcp/devkit', ...gate }, project, remember };
}
