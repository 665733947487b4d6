/**
 * What a service calls when it has changed something that clients may have seen.
 */
import { isPending } from '../awaitable.js';
import type { McpEventBus } from './bus.js';
import type { McpEvent } from './event.js';

/**
 * Tells the clients of every gate of the application that something has changed. Injectable wherever the application imports
 * `McpModule.forRoot()`. Each client hears only of what it can see: a change that makes no difference to it is not told.
 *
 * Call it after the change. It returns at once and never throws, whoever listens and whether or not the bus works.
 */
export class McpNotifier {
  /**
   * @param buses where events go: asked anew for each
   * @param report hears of a bus that failed
   */
  constructor(
    private readonly buses: Iterable<McpEventBus>,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Tools came, went, or are described differently, for some caller at least. */
  toolsChanged(): void {
    this.publish({ kind: 'tools' });
  }

  /** Prompts came, went, or are described differently. */
  promptsChanged(): void {
    this.publish({ kind: 'prompts' });
  }

  /** Resources or resource templates came, went, or are described differently. */
  resourcesChanged(): void {
    this.publish({ kind: 'resources' });
  }

  /**
   * Reading a resource gives something else than before.
   *
   * @param uri exactly as clients read it; `mcpUri()` makes that of a template
   */
  resourceUpdated(uri: string): void {
    this.publish({ kind: 'resource', uri });
  }

  private publish(event: McpEvent): void {
    for (const bus of this.buses) {
      try {
        const published = bus.publish(event);
        if (isPending(published)) void published.then(undefined, this.report);
      } catch (error) {
        this.report(error);
      }
    }
  }
}
