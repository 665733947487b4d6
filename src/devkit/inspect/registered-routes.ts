/**
 * The routes as the HTTP adapter was given them, in its order: what decorators say is only a route once it was registered, and
 * of two that match, the adapter's order decides.
 */
import { Injectable, RequestMethod } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { listenToFastify, routesOfExpress, type Fastify, type Express } from './platform-routes.js';

/** What is to be known of routes in a process without HTTP. */
export const AS_WRITTEN =
  'This process serves no HTTP: these are the routes as they are written, without what main.ts adds (prefix, versions, global ' +
  'guards, pipes, interceptors and filters).';

type Registration = (...args: unknown[]) => unknown;
type Adapter = Record<string, Registration | undefined> & { getType(): string };

@Injectable()
export class RegisteredRoutes {
  private readonly places = new Map<string, number>();
  /** What Fastify was given, whoever gave it. */
  private readonly ofFastify = new Set<string>();
  /** The adapter registers one at this moment. */
  private giving = false;
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

  /** What stands in Express or Fastify although its adapter was not given it: `GET /raw`. */
  get besides(): readonly string[] {
    if (this.platform !== 'express') return [...this.ofFastify];
    const express = this.adapter!['getInstance']!() as Express;
    const isGiven = (route: string) =>
      this.places.has(route) || this.places.has(keyOf('ALL', route.slice(route.indexOf(' ') + 1)));
    return routesOfExpress(express).filter((route) => !isGiven(route));
  }

  private listen(adapter: Adapter): void {
    this.adapter = adapter;
    for (const verb of Object.values(RequestMethod).filter((name) => typeof name === 'string')) {
      const name = verb.toLowerCase();
      const register = adapter[name];
      if (typeof register !== 'function') continue;
      adapter[name] = (...args) => {
        if (typeof args[0] === 'string') this.learn(verb, args[0]);
        this.giving = true;
        try {
          return register.apply(adapter, args);
        } finally {
          this.giving = false;
        }
      };
    }
    if (adapter.getType() === 'fastify') {
      listenToFastify(adapter['getInstance']!() as Fastify, (route) => !this.giving && this.ofFastify.add(route));
    }
  }

  private learn(verb: string, path: string): void {
    const key = keyOf(verb, path);
    if (!this.places.has(key)) this.places.set(key, this.places.size);
  }
}

/** `GET /health` */
function keyOf(verb: string, path: string): string {
  return `${verb.toUpperCase()} ${path}`;
}
