/**
 * The routes as the HTTP adapter was given them, in its order: what decorators say is only a route once it was registered, and
 * of two that match, the adapter's order decides.
 */
import { Injectable, RequestMethod } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** What is to be known of routes in a process without HTTP. */
export const AS_WRITTEN =
  'This process serves no HTTP: these are the routes as they are written, without what main.ts adds (prefix, versions, global ' +
  'guards, pipes, interceptors and filters).';

type Registration = (...args: unknown[]) => unknown;
type Adapter = Record<string, Registration | undefined> & { getType(): string };

@Injectable()
export class RegisteredRoutes {
  private readonly places = new Map<string, number>();
  private adapter: Adapter | undefined;

  constructor(host: HttpAdapterHost) {
    host.init$.subscribe(() => {
      const adapter = host.httpAdapter as unknown as Adapter | null;
      if (adapter !== null) this.listen(adapter);
    });
  }

  /** `express`, `fastify`; `undefined` when the application serves no HTTP. */
  get platform(): string | undefined {
    return this.adapter?.getType();
  }

  /** Where a route stands among all; `undefined` when it was not registered. */
  placeOf(verb: string, path: string): number | undefined {
    const written = this.adapter?.['normalizePath']?.call(this.adapter, path);
    return (
      this.places.get(keyOf(verb, typeof written === 'string' ? written : path)) ?? this.places.get(keyOf(verb, path))
    );
  }

  /** What was registered, `GET /health`, in its order. */
  get all(): readonly string[] {
    return [...this.places.keys()];
  }

  /**
   * What stands in Express although its adapter was not given it: `GET /raw`, and `GET …/board` below a router that is mounted,
   * of which Express does not know where that is.
   */
  get besides(): readonly string[] {
    if (this.platform !== 'express') return [];
    const { router } = this.adapter!['getInstance']!() as { router?: Stack };
    const given = new Set(this.places.keys());
    const isGiven = (route: string) => given.has(route) || given.has(keyOf('ALL', route.slice(route.indexOf(' ') + 1)));
    return [...new Set(routesIn(router).filter((route) => !isGiven(route)))];
  }

  private listen(adapter: Adapter): void {
    this.adapter = adapter;
    for (const verb of Object.values(RequestMethod).filter((name) => typeof name === 'string')) {
      const name = verb.toLowerCase();
      const register = adapter[name];
      if (typeof register !== 'function') continue;
      adapter[name] = (...args) => {
        if (typeof args[0] === 'string') this.learn(verb, args[0]);
        return register.apply(adapter, args);
      };
    }
  }

  private learn(verb: string, path: string): void {
    const key = keyOf(verb, path);
    if (!this.places.has(key)) this.places.set(key, this.places.size);
  }
}

/** A router of Express, as far as it is looked at. */
interface Stack {
  readonly stack?: readonly {
    readonly route?: { readonly path: unknown; readonly methods: object };
    readonly handle?: Stack;
  }[];
}

function routesIn(router: Stack | undefined, mounted = ''): string[] {
  return (router?.stack ?? []).flatMap(({ route, handle }) => {
    if (route === undefined) return routesIn(handle, '…');
    const verbs = Object.keys(route.methods);
    const told = '_all' in route.methods || verbs.length > 20 ? ['ALL'] : verbs;
    return [route.path].flat().flatMap((path) => told.map((verb) => keyOf(verb, mounted + String(path))));
  });
}

function keyOf(verb: string, path: string): string {
  return `${verb.toUpperCase()} ${path}`;
}
