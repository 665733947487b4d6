/**
 * Guards, pipes, interceptors and filters that are written and do not run, and routes that are written and do not exist.
 */
import type { RouteFacts } from '../../inspect/routes.js';
import type { RunningPart } from '../../inspect/running-parts.js';
import type { Finding, WiringCheck } from '../finding.js';

export const idleParts: WiringCheck = ({ routes, running }) => [
  ...(['guard', 'pipe', 'interceptor', 'filter'] as const).flatMap((kind) =>
    running.global(kind).flatMap((part) => idle(part, `the global ${kind}s`, undefined)),
  ),
  ...routes.all().flatMap((route) => partsOf(route).flatMap((part) => idle(part, nameOf(route), route.callback))),
  ...routes.unregistered().map((route): Finding => ({
    level: 'fault',
    what: `${route.method} ${route.path} is written, and the application does not serve it: its module was loaded after the routes were built.`,
    where: nameOf(route),
    cure: 'Import the module when the application starts: controllers of lazily loaded modules have no routes.',
    code: route.callback,
  })),
];

function idle({ name, idle: reason }: RunningPart, where: string, code: Function | undefined): Finding[] {
  if (reason === undefined) return [];
  return [{ level: 'fault', what: `${name} does not run: ${reason}.`, where, cure: 'Mend it, or remove it.', code }];
}

function partsOf({ guards, pipes, interceptors, filters, parameters }: RouteFacts): RunningPart[] {
  const all = [...guards, ...pipes, ...interceptors, ...filters, ...parameters.flatMap((parameter) => parameter.pipes)];
  return all.filter(({ from }) => from !== 'global'); // those are told once
}

function nameOf({ controller, handler }: RouteFacts): string {
  return `${controller}.${handler}`;
}
