/**
 * What all gates of an application share: the search for tools, the listening for routes, the list of gates, and how services
 * tell all of them of changes.
 */
import { Global, Module } from '@nestjs/common';
import { McpNotifier } from '../events/notifier.js';
import { MethodEnhancers } from './enhancers.js';
import { McpEventBuses } from './event-buses.js';
import { McpToolExplorer } from './explorer.js';
import { McpGateRoutes } from './gate-routes.js';
import { McpGates } from './gates.js';
import { McpHosts } from './hosts.js';
import { McpMetadataRoutes } from './metadata-routes.js';
import { McpOfferSources } from './offer-sources.js';
import { McpToolSources } from './tool-sources.js';

@Global()
@Module({
  providers: [
    McpEventBuses,
    McpGates,
    McpGateRoutes,
    McpHosts,
    McpMetadataRoutes,
    McpOfferSources,
    McpToolExplorer,
    McpToolSources,
    MethodEnhancers,
    { provide: McpNotifier, inject: [McpEventBuses], useFactory: (buses: McpEventBuses) => buses.notifier() },
  ],
  exports: [McpGates, McpNotifier],
})
export class McpGatesModule {}
