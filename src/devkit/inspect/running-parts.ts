/**
 * The guards, pipes, interceptors and filters that really run around a handler, in the order in which they run: those of the
 * whole application, of the controller, of the method and of its parameters.
 */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { className } from './names.js';
import { NestEnhancers, type EnhancerKind } from './nest-parts/enhancers.js';
import { NestRoutes } from './nest-parts/routes.js';

/** One part that runs, or is written and does not. */
export interface RunningPart {
  readonly name: string;
  readonly from: 'global' | 'controller' | 'method' | 'parameter';
  readonly type?: Function;
  /** For a global one: who registered it. */
  readonly by?: string;
  /** A new instance is made for every request. */
  readonly perRequest?: true;
  /** What a filter takes. @default everything */
  readonly catches?: readonly string[];
  /** Why it does not run although it is written. */
  readonly idle?: string;
}

/** What runs around one handler. */
export interface RunningParts {
  readonly guards: readonly RunningPart[];
  readonly interceptors: readonly RunningPart[];
  /** For every parameter that pipes run for; where there is none, only those that would not run anyhow. */
  readonly pipes: readonly RunningPart[];
  /** In the order in which they are tried: the method's first. */
  readonly filters: readonly RunningPart[];
}

/** A parameter, with the pipes of its own. */
export interface RunningParameter {
  readonly index: number;
  readonly from: string;
  readonly property?: string;
  readonly type: unknown;
  readonly piped: boolean;
  readonly pipes: readonly RunningPart[];
}

/** The global ones that Nest had when it built its routes. */
type Globals = Readonly<
  Record<EnhancerKind, { readonly shared: ReadonlySet<object>; readonly scoped: InstanceWrapper[] }>
>;

@Injectable()
export class RunningPartsReader implements OnApplicationBootstrap {
  private readonly enhancers: NestEnhancers;
  private readonly routes: NestRoutes;
  private atStart: Globals | undefined;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {
    this.enhancers = new NestEnhancers(modules);
    this.routes = new NestRoutes(modules, config);
  }

  /** The routes are built by now: what is added later is too late. */
  onApplicationBootstrap(): void {
    this.atStart = this.globalsNow();
  }

  /** The global ones of every kind, to be read once for many routes. */
  globals(): Readonly<Record<EnhancerKind, readonly RunningPart[]>> {
    return {
      guard: this.global('guard'),
      interceptor: this.global('interceptor'),
      pipe: this.global('pipe'),
      filter: this.global('filter'),
    };
  }

  /** What runs around a method of a controller. */
  around(
    globals: ReturnType<RunningPartsReader['globals']>,
    type: Function,
    method: object,
    moduleKey: string,
    parameters: readonly RunningParameter[],
  ): RunningParts {
    const all = (kind: EnhancerKind): RunningPart[] => [
      ...globals[kind],
      ...this.written(kind, type, 'controller', moduleKey),
      ...this.written(kind, method, 'method', moduleKey),
    ];
    return {
      guards: all('guard'),
      interceptors: all('interceptor'),
      pipes: all('pipe').filter(({ idle }) => idle !== undefined || parameters.some(({ piped }) => piped)),
      filters: all('filter').toReversed(),
    };
  }

  /** The parameters of a method, each with its own pipes. They run after those of the method. */
  parameters(instance: object, method: string, moduleKey: string): RunningParameter[] {
    return this.routes.parameters(instance, method).map((parameter) => ({
      ...parameter,
      pipes: parameter.pipes.map((pipe) => this.part('pipe', pipe, 'parameter', moduleKey)),
    }));
  }

  /** The global ones, in their order. */
  global(kind: EnhancerKind): RunningPart[] {
    const now = this.globalsNow()[kind];
    const built = this.atStart?.[kind].shared;
    const shared = [...now.shared].map((instance): RunningPart => {
      const late = built !== undefined && !built.has(instance);
      return {
        ...describe(instance, 'global', this.enhancers),
        by: this.provided(instance) ?? `app.useGlobal${kind[0]!.toUpperCase()}${kind.slice(1)}s()`,
        ...(late && { idle: 'it was added after the routes were built: call it before app.init() or app.listen()' }),
      };
    });
    const scoped = now.scoped.map((wrapper): RunningPart => ({
      ...describe(wrapper.instance as object, 'global', this.enhancers),
      by: `APP_${kind.toUpperCase()} of ${wrapper.host?.name ?? 'a module'}`,
      perRequest: true,
    }));
    return [...shared, ...scoped];
  }

  private written(kind: EnhancerKind, on: object, from: RunningPart['from'], moduleKey: string): RunningPart[] {
    return this.enhancers.written(kind, on).map((written) => this.part(kind, written, from, moduleKey));
  }

  private part(kind: EnhancerKind, written: unknown, from: RunningPart['from'], moduleKey: string): RunningPart {
    const running = this.enhancers.running(kind, written, moduleKey);
    const isClass = typeof written === 'function';
    if (running === undefined) {
      return {
        name: isClass ? className(written) : 'an object',
        from,
        ...(isClass && { type: written }),
        idle: `it is no ${kind}: Nest leaves it out`,
      };
    }
    const wrapper = isClass ? this.modules.get(moduleKey)?.injectables.get(written) : undefined;
    const perRequest = wrapper !== undefined && !wrapper.isDependencyTreeStatic() && { perRequest: true as const };
    const described = describe(running, from, this.enhancers);
    const named = isClass && described.name === 'Object' ? { name: className(written), type: written } : {};
    return { ...described, ...named, ...perRequest };
  }

  private provided(instance: object): string | undefined {
    for (const { providers, name } of this.modules.values()) {
      for (const wrapper of providers.values()) {
        const { subtype } = wrapper;
        if (subtype && wrapper.instance === instance) return `APP_${subtype.toUpperCase()} of ${name}`;
      }
    }
    return undefined;
  }

  private globalsNow(): Globals {
    const { config } = this;
    const of = (shared: readonly object[], scoped: readonly InstanceWrapper[]) => ({
      shared: new Set(shared),
      scoped: [...scoped],
    });
    return {
      guard: of(config.getGlobalGuards(), config.getGlobalRequestGuards()),
      interceptor: of(config.getGlobalInterceptors(), config.getGlobalRequestInterceptors()),
      pipe: of(config.getGlobalPipes(), config.getGlobalRequestPipes()),
      filter: of(config.getGlobalFilters(), config.getGlobalRequestFilters()),
    };
  }
}

function describe(running: object, from: RunningPart['from'], enhancers: NestEnhancers): RunningPart {
  const type = typeof running === 'function' ? running : running.constructor;
  const catches = enhancers.catches(running).map(({ name }) => name);
  return { name: className(type), type, from, ...(catches.length > 0 && { catches }) };
}
