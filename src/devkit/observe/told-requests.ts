/**
 * What is told of requests: of each one a line, and of each route what its requests took.
 */
import { maskText } from '../secrets/shapes.js';
import { percentile } from './percentile.js';
import { expressRoute, type ObservedExchange } from './request-ring.js';

/** A request, as it is told. */
export interface ToldRequest {
  readonly at: string;
  readonly route: string;
  /** The gate that it was for: a client of MCP has sent it, and not a user of the application. */
  readonly gate?: string;
  readonly status: number | 'under way' | 'client left';
  readonly ms?: number;
  readonly caller?: string;
  readonly error?: string;
}

const NO_ROUTE = '(no route)';

/** A request as it is told; `gate` is the name of the gate that it was for. */
export function tellRequest(exchange: ObservedExchange, gate: string | undefined): ToldRequest {
  const { began, took, method, status, subject, error, response, request } = exchange;
  const pattern = exchange.route || (request === undefined ? '' : expressRoute(request));
  const left = response?.destroyed === true;
  return {
    at: new Date(timeAt(began)).toISOString(),
    route: maskText(`${method} ${pattern || NO_ROUTE}`), // a filter looks at it
    ...(gate !== undefined && { gate }),
    status: took >= 0 ? status : left ? 'client left' : 'under way',
    ...(took >= 0 && { ms: rounded(took) }),
    ...(subject !== '' && { caller: subject }),
    ...(error !== '' && { error }),
  };
}

/** What each route took, in milliseconds. The slowest first: by what its requests took together; none under way is counted. */
export function groupedByRoute(all: readonly { exchange: ObservedExchange; told: ToldRequest }[]) {
  const groups = new Map<string, { route: string; gate?: string; times: number[]; failed: number }>();
  for (const { exchange, told } of all) {
    if (exchange.took < 0) continue;
    const { route, gate } = told;
    const group = groups.get(route) ?? { route, ...(gate !== undefined && { gate }), times: [], failed: 0 };
    group.times.push(exchange.took);
    if (exchange.status >= 500) group.failed += 1;
    groups.set(route, group);
  }
  return [...groups.values()]
    .map(({ times, failed, ...rest }) => {
      const sorted = times.toSorted((a, b) => a - b);
      return {
        ...rest,
        count: times.length,
        ...(failed > 0 && { answeredWith5xx: failed }),
        p50: rounded(percentile(sorted, 0.5)),
        p99: rounded(percentile(sorted, 0.99)),
        max: rounded(sorted.at(-1)!),
        sum: times.reduce((total, one) => total + one, 0),
      };
    })
    .toSorted((a, b) => b.sum - a.sum)
    .map(({ sum, ...group }) => ({ ...group, together: rounded(sum) }));
}

/** Milliseconds since the epoch, of a time of the clock of the process. */
export function timeAt(began: number): number {
  return performance.timeOrigin + began;
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
