/**
 * Where the tools of each gate come from. A gate that serves what is discovered takes bad declarations out and warns of
 * them; a gate that lists its tools stops the boot at the first (T4). Two gates never mix.
 */
import { Logger } from '@nestjs/common';
import type { McpToolOrigin, ResolvedGateSettings } from '../gate/settings.js';
import { checkMcpAnnotations } from '../tools/annotations.js';
import type { McpToolSource } from '../tools/catalogue.js';
import { McpDeclarationError, type McpToolFault } from '../tools/declarations.js';
import { declareMcpTools } from '../tools/declare.js';
import { McpToolIndex } from '../tools/tool-index.js';
import type { McpToolEntry } from '../tools/tool.js';
import type { MethodEnhancers } from './enhancers.js';
import type { FoundHost } from './explorer.js';
import { FreshTools } from './fresh-tools.js';
import type { McpHosts } from './hosts.js';

export class McpToolSources {
  private readonly log = new Logger('McpGate');
  /** Declarations that no gate serves, and why: each was said to the log once. */
  readonly discarded: McpToolFault[] = [];
  private readonly freshTools: FreshTools;
  /** What was warned of once, on behalf of all gates. */
  private readonly checked = new WeakSet<object>();
  private discovered?: McpToolSource;

  constructor(
    private readonly hosts: McpHosts,
    enhancers: MethodEnhancers,
  ) {
    this.freshTools = new FreshTools(enhancers, this.log, (fault) => this.discarded.push(fault));
  }

  /**
   * The source of a gate's tools.
   *
   * @throws McpDeclarationError when the gate lists its tools and one of them is faulty.
   */
  of({ tools }: ResolvedGateSettings): McpToolSource {
    return tools === 'discovered' ? (this.discovered ??= this.discover()) : this.choose(tools);
  }

  /** All tools of the application. Only what a lazily loaded module adds is declared later. */
  private discover(): McpToolSource {
    let hosts: readonly FoundHost[] = [];
    let givers: readonly FoundHost[] = [];
    let index = McpToolIndex.EMPTY;
    const fixed = () => {
      const found = this.hosts.all();
      if (found === hosts) return index;
      const known = new Set(hosts);
      const added = found.filter((host) => !known.has(host));
      hosts = found;
      givers = [...givers, ...added.filter(({ givesTools }) => givesTools)];
      const report = (fault: McpToolFault) => {
        this.discarded.push(fault);
        this.log.warn(`Not served: ${new McpDeclarationError(fault).message}`);
      };
      for (const fault of added.flatMap(({ faults }) => faults)) report(fault);
      const more = declareMcpTools(added.flatMap(entriesOf), { report, taken: index });
      this.warnOf(more, added);
      return (index = McpToolIndex.join(index, more));
    };
    return {
      fixed,
      fresh: () => {
        const ask = () => (givers.length === 0 ? undefined : this.freshTools.ask(givers, fixed()));
        return (
          this.hosts.pending?.then(async () => McpToolIndex.join(fixed(), (await ask()) ?? McpToolIndex.EMPTY)) ?? ask()
        );
      },
    };
  }

  /** The tools of listed classes, modules and objects, in the order of the list. */
  private choose(origins: readonly McpToolOrigin[]): McpToolSource {
    const hosts: FoundHost[] = [];
    const entries = origins.flatMap((origin, position): McpToolEntry[] => {
      if (typeof origin !== 'function') return [{ tool: origin, origin: `settings.tools[${position}]` }];
      const chosen = this.hosts.of(origin, position);
      for (const fault of chosen.flatMap(({ faults }) => faults)) throw new McpDeclarationError(fault);
      hosts.push(...chosen);
      return chosen.flatMap(entriesOf);
    });
    const index = declareMcpTools(entries);
    this.warnOf(index, hosts);
    const givers = hosts.filter(({ givesTools }) => givesTools);
    return {
      fixed: () => index,
      ...(givers.length > 0 && { fresh: () => this.freshTools.ask(givers, index) }),
    };
  }

  private warnOf(index: McpToolIndex, hosts: readonly FoundHost[]): void {
    for (const { tool } of index.entries) {
      if (this.checked.has(tool)) continue;
      this.checked.add(tool);
      for (const fault of checkMcpAnnotations(tool)) this.log.warn(fault);
    }
    for (const { entry, lost } of hosts.flatMap(({ tools }) => tools)) {
      if (this.checked.has(entry)) continue;
      this.checked.add(entry);
      for (const loss of lost) this.log.warn(`Tool "${entry.tool.name}" publishes less than its class says: ${loss}`);
    }
  }
}

function entriesOf({ tools }: FoundHost): McpToolEntry[] {
  return tools.map(({ entry }) => entry);
}
