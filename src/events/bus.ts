/**
 * How events come from the services that make changes to the gates whose clients want to hear of them.
 */
import type { Awaitable } from '../awaitable.js';
import type { McpEvent } from './event.js';

/** Carries events. One that spans processes tells every listener in each of them. */
export interface McpEventBus {
  /** Tells everybody who listens. May fail: the service that made the change never hears of it, the log does. */
  publish(event: McpEvent): Awaitable<void>;
  /** Listens, until the result is called, which is given at once. A gate listens only while a client of it does. */
  subscribe(listener: (event: McpEvent) => void): () => void;
}

/** A bus within this process: listeners are told at once, one after the other. */
export function createMcpEventBus(): McpEventBus {
  return new ProcessBus();
}

class ProcessBus implements McpEventBus {
  private readonly listeners = new Set<{ readonly hear: (event: McpEvent) => void }>();

  /** @throws what the first listener threw that did, once all were told. */
  publish(event: McpEvent): void {
    const failures: unknown[] = [];
    const listeners = [...this.listeners]; // those of now: who is told may bring others
    for (const { hear } of listeners) {
      try {
        hear(event);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  subscribe(listener: (event: McpEvent) => void): () => void {
    const entry = { hear: listener }; // one listener may subscribe twice
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }
}
