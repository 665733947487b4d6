/**
 * What each gate offers beside tools: that of the classes whose tools it serves, and what its settings list as plain
 * objects. Bad declarations are treated as those of tools are (T4).
 */
import { Logger } from '@nestjs/common';
import { whenThere } from '../awaitable.js';
import { declareOffers, type McpOffered, type McpOffers } from '../gate/offers.js';
import type { ResolvedGateSettings } from '../gate/settings.js';
import { McpDeclarationError, type McpToolFault } from '../tools/declarations.js';
import type { FoundHost } from './explorer.js';
import type { McpHosts } from './hosts.js';

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
    declareOffers({ ...settings, completions: [] }); // a bad plain object stops the boot, whatever is discovered
    const offered = tools === 'discovered' ? this.discover(settings) : this.choose(tools, settings);
    const now = () => whenThere(this.hosts.pending, offered);
    return {
      resources: () => whenThere(now(), ({ resources }) => resources),
      prompts: () => whenThere(now(), ({ prompts }) => prompts),
      completions: () => whenThere(now(), ({ completions }) => completions),
    };
  }

  private discover(settings: ResolvedGateSettings): () => McpOffered {
    let hosts: readonly FoundHost[] | undefined;
    let offered: McpOffered;
    const report = (fault: McpToolFault) => this.warnOnce(`Not served: ${new McpDeclarationError(fault).message}`);
    return () => {
      const found = this.hosts.all();
      if (found !== hosts) offered = declareOffers(settings, (hosts = found), report);
      return offered;
    };
  }

  private choose(tools: readonly unknown[], settings: ResolvedGateSettings): () => McpOffered {
    const hosts = tools.flatMap((origin, position) =>
      typeof origin === 'function' ? this.hosts.of(origin as never, position) : [],
    );
    const offered = declareOffers(settings, hosts);
    return () => offered;
  }

  private warnOnce(sentence: string): void {
    if (this.warned.has(sentence)) return;
    this.warned.add(sentence);
    this.log.warn(sentence);
  }
}
