/**
 * The tools of ONE caller for ONE request. Who may have a tool is decided here and nowhere else: listing and calling ask
 * the same function, so a tool that is not listed cannot be called (A2).
 */
import type { McpCaller } from '../caller.js';
import type { McpDeclaredTool } from './declared-tool.js';
import type { McpToolIndex } from './declare.js';
import { missingScopes } from './scopes.js';
import { thrownKind } from './thrown.js';
import type { McpAdmission, McpTool } from './tool.js';

/** Where a gate's tools come from. */
export interface McpToolSource {
  /** Tools declared in code: the same index until code is loaded lazily. */
  fixed(): McpToolIndex;
  /** Tools that are given anew at each request, and asked for only when needed; `undefined` when there are none. */
  fresh?(): McpToolIndex | Promise<McpToolIndex> | undefined;
}

/** For whom, and in what request, a catalogue is collected. */
export interface McpCatalogueOptions {
  readonly caller: McpCaller;
  /** What the transport's host knows of the request; entries' own rules may read it. */
  readonly request?: unknown;
  /** Hears of each tool withheld, with the reason. For DEBUG: withholding is normal (A3). */
  readonly onWithheld?: (tool: McpTool, reason: string) => void;
}

/** What the protocol asks of a catalogue. */
export interface McpCatalogue {
  /** Every tool that the caller has, in the order of declaration. */
  list(): Promise<readonly McpDeclaredTool[]>;
  /** The named tool if the caller has it. Only this tool is looked at. */
  find(name: string, args: Readonly<Record<string, unknown>>): Promise<McpDeclaredTool | undefined>;
  /** How many tools wait for authorization: those withheld for scopes or for want of authentication. */
  reserved(): Promise<number>;
}

/** The catalogue of one request. Nothing is collected before it is asked for. */
export function collectMcpTools(source: McpToolSource, options: McpCatalogueOptions): McpCatalogue {
  const { caller, request, onWithheld } = options;

  async function decide(entry: McpDeclaredTool, args?: Readonly<Record<string, unknown>>): Promise<boolean> {
    const reason =
      reservedBecause(entry.tool, caller) ?? (await refusedBecause(entry, { tool: entry.tool, caller, args, request }));
    if (reason !== undefined) onWithheld?.(entry.tool, reason);
    return reason === undefined;
  }

  async function everything(): Promise<readonly McpDeclaredTool[]> {
    const fixed = source.fixed();
    const fresh = await source.fresh?.();
    return fresh === undefined
      ? fixed.entries
      : [...fixed.entries, ...fresh.entries.filter(({ tool }) => !fixed.get(tool.name))];
  }

  return {
    async list() {
      const entries = await everything();
      const decisions = await Promise.all(entries.map((entry) => decide(entry)));
      return entries.filter((_, position) => decisions[position]);
    },
    async find(name, args) {
      const entry = source.fixed().get(name) ?? (await source.fresh?.())?.get(name);
      return entry !== undefined && (await decide(entry, args)) ? entry : undefined;
    },
    async reserved() {
      return (await everything()).filter(({ tool }) => reservedBecause(tool, caller) !== undefined).length;
    },
  };
}

/** Why a tool waits for authorization; `undefined` when its caller has enough. */
function reservedBecause(tool: McpTool, caller: McpCaller): string | undefined {
  if ((tool.requiresAuth === true || tool.actsForUser === true) && !caller.authenticated) {
    return 'it needs an authenticated caller';
  }
  const missing = missingScopes(tool.scopes ?? [], caller);
  return missing.length > 0 ? `it needs the scopes ${missing.join(', ')}` : undefined;
}

async function refusedBecause(entry: McpDeclaredTool, admission: McpAdmission): Promise<string | undefined> {
  if (entry.admits === undefined) return undefined;
  try {
    const answer: unknown = await entry.admits(admission); // from code that may not be typed
    return answer === true ? undefined : 'a guard refused it';
  } catch (error) {
    // The class alone: a message may hold what no log should.
    return `a guard refused it by an exception (${thrownKind(error)})`;
  }
}
