/**
 * The module that an application imports in development: what it is made of, for the agent that works on it to ask.
 */
import { Inject, Module, type DynamicModule, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { McpModule } from '../mcp.module.js';
import { McpGatesModule } from '../nest/gates.module.js';
import { markOwnHosts } from '../nest/own-hosts.js';
import { ADMIN_PARTS, ADMIN_TOOLS } from './admin/index.js';
import { CardTool } from './card/card.tool.js';
import { CheckTool } from './check/check.tool.js';
import { DOCS_TOOLS } from './docs/index.js';
import { BackgroundWork } from './inspect/background/background.js';
import { ApplicationConfiguration } from './inspect/config.js';
import { GatesAndTools } from './inspect/gates-and-tools.js';
import { InspectTool } from './inspect/inspect.tool.js';
import { ApplicationModules } from './inspect/modules.js';
import { ApplicationProviders } from './inspect/providers.js';
import { RegisteredRoutes } from './inspect/registered-routes.js';
import { ApplicationRoutes } from './inspect/routes.js';
import { RunningPartsReader } from './inspect/running-parts.js';
import { OBSERVE_PARTS, OBSERVE_TOOLS } from './observe/index.js';
import { PROFILE_PARTS, PROFILE_TOOLS } from './profile/index.js';
import { SYMBOL_TOOLS } from './symbols/index.js';
import {
  DEVKIT_SETTINGS,
  refuseProduction,
  resolveDevkitSettings,
  type McpDevkitSettings,
  type ResolvedDevkitSettings,
} from './settings.js';

/** The classes whose methods are the tools, in the order of a client's list. */
const TOOLS: Type[] = [
  CardTool,
  InspectTool,
  CheckTool,
  ...SYMBOL_TOOLS,
  ...DOCS_TOOLS,
  ...OBSERVE_TOOLS,
  ...ADMIN_TOOLS,
  ...PROFILE_TOOLS,
];

/** What the tools are made of. */
const PARTS: Type[] = [
  ApplicationConfiguration,
  ApplicationModules,
  ApplicationProviders,
  ApplicationRoutes,
  BackgroundWork,
  GatesAndTools,
  RegisteredRoutes,
  RunningPartsReader,
  ...OBSERVE_PARTS,
  ...ADMIN_PARTS,
  ...PROFILE_PARTS,
];

/**
 * What an application imports in development so that an agent can ask it what it is: `imports: [McpDevkitModule.forRoot()]`. Its
 * reading tools are at a gate of this machine alone; whoever reaches that sees how the application is built, without its secrets.
 *
 * Does NOT ask for a token, unless the settings of its gate say `authorization`.
 */
@Module({})
export class McpDevkitModule implements OnModuleInit {
  constructor(@Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings) {}

  /**
   * The devkit, with a local gate of its own.
   *
   * @throws Error with `NODE_ENV=production`, unless the settings say `evenInProduction: true`; TypeError for a setting that
   * cannot be used.
   */
  static forRoot(settings: McpDevkitSettings = {}): DynamicModule {
    const resolved = resolveDevkitSettings(settings);
    return {
      module: McpDevkitModule,
      imports: [
        DiscoveryModule,
        McpGatesModule,
        ...(resolved.gate === false ? [] : [McpModule.forRoot({ ...resolved.gate, tools: [McpDevkitModule] })]),
      ],
      providers: [{ provide: DEVKIT_SETTINGS, useValue: resolved }, ...PARTS, ...TOOLS],
    };
  }

  onModuleInit(): void {
    refuseProduction(this.settings);
  }
}

markOwnHosts([McpDevkitModule, ...TOOLS]);
