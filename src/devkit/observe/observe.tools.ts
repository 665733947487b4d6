/**
 * `nest_observe`: what was asked of the application lately, and how long it took.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { McpGateRoutes } from '../../nest/gate-routes.js';
import { Annotations, McpTool } from '../../nest/tool.decorator.js';
import { McpToolFailure } from '../../tools/failure.js';
import { answer } from '../answer.js';
import { bounded } from '../bounded.js';
import { withinBound } from '../project/within-bound.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { RequestObserver } from './request-observer.js';
import { groupedByRoute, tellRequest, timeAt } from './told-requests.js';

/** What is asked. */
interface Observation {
  readonly since?: string;
  readonly route?: string;
  readonly slowerThan?: number;
}

const MAX_ITEMS = 40;
/** Of a span back from now, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

@Injectable()
export class ObserveTools {
  constructor(
    private readonly observer: RequestObserver,
    private readonly modules: ModuleRef,
    @Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings,
  ) {}

  @McpTool({
    name: 'nest_observe',
    title: 'Recent requests',
    description:
      'The last requests to this application, from its memory: route, status, milliseconds, who asked and the class of what was ' +
      'thrown; and for each route how many there were, the median and the 99th percentile. Use it to find what is slow or fails. ' +
      'Requests of MCP clients are told apart by "gate".',
    inputSchema: {
      type: 'object',
      properties: {
        since: {
          type: 'string',
          maxLength: 40,
          description:
            'Only requests since then: a time such as 2026-01-31T12:00:00Z, or a span back from now: 30s, 5m, 1h.',
        },
        route: {
          type: 'string',
          maxLength: 200,
          description: 'Words that method, route pattern or gate must hold, such as "POST /orders".',
        },
        slowerThan: { type: 'number', minimum: 0, description: 'Only requests that took more milliseconds.' },
      },
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  observe({ since, route, slowerThan }: Observation): unknown {
    if (!this.observer.observes) throw new McpToolFailure(this.noTraffic());
    const remembered = this.observer.newestFirst();
    const from = since === undefined ? Number.NEGATIVE_INFINITY : timeOf(since);
    const chosen = remembered.filter(
      ({ began, took }) => timeAt(began) >= from && (slowerThan === undefined || took > slowerThan),
    );
    const routes = this.modules.get(McpGateRoutes, { strict: false });
    const told = chosen.map((exchange) => {
      const gate = routes.at(exchange.route)?.gate?.settings.name;
      return { exchange, told: tellRequest(exchange, gate) };
    });
    const text = ({ route: of, gate = '' }: { route: string; gate?: string }) => `${of} ${gate}`;
    const groups = groupedByRoute(told);
    return answer(
      withinBound(MAX_ITEMS, (limit) => {
        const summed = bounded(groups, { of: 'routes', filter: route, limit, text });
        const requests = bounded(
          told.map((one) => one.told),
          { of: 'requests', filter: route, limit, text },
        );
        return {
          remembered: remembered.length,
          ...(remembered.length > 0 && { oldest: new Date(timeAt(remembered.at(-1)!.began)).toISOString() }),
          routes: summed.items,
          ...(summed.more !== undefined && { moreRoutes: narrowed(summed.more) }),
          requests: requests.items,
          requestsInAll: requests.total,
          ...(requests.more !== undefined && { moreRequests: narrowed(requests.more) }),
        };
      }),
    );
  }

  private noTraffic(): string {
    const { gate } = this.settings;
    const where =
      gate === false
        ? 'a gate over HTTP'
        : `the HTTP gate "${gate.name}" at POST ${gate.path}, behind the prefix that main.ts sets`;
    return (
      'There is no traffic here: this process speaks over standard input and output and listens on no port. nest_observe and ' +
      `nest_profile_route measure traffic: start the application and ask ${where}.`
    );
  }
}

/** Milliseconds since the epoch. @throws McpToolFailure */
function timeOf(since: string): number {
  const span = /^(\d{1,6})([smh])$/.exec(since.trim());
  const time = span === null ? Date.parse(since) : Date.now() - Number(span[1]) * UNITS[span[2]!]!;
  if (!Number.isNaN(time)) return time;
  throw new McpToolFailure('since must be a time such as 2026-01-31T12:00:00Z, or a span back from now: 30s, 5m, 1h.');
}

function narrowed(more: string): string {
  return more.replace(/narrow.*$/, 'narrow with route, since or slowerThan');
}
