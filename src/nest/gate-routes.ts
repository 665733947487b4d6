/**
 * Where the gates' routes are. Only the HTTP adapter knows the whole path, with the application's prefix and version, so
 * its registration of routes is listened to. The body of a gate's request is then read before the framework's own parser
 * can, within the gate's own limit.
 */
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { stashBodyOnExpress, type ExpressLike } from './body.express.js';
import { stashBodyOnFastify, type FastifyLike } from './body.fastify.js';
import type { GateRoute } from './gate.route.js';

const ROUTE = 'nestjs-mcp-gate:route';
const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const;

type Registration = (...args: unknown[]) => unknown;
type Adapter = Record<(typeof VERBS)[number], Registration> & { getType(): string; getInstance(): unknown };

/** Marks a handler of a gate's controller. Nest copies the mark to the handler that it registers. */
export function markGateRoute(handler: object, route: GateRoute): void {
  Reflect.defineMetadata(ROUTE, route, handler);
}

@Injectable()
export class McpGateRoutes {
  private readonly byPath = new Map<string, GateRoute>();
  private readonly patterns: { readonly matches: RegExp; readonly route: GateRoute }[] = [];
  private registering?: GateRoute;

  constructor(host: HttpAdapterHost) {
    // Before main.ts adds anything of its own. A test's adapter comes later than this constructor.
    host.init$.subscribe(() => this.install(host.httpAdapter as unknown as Adapter | null));
  }

  /** The gate that answers at a path, as far as a path can tell. */
  at(path: string): GateRoute | undefined {
    const known = this.byPath.get(canonical(path));
    return known ?? this.patterns.find(({ matches }) => matches.test(canonical(path)))?.route;
  }

  private install(adapter: Adapter | null): void {
    if (adapter === null) return;
    const type = adapter.getType();
    if (type === 'express') stashBodyOnExpress(adapter.getInstance() as ExpressLike, (path) => this.at(path));
    if (type === 'fastify') stashBodyOnFastify(adapter.getInstance() as FastifyLike, () => this.registering);
    for (const verb of VERBS) {
      const register = adapter[verb];
      adapter[verb] = (...args) => {
        const route = routeOf(args.at(-1));
        if (route !== undefined && typeof args[0] === 'string') this.learn(args[0], route);
        this.registering = route;
        try {
          return register.apply(adapter, args);
        } finally {
          this.registering = undefined;
        }
      };
    }
  }

  private learn(path: string, route: GateRoute): void {
    if (!route.paths.includes(path)) route.paths.push(path);
    if (/[:*{(]/.test(path)) this.patterns.push({ matches: toPattern(path), route });
    else this.byPath.set(canonical(path), route);
  }
}

function routeOf(handler: unknown): GateRoute | undefined {
  return typeof handler === 'function' ? (Reflect.getOwnMetadata(ROUTE, handler) as GateRoute | undefined) : undefined;
}

/** Frameworks differ in case and trailing slashes; a path too many does no harm, its body is parsed all the same. */
function canonical(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

/** A prefix with parameters, `/:tenant/mcp`. */
function toPattern(path: string): RegExp {
  const parts = canonical(path)
    .split('/')
    .map((part) => (part.includes('*') ? '.*' : /[:{(]/.test(part) ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
