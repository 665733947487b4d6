/**
 * What a service calls when it has changed something that clients may have seen.
 */
import { isPending } from '../awaitable.js';
import type { McpEventBus } from './bus.js';
import type { McpEvent } from './event.js';

const BUS_FAILED = 'A bus of events failed, its gates may not have heard of a change';

/** What every URI begins with (RFC 3986). */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Tells the clients of every gate of the application that something has changed. Injectable wherever the application imports
 * `McpModule.forRoot()`. Each client hears only of what it can see: a change that makes no difference to it is not told.
 *
 * Call it after the change. It returns at once and never throws, whoever listens and whether or not the bus works.
 */
export class McpNotifier {
  /**
   * @param buses where events go: asked anew for each
   * @param report hears of a bus that failed, and of a URI that no client can follow
   * @throws TypeError without buses: an application is given its notifier, and does not make one
   */
  constructor(
    private readonly buses: Iterable<McpEventBus>,
    private readonly report: (error: unknown, what: string) => void,
  ) {
    if (typeof report === 'function') return;
    throw new TypeError(
      'McpNotifier comes with McpModule.forRoot(), for every module of the application: take it out of your "providers". A test ' +
        'without that module gives a value in its place: { provide: McpNotifier, useValue: … }.',
    );
  }

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
   * @param uri exactly as clients read it; `mcpUri()` makes that of a template. One without a scheme is written of in the log
   */
  resourceUpdated(uri: string): void {
    if (typeof uri === 'string' && SCHEME.test(uri)) this.publish({ kind: 'resource', uri });
    else
      this.report(
        new TypeError(`${shown(uri)} is no URI: say it as clients read it, with its scheme.`),
        'Nobody hears of a change',
      );
  }

  private publish(event: McpEvent): void {
    for (const bus of this.buses) {
      try {
        const published = bus.publish(event);
        if (isPending(published)) void published.then(undefined, (error: unknown) => this.report(error, BUS_FAILED));
      } catch (error) {
        this.report(error, BUS_FAILED);
      }
    }
  }
}

/** What was given in place of a URI, for the log. */
function shown(uri: unknown): string {
  return typeof uri === 'string' ? `"${uri.slice(0, 200)}"` : `What is of the type ${typeof uri}`;
}
