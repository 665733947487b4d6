/**
 * `nest_card`: what this application is, in the space of a card.
 */
import { Inject, Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Annotations, McpTool } from '../../nest/tool.decorator.js';
import type { CallToolResult } from '../../tools/result.js';
import { answer } from '../answer.js';
import { GatesAndTools } from '../inspect/gates-and-tools.js';
import { ApplicationModules } from '../inspect/modules.js';
import { isMachinery } from '../inspect/names.js';
import { RegisteredRoutes } from '../inspect/registered-routes.js';
import { ApplicationRoutes } from '../inspect/routes.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { cardOf } from './write-card.js';

@Injectable()
export class CardTool {
  constructor(
    @Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings,
    private readonly registered: RegisteredRoutes,
    private readonly routes: ApplicationRoutes,
    private readonly modules: ApplicationModules,
    private readonly gates: GatesAndTools,
  ) {}

  @McpTool({
    name: 'nest_card',
    title: 'What this application is',
    description:
      'The running Nest application on one card of at most 2,000 characters: name, versions, modules, routes, gates, ' +
      'tools, uptime, memory. Read it first, then ask nest_inspect for one subject.',
    inputSchema: { type: 'object', additionalProperties: false },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  async card(): Promise<CallToolResult> {
    const tools = await this.gates.tools({});
    const { rss, heapUsed } = process.memoryUsage();
    return answer(
      cardOf({
        ...this.ownPackage(),
        nest: versionOfNest(),
        platform: this.registered.platform ?? 'no HTTP',
        uptimeSeconds: process.uptime(),
        memory: { rss, heapUsed },
        modules: this.modules
          .all()
          .filter(({ module }) => !isMachinery(module))
          .map(({ name }) => name),
        routes: this.routes
          .all()
          .filter(({ gate }) => gate === undefined)
          .map(({ method, path }) => `${method} ${path}`),
        gates: this.gates.names.map((name) => {
          const paths = this.routes.all().filter(({ gate }) => gate === name);
          const count = tools.filter(({ gate }) => gate === name).length;
          const at = paths.length === 0 ? '' : ` at ${paths.map(({ path }) => path).join(', ')}`;
          return `${name}${at} (${count} ${count === 1 ? 'tool' : 'tools'})`;
        }),
        tools: [...new Set(tools.map(({ name }) => name))],
      }),
    );
  }

  private ownPackage(): { name: string; version: string } {
    try {
      const { name, version } = JSON.parse(readFileSync(join(this.settings.project, 'package.json'), 'utf8')) as {
        name?: unknown;
        version?: unknown;
      };
      return { name: textOr(name, 'unnamed'), version: textOr(version, '') };
    } catch {
      return { name: 'an application without package.json', version: '' };
    }
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function versionOfNest(): string {
  const { version } = createRequire(import.meta.url)('@nestjs/core/package.json') as { version: string };
  return version;
}
