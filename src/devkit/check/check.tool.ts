/**
 * `nest_check`: faults of wiring that compile and start, each with its place and its cure.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Annotations, McpTool } from '../../nest/tool.decorator.js';
import type { CallToolResult } from '../../tools/result.js';
import { answer } from '../answer.js';
import { bounded } from '../bounded.js';
import { GatesAndTools } from '../inspect/gates-and-tools.js';
import { ApplicationModules } from '../inspect/modules.js';
import { ApplicationProviders } from '../inspect/providers.js';
import { AS_WRITTEN, RegisteredRoutes } from '../inspect/registered-routes.js';
import { ApplicationRoutes } from '../inspect/routes.js';
import { RunningPartsReader } from '../inspect/running-parts.js';
import { placesOf, type Place } from '../places/places.js';
import { maskSecrets } from '../secrets/mask.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { circles } from './checks/circles.js';
import { idleParts } from './checks/idle-parts.js';
import { neverInjected } from './checks/never-injected.js';
import { requestScope } from './checks/request-scope.js';
import { shadowedRoutes } from './checks/shadowed-routes.js';
import { tools } from './checks/tools.js';
import { unguardedRoutes } from './checks/unguarded-routes.js';
import { unvalidatedParameters } from './checks/unvalidated-parameters.js';
import type { CheckedApplication, Finding, WiringCheck } from './finding.js';

const CHECKS: Readonly<Record<string, WiringCheck>> = {
  'shadowed-routes': shadowedRoutes,
  'unguarded-routes': unguardedRoutes,
  'unvalidated-parameters': unvalidatedParameters,
  'idle-parts': idleParts,
  'request-scope': requestScope,
  'never-injected': neverInjected,
  circles,
  tools,
};

@Injectable()
export class CheckTool {
  private readonly application: CheckedApplication;

  constructor(
    @Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings,
    registered: RegisteredRoutes,
    routes: ApplicationRoutes,
    running: RunningPartsReader,
    modules: ApplicationModules,
    providers: ApplicationProviders,
    gates: GatesAndTools,
  ) {
    this.application = { registered, routes, running, modules, providers, gates };
  }

  @McpTool({
    name: 'nest_check',
    title: 'Look for faults of wiring',
    description:
      'Faults of the running Nest application that compile and start: routes that never answer because another takes ' +
      'their requests, routes without a guard beside guarded ones, parameters that no pipe validates, enhancers that do ' +
      'not run, request scope that spreads, providers that nobody needs, circular imports, faulty MCP tools. Each with ' +
      'its place and its cure. Ask it after changing modules, controllers or providers.',
    inputSchema: {
      type: 'object',
      properties: {
        check: { type: 'string', enum: Object.keys(CHECKS), description: 'Only this one. Default: all.' },
        filter: { type: 'string', maxLength: 200, description: 'Words that must all occur, in any case.' },
      },
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  async check({ check, filter }: { check?: string; filter?: string }): Promise<CallToolResult> {
    const names = check === undefined ? Object.keys(CHECKS) : [check];
    const found = await Promise.all(
      names.map(async (name) => (await CHECKS[name]!(this.application)).map((finding) => ({ name, finding }))),
    );
    const all = found.flat().toSorted((one, other) => rank(one.finding) - rank(other.finding));
    const codes = [...new Set(all.map(({ finding }) => finding.code).filter((code) => code !== undefined))];
    const places = await placesOf(codes, this.settings.project);
    const told = all
      .filter(({ finding }) => !finding.ownCodeOnly || isOwn(finding.code && places.get(finding.code)))
      .map(({ name, finding }) => maskSecrets(inWords(name, finding, finding.code && places.get(finding.code))));
    const note = this.application.registered.platform === undefined ? { note: AS_WRITTEN } : {};
    return answer({ checked: names, ...note, ...bounded(told, { of: 'findings', filter }) });
  }
}

function rank({ level }: Finding): number {
  return level === 'fault' ? 0 : 1;
}

/** Of a package, or of nobody knows where, nothing is said. */
function isOwn(place: Place | undefined): boolean {
  return place !== undefined && !/(?:^|[\\/])node_modules[\\/]/.test(place.file);
}

function inWords(check: string, { level, what, where, cure }: Finding, place: Place | undefined): object {
  return { check, level, what, where, file: place && `${place.file}:${place.line}`, cure };
}
