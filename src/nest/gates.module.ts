/**
 * What all gates of an application share: the search for tools, the listening for routes, and the list of gates.
 */
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MethodEnhancers } from './enhancers.js';
import { McpToolExplorer } from './explorer.js';
import { McpGateRoutes } from './gate-routes.js';
import { McpGates } from './gates.js';
import { McpHosts } from './hosts.js';
import { McpMetadataRoutes } from './metadata-routes.js';
import { McpOfferSources } from './offer-sources.js';
import { McpToolSources } from './tool-sources.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    McpGates,
    McpGateRoutes,
    McpHosts,
    McpMetadataRoutes,
    McpOfferSources,
    McpToolExplorer,
    McpToolSources,
    MethodEnhancers,
  ],
  exports: [McpGates],
})
export class McpGatesModule {}
