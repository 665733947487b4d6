/**
 * The module that an application imports in development: what it is made of, for the agent that works on it to ask.
 */
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { McpModule } from '../mcp.module.js';
import { McpGatesModule } from '../nest/gates.module.js';
import { markOwnHosts } from '../nest/own-hosts.js';
import { DEVKIT_SETTINGS, resolveDevkitSettings, type McpDevkitSettings } from './settings.js';

/** The classes whose methods are the tools, in the order of a client's list. */
const TOOLS: Type[] = [];

/** What the tools are made of. */
const PARTS: Type[] = [];

markOwnHosts(TOOLS);

@Module({})
export class McpDevkitModule {
  /**
   * The devkit, with a local gate of its own.
   *
   * @throws Error with `NODE_ENV=production`, unless the settings say `evenInProduction: true`.
   */
  static forRoot(settings: McpDevkitSettings = {}): DynamicModule {
    const resolved = resolveDevkitSettings(settings);
    return {
      module: McpDevkitModule,
      imports: [
        McpGatesModule,
        ...(resolved.gate === false ? [] : [McpModule.forRoot({ ...resolved.gate, tools: [McpDevkitModule] })]),
      ],
      providers: [{ provide: DEVKIT_SETTINGS, useValue: resolved }, ...PARTS, ...TOOLS],
    };
  }
}
