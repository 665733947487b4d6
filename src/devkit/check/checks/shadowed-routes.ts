/**
 * Express asks routes in the order in which they were registered: one that takes everything that a later one would leaves it
 * without a request. Fastify looks for the closest, whatever the order.
 */
import type { RouteFacts } from '../../inspect/routes.js';
import type { Finding, WiringCheck } from '../finding.js';
import { covers, segmentsOf, type Segment } from './covering.js';

export const shadowedRoutes: WiringCheck = ({ registered, routes }) => {
  if (registered.platform !== 'express') return [];
  const before: Route[] = [];
  return routes.all().flatMap((facts) => {
    const route = { facts, segments: segmentsOf(facts.path) };
    const earlier = before.find((other) => shadows(other, route))?.facts;
    before.push(route);
    return earlier === undefined ? [] : [told(earlier, facts)];
  });
};

interface Route {
  readonly facts: RouteFacts;
  readonly segments: readonly Segment[] | undefined;
}

function told(earlier: RouteFacts, route: RouteFacts): Finding {
  const same = earlier.path === route.path;
  return {
    level: 'fault',
    what: `${route.method} ${route.path} never answers: ${earlier.method} ${earlier.path} of ${nameOf(earlier)} was registered before it and takes its requests.`,
    where: nameOf(route),
    cure: same
      ? 'Give one of the two another path or version.'
      : `Write ${route.handler} before ${earlier.handler}${earlier.controller === route.controller ? '' : `, that is import ${route.module} before ${earlier.module}`}, or give it a path that the other does not take.`,
    code: route.callback,
  };
}

function shadows({ facts: earlier, segments }: Route, { facts: later, segments: laters }: Route): boolean {
  if (earlier.host !== undefined && earlier.host !== later.host) return false;
  if (earlier.method !== 'ALL' && earlier.method !== later.method) return false;
  if (earlier.callback === later.callback && earlier.type === later.type) return false;
  if (earlier.version !== undefined && earlier.version !== later.version && !isInPath(earlier)) return false;
  return covers(segments, laters);
}

/** A version that stands in the path is part of what is compared. */
function isInPath({ path, version }: RouteFacts): boolean {
  return version !== undefined && path.split('/').some((part) => part.endsWith(version) && part !== version);
}

function nameOf({ controller, handler }: RouteFacts): string {
  return `${controller}.${handler}`;
}
