/**
 * Where the gates' routes are. Only the HTTP adapter knows the whole path, with the application's prefix and version, so
 * its registration of routes is listened to. The body of a gate's request is then read before the framework's own parser
 * can, within the gate's own limit.
 */
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { stashBodyOnExpress, type ExpressLike } from './body.express.js';
import { stashBodyOnFastify, type FastifyLike } from './body.fastify.js';
import { canonicalPath, PlacedRoute, type GateRoute } from './gate.route.js';

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
  private readonly placed = new Map<GateRoute, PlacedRoute>();
  private readonly byPath = new Map<string, PlacedRoute>();
  private readonly patterns: { readonly matches: RegExp; readonly route: PlacedRoute }[] = [];
  private registering?: PlacedRoute;

  constructor(host: HttpAdapterHost) {
    // Before main.ts adds anything of its own. A test's adapter comes later than this constructor.
    const install = () => this.install(host.httpAdapter as unknown as Adapter | null);
    if (host.httpAdapter === undefined) host.init$.subscribe(install);
    else install();
  }

  /** A route as this application has it. */
  of(route: GateRoute): PlacedRoute {
    const known = this.placed.get(route) ?? new PlacedRoute();
    this.placed.set(route, known);
    return known;
  }

  /** The route that answers at a path, as far as a path can tell. */
  at(path: string): PlacedRoute | undefined {
    const known = this.byPath.get(canonicalPath(path));
    return known ?? this.patterns.find(({ matches }) => matches.test(canonicalPath(path)))?.route;
  }

  private install(adapter: Adapter | null): void {
    if (adapter === null) return;
    const type = adapter.getType();
    if (type === 'express') stashBodyOnExpress(adapter.getInstance() as ExpressLike, (path) => this.at(path));
    if (type === 'fastify') stashBodyOnFastify(adapter.getInstance() as FastifyLike, () => this.registering);
    for (const verb of VERBS) {
      const register = adapter[verb];
      adapter[verb] = (...args) => {
        const written = gateOfRoute(args.at(-1));
        const route = written && this.of(written);
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

  private learn(path: string, route: PlacedRoute): void {
    if (!route.paths.includes(path)) route.paths.push(path);
    if (/[:*{(]/.test(path)) this.patterns.push({ matches: toPattern(path), route });
    else this.byPath.set(canonicalPath(path), route);
  }
}

/** The route of the gate that a handler belongs to. */
export function gateOfRoute(handler: unknown): GateRoute | undefined {
  return typeof handler === 'function' ? (Reflect.getOwnMetadata(ROUTE, handler) as GateRoute | undefined) : undefined;
}

/** A prefix with parameters, `/:tenant/mcp`. */
function toPattern(path: string): RegExp {
  const parts = canonicalPath(path)
    .split('/')
    .map((part) => (part.includes('*') ? '.*' : /[:{(]/.test(part) ? '[^/]+' : part.replaceAll(/[^\w-]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
