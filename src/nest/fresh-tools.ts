/**
 * Tools that providers give anew at each request (`getMcpTools()`): asked together, checked like any other, and one that
 * fails takes nothing from the rest (T3, T4).
 */
import type { McpLog } from '../gate/log.js';
import { type McpToolFault } from '../tools/declarations.js';
import { declareMcpTools } from '../tools/declare.js';
import type { McpToolIndex } from '../tools/tool-index.js';
import { thrownMessage } from '../tools/thrown.js';
import type { McpAdmission, McpTool, McpToolEntry } from '../tools/tool.js';
import type { MethodEnhancers } from './enhancers.js';
import { GIVE_TOOLS, type FoundHost } from './explorer.js';
import { guardRule } from './method-call.js';
import type { ToolHost } from './tool-host.js';

/** A provider of tools that are not known beforehand, for instance because they stand in a database. */
export interface McpToolProvider {
  /**
   * The tools of this moment. Asked at each request that needs them, so it should be quick; guards on the provider's
   * class or on this method decide over all of them. If it throws, the others' tools are still served.
   */
  getMcpTools(): readonly McpTool[] | Promise<readonly McpTool[]>;
}

/** Faults remembered so that each is logged once. */
const MAX_REMEMBERED = 1_000;

export class FreshTools {
  private readonly reported = new Set<string>();

  /** @param onFault hears once of what was said to the log */
  constructor(
    private readonly enhancers: MethodEnhancers,
    private readonly log: McpLog,
    private readonly onFault: (fault: McpToolFault) => void,
  ) {}

  /** The tools of these providers, now. `taken` names stay with those that have them. */
  async ask(providers: readonly FoundHost[], taken: McpToolIndex): Promise<McpToolIndex> {
    const given = await Promise.all(providers.map(({ host }) => this.askOne(host)));
    return declareMcpTools(given.flat(), { taken, report: (fault) => this.reportOnce(fault) });
  }

  private async askOne(host: ToolHost): Promise<McpToolEntry[]> {
    const origin = `${host.name}.${GIVE_TOOLS}`;
    try {
      const provider = host.shared() as McpToolProvider;
      const tools: unknown = await provider.getMcpTools();
      if (!Array.isArray(tools)) throw new TypeError('it must return an array of tools, or a promise of one.');
      const { getMcpTools: method } = provider as { getMcpTools: (this: void) => unknown };
      const rule = guardRule(host, method, this.enhancers);
      const guard = rule && { admits: ({ tool, ...question }: McpAdmission) => rule({ tool }, question) };
      return tools.map((tool: McpTool) => ({ tool, origin, ...guard }));
    } catch (error) {
      this.reportOnce({ origin, reason: `it gave no tools, those of others are served: ${thrownMessage(error)}` });
      return [];
    }
  }

  private reportOnce(fault: McpToolFault): void {
    const { origin, name, reason } = fault;
    const sentence = `${origin}${name === undefined ? '' : ` (tool "${name}")`}: ${reason}`;
    if (this.reported.has(sentence) || this.reported.size >= MAX_REMEMBERED) return;
    this.reported.add(sentence);
    this.log.warn(sentence);
    this.onFault(fault);
  }
}
