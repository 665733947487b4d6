/**
 * The buses on which the application tells its gates of changes: one of its own, and those that gates name instead.
 */
import { Injectable, Logger } from '@nestjs/common';
import { createMcpEventBus, type McpEventBus } from '../events/bus.js';
import { McpNotifier } from '../events/notifier.js';
import { causeText } from '../gate/log.js';

@Injectable()
export class McpEventBuses {
  /** For every gate that names no other. */
  readonly own = createMcpEventBus();
  private readonly log = new Logger('McpGate');
  private readonly all = new Set<McpEventBus>([this.own]);

  /** Takes in the bus of a gate. One that several gates name hears of each event once. */
  add(bus: McpEventBus): void {
    this.all.add(bus);
  }

  /** Tells all of them. One that fails is written of in the log. */
  notifier(): McpNotifier {
    return new McpNotifier(this.all, (error, what) => this.log.error(`${what}: ${causeText(error)}`));
  }
}
