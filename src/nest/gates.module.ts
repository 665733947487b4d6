/**
 * What all gates of an application share: the search for tools, the listening for routes, the list of gates, and how services
 * tell all of them of changes.
 */
import { Global, Module } from '@nestjs/common';
import { McpNotifier } from '../events/notifier.js';
import { McpEventBuses } from './event-buses.js';
import { McpGateRoutes } from './gate-routes.js';
import { McpGates } from './gates.js';

@Global()
@Module({
  providers: [
    McpEventBuses,
    McpGates,
    McpGateRoutes,
    { provide: McpNotifier, inject: [McpEventBuses], useFactory: (buses: McpEventBuses) => buses.notifier() },
  ],
  exports: [McpGates, McpNotifier],
})
export class McpGatesModule {}
