/**
 * Those who listen at one gate: one listener of the bus for all of them, and none while there is nobody (G10).
 */
import { AsyncResource } from 'node:async_hooks';
import type { McpEventBus } from './bus.js';
import { isMcpEvent, type McpEvent } from './event.js';

/** Stands for the way to leave a bus that gives none. */
const STAY = (): void => undefined;

type Listener = (event: McpEvent) => void;

export class McpAudience {
  private readonly listeners = new Set<Listener>();
  private leaveBus: (() => void) | undefined;

  /** @param report hears of a bus that does not let go, or gives no way to leave it */
  constructor(
    private readonly bus: McpEventBus,
    private readonly report: (error: unknown) => void,
  ) {}

  /**
   * Listens, until the result is called. Whoever publishes an event does so for a request of its own, perhaps of another
   * caller: the listener is called in the async context of whoever called this, and sees nothing of that.
   *
   * @param listener never throws
   * @throws what the bus throws when it cannot be listened to
   */
  join(listener: Listener): () => void {
    const own = AsyncResource.bind(listener);
    this.leaveBus ??= this.listen();
    this.listeners.add(own);
    return () => {
      this.listeners.delete(own);
      if (this.listeners.size === 0) this.leave();
    };
  }

  private listen(): () => void {
    const leave: unknown = this.bus.subscribe((event: unknown) => {
      if (!isMcpEvent(event)) return;
      const listeners = [...this.listeners]; // those of now: who is told may bring others
      for (const tell of listeners) tell(event);
    });
    if (typeof leave === 'function') return leave as () => void;
    this.report(
      new TypeError(
        'subscribe() of the bus must give the function that ends it, at once and not as a promise. The gate listens on until ' +
          'the process ends.',
      ),
    );
    return STAY;
  }

  private leave(): void {
    const leave = this.leaveBus;
    if (leave === STAY) return; // or each client would be one listener more, and hear everything once more
    this.leaveBus = undefined;
    try {
      leave?.();
    } catch (error) {
      this.report(error);
    }
  }
}
