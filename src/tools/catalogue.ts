/**
 * The tools of ONE caller for ONE request. Who may have a tool is the rule of visibility's word; listing and calling ask it
 * alike (A2).
 */
import { whenThere, type Awaitable } from '../awaitable.js';
import type { McpDeclaredTool } from './declared-tool.js';
import { McpToolIndex } from './tool-index.js';
import { ifVisible, reservedAmong, visibleOf, type McpVisibilityOptions } from './visibility.js';

/** Where a gate's tools come from. */
export interface McpToolSource {
  /** Tools declared in code: the same index until code is loaded lazily. */
  fixed(): McpToolIndex;
  /** Tools that are given anew at each request, and asked for only when needed; `undefined` when there are none. */
  fresh?(): McpToolIndex | Promise<McpToolIndex> | undefined;
}

/** For whom, and in what request, a catalogue is collected. */
export type McpCatalogueOptions = McpVisibilityOptions;

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
    return whenThere(this.everything(), (tools) => visibleOf(tools, this.options));
  }

  find(name: string, args: Readonly<Record<string, unknown>>): Awaitable<McpDeclaredTool | undefined> {
    const fixed = this.source.fixed().get(name);
    if (fixed !== undefined) return ifVisible(fixed, this.options, args);
    return whenThere(this.source.fresh?.(), (fresh) => {
      const entry = fresh?.get(name);
      return entry && ifVisible(entry, this.options, args);
    });
  }

  reserved(): Awaitable<number> {
    return whenThere(this.everything(), ({ entries }) => reservedAmong(entries, this.options.caller));
  }

  private everything(): Awaitable<McpToolIndex> {
    const fixed = this.source.fixed();
    return whenThere(this.source.fresh?.(), (fresh) => (fresh === undefined ? fixed : McpToolIndex.join(fixed, fresh)));
  }
}
