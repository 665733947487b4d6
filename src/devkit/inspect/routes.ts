/**
 * The application's routes as they answer: Nest's decorators say what they are, the adapter says which exist and in which
 * order, and each has what really runs around it.
 */
import { Injectable, VERSION_NEUTRAL } from '@nestjs/common';
import { ApplicationConfig, MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import { McpGates } from '../../nest/gates.js';
import { gateOfRoute } from '../../nest/gate-routes.js';
import { NestRoutes, type WrittenRoute } from './nest-parts/routes.js';
import { RegisteredRoutes } from './registered-routes.js';
import { RunningPartsReader, type RunningParameter, type RunningParts } from './running-parts.js';

/** One route. */
export interface RouteFacts extends RunningParts {
  readonly method: string;
  /** With prefix and version. */
  readonly path: string;
  /** One that stands in a header or media type too. */
  readonly version?: string;
  readonly host?: string;
  readonly module: string;
  readonly controller: string;
  readonly handler: string;
  readonly parameters: readonly RunningParameter[];
  /** The controller is made anew for every request. */
  readonly perRequest: boolean;
  /** The gate that the route is of. */
  readonly gate?: string;
  readonly type: Function;
  readonly callback: Function;
  readonly wrapper: InstanceWrapper;
  /** Its place in the adapter's order; `undefined` when no adapter has it. */
  readonly place?: number;
}

type Version = ReturnType<NestRoutes['controller']>['version'];

@Injectable()
export class ApplicationRoutes {
  /** What was found in this turn of the event loop, in which nothing changes: a check asks a dozen times. */
  private found: readonly RouteFacts[] | undefined;
  private readonly nest: NestRoutes;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
    private readonly running: RunningPartsReader,
    private readonly registered: RegisteredRoutes,
    private readonly gates: McpGates,
    config: ApplicationConfig,
  ) {
    this.nest = new NestRoutes(modules, config);
  }

  /** Those that answer, in the order in which they are looked at. Without HTTP: those that are written. */
  all(): readonly RouteFacts[] {
    const written = this.written();
    if (this.registered.platform === undefined) return written;
    return written.filter(({ place }) => place !== undefined).toSorted((one, other) => one.place! - other.place!);
  }

  /** Those that decorators say, which no adapter was given. */
  unregistered(): readonly RouteFacts[] {
    return this.registered.platform === undefined ? [] : this.written().filter(({ place }) => place === undefined);
  }

  /** What the adapter has besides: pages of Swagger, routes that code has added. `GET /docs` */
  outside(): string[] {
    const written = this.written();
    const known = new Set(written.flatMap(({ place }) => place ?? []));
    const gates = new Set(written.flatMap(({ gate, path }) => (gate === undefined ? [] : [path])));
    const given = this.registered.all.filter(
      (route, place) => !known.has(place) && !gates.has(route.slice(route.indexOf(' ') + 1)),
    );
    return [...given, ...this.registered.besides];
  }

  private written(): readonly RouteFacts[] {
    if (this.found === undefined) {
      this.found = this.look();
      queueMicrotask(() => (this.found = undefined));
    }
    return this.found;
  }

  private look(): RouteFacts[] {
    const globals = this.running.globals();
    return [...this.modules.values()].flatMap((module) =>
      [...module.controllers.values()].flatMap((wrapper) => this.ofController(module, wrapper, globals)),
    );
  }

  private ofController(
    module: Module,
    wrapper: InstanceWrapper,
    globals: ReturnType<RunningPartsReader['globals']>,
  ): RouteFacts[] {
    const { nest } = this;
    const type = wrapper.metatype as Function & { prototype: object };
    const { paths, host, version } = nest.controller(type);
    return paths.flatMap((path) =>
      this.scanner.getAllMethodNames(type.prototype).flatMap((handler): RouteFacts[] => {
        const callback = (type.prototype as Record<string, Function>)[handler]!;
        const route = nest.route(callback);
        if (route === undefined) return [];
        const gate = this.gateOf(callback);
        if (gate !== undefined && route.verb !== 'POST') return []; // the gate refuses every other verb
        const parameters = this.running.parameters(wrapper.instance as object, handler, module.token);
        const facts = {
          ...(host !== undefined && { host }),
          module: module.name,
          controller: type.name,
          handler,
          perRequest: !wrapper.isDependencyTreeStatic(),
          ...(gate !== undefined && { gate }),
          type,
          callback,
          wrapper,
          ...this.running.around(globals, type, callback, module.token, parameters),
          parameters,
        };
        return this.placed(route, path, module.metatype, version).map((place) => ({ ...place, ...facts }));
      }),
    );
  }

  private placed(
    route: WrittenRoute,
    controller: string,
    module: Function,
    controllerVersion: Version,
  ): Pick<RouteFacts, 'method' | 'path' | 'version' | 'place'>[] {
    const { nest } = this;
    const version = nest.versioning === undefined ? undefined : (route.version ?? controllerVersion);
    // In a path each version is a route of its own.
    const versions: readonly Version[] = nest.versionsInPath && Array.isArray(version) ? version : [version];
    return route.paths.flatMap((method) =>
      versions.flatMap((one) =>
        nest.pathsOf({ controller, method, version: one }, module, route.requestMethod).map((path) => {
          const place = this.registered.placeOf(route.verb, path);
          const told = versionText(one);
          return {
            method: route.verb,
            path,
            ...(told !== undefined && { version: told }),
            ...(place !== undefined && { place }),
          };
        }),
      ),
    );
  }

  private gateOf(callback: Function): string | undefined {
    const route = gateOfRoute(callback);
    return route && this.gates.nameOf(route);
  }
}

function versionText(version: Version): string | undefined {
  if (version === undefined) return undefined;
  const list = Array.isArray(version) ? version : [version];
  return list.map((one) => (one === VERSION_NEUTRAL ? 'neutral' : String(one))).join(', ');
}
