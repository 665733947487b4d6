/**
 * The tools of ONE caller for ONE request. Who may have a tool is decided here and nowhere else: listing and calling ask
 * the same function, so a tool that is not listed cannot be called (A2).
 */
import { allThere, whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpDeclaredTool } from './declared-tool.js';
import { McpToolIndex } from './tool-index.js';
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
  list(): Awaitable<readonly McpDeclaredTool[]>;
  /** The named tool if the caller has it. Only this tool is looked at. */
  find(name: string, args: Readonly<Record<string, unknown>>): Awaitable<McpDeclaredTool | undefined>;
  /** How many tools wait for authorization: those withheld for scopes or for want of authentication. */
  reserved(): Awaitable<number>;
}

/** The catalogue of one request. Nothing is collected before it is asked for. */
export function collectMcpTools(source: McpToolSource, options: McpCatalogueOptions): McpCatalogue {
  return new CallerCatalogue(source, options);
}

class CallerCatalogue implements McpCatalogue {
  constructor(
    private readonly source: McpToolSource,
    private readonly options: McpCatalogueOptions,
  ) {}

  list(): Awaitable<readonly McpDeclaredTool[]> {
    return whenThere(this.everything(), (tools) => {
      const decisions = allThere(tools.entries.map((entry) => this.decide(entry)));
      return whenThere(decisions, (admitted) => tools.subset(admitted));
    });
  }

  find(name: string, args: Readonly<Record<string, unknown>>): Awaitable<McpDeclaredTool | undefined> {
    const fixed = this.source.fixed().get(name);
    if (fixed !== undefined) return this.ifAdmitted(fixed, args);
    return whenThere(this.source.fresh?.(), (fresh) => {
      const entry = fresh?.get(name);
      return entry && this.ifAdmitted(entry, args);
    });
  }

  reserved(): Awaitable<number> {
    const { caller } = this.options;
    return whenThere(
      this.everything(),
      ({ entries }) => entries.filter(({ tool }) => reservedBecause(tool, caller) !== undefined).length,
    );
  }

  private everything(): Awaitable<McpToolIndex> {
    const fixed = this.source.fixed();
    return whenThere(this.source.fresh?.(), (fresh) => (fresh === undefined ? fixed : McpToolIndex.join(fixed, fresh)));
  }

  private ifAdmitted(
    entry: McpDeclaredTool,
    args: Readonly<Record<string, unknown>>,
  ): Awaitable<McpDeclaredTool | undefined> {
    return whenThere(this.decide(entry, args), (admitted) => (admitted ? entry : undefined));
  }

  private decide(entry: McpDeclaredTool, args?: Readonly<Record<string, unknown>>): Awaitable<boolean> {
    const { tool } = entry;
    const { caller, request } = this.options;
    const reserved = reservedBecause(tool, caller);
    if (reserved !== undefined) return this.withhold(tool, reserved);
    if (entry.admits === undefined) return true;
    return whenThere(refusedBecause(entry.admits, { tool, caller, request, args }), (refused) =>
      refused === undefined ? true : this.withhold(tool, refused),
    );
  }

  private withhold(tool: McpTool, reason: string): false {
    this.options.onWithheld?.(tool, reason);
    return false;
  }
}

/** Why a tool waits for authorization; `undefined` when its caller has enough. */
function reservedBecause(tool: McpTool, caller: McpCaller): string | undefined {
  if ((tool.requiresAuth === true || tool.actsForUser === true) && !caller.authenticated) {
    return 'it needs an authenticated caller';
  }
  if (tool.scopes === undefined) return undefined;
  const missing = missingScopes(tool.scopes, tool, caller);
  return missing.length > 0 ? `it needs the scopes ${missing.join(', ')}` : undefined;
}

/** What an entry's own rule says, which may be any code. */
async function refusedBecause(
  admits: NonNullable<McpDeclaredTool['admits']>,
  admission: McpAdmission,
): Promise<string | undefined> {
  try {
    const answer: unknown = await admits(admission); // from code that may not be typed
    return answer === true ? undefined : 'a guard refused it';
  } catch (error) {
    // The class alone: a message may hold what no log should.
    return `a guard refused it by an exception (${thrownKind(error)})`;
  }
}
