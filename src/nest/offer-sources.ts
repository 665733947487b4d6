/**
 * What each gate offers beside tools: that of the classes whose tools it serves, and what its settings list as plain
 * objects. Bad declarations are treated as those of tools are (T4).
 */
import { Injectable, Logger } from '@nestjs/common';
import { whenThere } from '../awaitable.js';
import type { McpOffers } from '../gate/offers.js';
import type { ResolvedGateSettings } from '../gate/settings.js';
import { declareMcpResources } from '../resources/declare.js';
import type { McpResourceIndex } from '../resources/resource-index.js';
import { McpDeclarationError, type McpToolFault } from '../tools/declare.js';
import type { FoundHost } from './explorer.js';
import { McpHosts } from './hosts.js';

/** Everything that is offered, as it is at this moment. */
interface Offered {
  readonly resources: McpResourceIndex;
}

@Injectable()
export class McpOfferSources {
  private readonly log = new Logger('McpGate');
  /** What was warned of once, on behalf of all gates. */
  private readonly warned = new Set<string>();

  constructor(private readonly hosts: McpHosts) {}

  /**
   * What a gate offers.
   *
   * @throws McpDeclarationError for a bad plain object, and when the gate lists its classes for what they declare badly.
   */
  of(settings: ResolvedGateSettings): McpOffers {
    const { tools } = settings;
    declareAll([], settings); // a bad plain object stops the boot, whatever is discovered
    const offered = tools === 'discovered' ? this.discover(settings) : this.choose(tools, settings);
    return {
      resources: () => whenThere(this.hosts.pending, () => offered().resources),
    };
  }

  private discover(settings: ResolvedGateSettings): () => Offered {
    let hosts: readonly FoundHost[] | undefined;
    let offered: Offered;
    const report = (fault: McpToolFault) => this.warnOnce(`Not served: ${new McpDeclarationError(fault).message}`);
    return () => {
      const found = this.hosts.all();
      if (found !== hosts) offered = declareAll((hosts = found), settings, report);
      return offered;
    };
  }

  private choose(tools: readonly unknown[], settings: ResolvedGateSettings): () => Offered {
    const hosts = tools.flatMap((origin, position) =>
      typeof origin === 'function' ? this.hosts.of(origin as never, position) : [],
    );
    const offered = declareAll(hosts, settings);
    return () => offered;
  }

  private warnOnce(sentence: string): void {
    if (this.warned.has(sentence)) return;
    this.warned.add(sentence);
    this.log.warn(sentence);
  }
}

/** Plain objects first: what stands in the settings keeps its place against what is discovered. */
function declareAll(
  hosts: readonly FoundHost[],
  settings: ResolvedGateSettings,
  report?: (fault: McpToolFault) => void,
): Offered {
  const listed = settings.resources.map((resource, at) => ({ resource, origin: `settings.resources[${at}]` }));
  const options = report && { report };
  return {
    resources: declareMcpResources([...listed, ...hosts.flatMap(({ resources }) => resources)], options),
  };
}
