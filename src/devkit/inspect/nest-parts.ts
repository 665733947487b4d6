/**
 * What the devkit takes from inside Nest, all of it in this one file: how Nest writes a path, which enhancers it finds for a
 * handler, and where its decorators left what they know. Nest's own code answers, so that an answer is what Nest does.
 */
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HOST_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  MODULE_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { RequestMethod, VersioningType, type VersioningOptions } from '@nestjs/common';
import type { VersionValue } from '@nestjs/common/interfaces/version-options.interface.js';
import type { ApplicationConfig, ModulesContainer, NestContainer } from '@nestjs/core';
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import { GuardsContextCreator } from '@nestjs/core/guards/index.js';
import { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import { InterceptorsContextCreator } from '@nestjs/core/interceptors/index.js';
import { PipesContextCreator } from '@nestjs/core/pipes/index.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';

/** What runs around a handler. */
export type EnhancerKind = 'guard' | 'interceptor' | 'pipe' | 'filter';

const METADATA: Readonly<Record<EnhancerKind, string>> = {
  guard: GUARDS_METADATA,
  interceptor: INTERCEPTORS_METADATA,
  pipe: PIPES_METADATA,
  filter: EXCEPTION_FILTERS_METADATA,
};

/** A method that a decorator made a route. */
export interface WrittenRoute {
  readonly verb: string;
  readonly requestMethod: RequestMethod;
  readonly paths: readonly string[];
  readonly version: VersionValue | undefined;
}

/** A parameter that a decorator of Nest fills. */
export interface WrittenParameter {
  readonly index: number;
  /** `body`, `query`, … or `custom`. */
  readonly from: string;
  /** The name of the one value that is taken. */
  readonly property?: string;
  readonly type: unknown;
  /** Whether pipes run for it. */
  readonly piped: boolean;
  readonly pipes: readonly unknown[];
}

/** Nest's own parts, as it makes them for its router. */
export class NestParts {
  private readonly guards: GuardsContextCreator;
  private readonly interceptors: InterceptorsContextCreator;
  private readonly pipes: PipesContextCreator;
  private readonly filters: ExternalExceptionFilterContext;
  private readonly utils = new ContextUtils();
  private readonly paths: RoutePathFactory;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {
    // All that they ask of a container. Without a configuration they know nothing of global enhancers.
    const container = { getModules: () => modules } as unknown as NestContainer;
    this.guards = new GuardsContextCreator(container);
    this.interceptors = new InterceptorsContextCreator(container);
    this.pipes = new PipesContextCreator(container);
    this.filters = new ExternalExceptionFilterContext(container);
    this.paths = new RoutePathFactory(config);
  }

  /** What decorators put on a method or on a class, in the order in which Nest takes it: classes and instances. */
  written(kind: EnhancerKind, on: object): readonly unknown[] {
    return (Reflect.getMetadata(METADATA[kind], on) as unknown[] | undefined) ?? [];
  }

  /** The instance that Nest runs for one of these; `undefined` when it runs none. */
  running(kind: EnhancerKind, written: unknown, moduleKey: string): object | undefined {
    const none = () => undefined;
    switch (kind) {
      case 'guard':
        this.guards.create(none, none, moduleKey);
        return this.guards.createConcreteContext<unknown[], object[]>([written])[0];
      case 'interceptor':
        this.interceptors.create(none, none, moduleKey);
        return this.interceptors.createConcreteContext<unknown[], object[]>([written])[0];
      case 'pipe':
        this.pipes.setModuleContext(moduleKey);
        return this.pipes.createConcreteContext<unknown[], object[]>([written])[0];
      case 'filter':
        this.filters.create(none, none, moduleKey);
        if (this.filters.createConcreteContext([written]).length === 0) return undefined;
        return this.filters.getFilterInstance(written as Function) ?? undefined;
    }
  }

  /** The exceptions that a filter takes; none are all. */
  catches(filter: object): readonly Function[] {
    return this.filters.reflectCatchExceptions(filter as Parameters<typeof this.filters.reflectCatchExceptions>[0]);
  }

  /** What a decorator such as `@Get()` says of a method. */
  route(method: object, verbs: Readonly<Record<number, string>> = RequestMethod): WrittenRoute | undefined {
    const path = Reflect.getMetadata(PATH_METADATA, method) as string | string[] | undefined;
    const requestMethod = Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod | undefined;
    if (path === undefined || requestMethod === undefined) return undefined;
    const version = Reflect.getMetadata(VERSION_METADATA, method) as VersionValue | undefined;
    return { verb: verbs[requestMethod] ?? 'GET', requestMethod, paths: asList(path), version };
  }

  /** What `@Controller()` says. */
  controller(type: Function): { paths: readonly string[]; host?: string; version: VersionValue | undefined } {
    const host = Reflect.getMetadata(HOST_METADATA, type) as unknown;
    const own = Reflect.getMetadata(VERSION_METADATA, type) as VersionValue | undefined;
    const { versioning } = this;
    return {
      paths: asList((Reflect.getMetadata(PATH_METADATA, type) as string | string[] | undefined) ?? '/'),
      ...(host !== undefined && { host: asList(host).map(String).join(', ') }),
      version: versioning === undefined ? undefined : (own ?? versioning.defaultVersion),
    };
  }

  /** How the application tells versions apart, when it does. */
  get versioning(): VersioningOptions | undefined {
    return this.config.getVersioning();
  }

  /** Whether versions stand in the path. */
  get versionsInPath(): boolean {
    return this.versioning?.type === VersioningType.URI;
  }

  /** The whole paths of a route. */
  pathsOf(
    route: { readonly controller: string; readonly method: string; readonly version: VersionValue | undefined },
    module: Function,
    requestMethod: RequestMethod,
  ): string[] {
    const modulePath = (Reflect.getMetadata(MODULE_PATH + this.modules.applicationId, module) ??
      Reflect.getMetadata(MODULE_PATH, module)) as string | undefined;
    const { versioning } = this;
    return this.paths.create(
      {
        ctrlPath: slashed(route.controller),
        methodPath: slashed(route.method),
        globalPrefix: validPrefix(this.config.getGlobalPrefix()),
        ...(modulePath !== undefined && { modulePath }),
        ...(route.version !== undefined && { controllerVersion: route.version }),
        ...(versioning !== undefined && { versioningOptions: versioning }),
      },
      requestMethod,
    );
  }

  /** The parameters of a handler, in their order. */
  parameters(instance: object, method: string): WrittenParameter[] {
    const written = this.utils.reflectCallbackMetadata<
      Record<string, { index: number; data?: unknown; pipes?: unknown[] }> | undefined
    >(instance, method, ROUTE_ARGS_METADATA);
    const types = this.utils.reflectCallbackParamtypes(instance, method) as unknown[] | undefined;
    return Object.entries(written ?? {})
      .map(([key, { index, data, pipes = [] }]): WrittenParameter => {
        const kind = this.utils.mapParamType(key);
        const isCustom = Number.isNaN(Number(kind));
        return {
          index,
          from: isCustom ? 'custom' : (RouteParamtypes[Number(kind)] ?? kind).toLowerCase(),
          ...(typeof data === 'string' && data !== '' && { property: data }),
          type: types?.[index],
          piped: RouterExecutionContext.prototype.isPipeable(isCustom ? kind : Number(kind)),
          pipes,
        };
      })
      .toSorted((one, other) => one.index - other.index);
  }
}

/** The modules that a module's decorator imports, as it names them: Nest adds every global one to what it keeps. */
export function writtenImports(type: Function): readonly unknown[] {
  return (Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) as unknown[] | undefined) ?? [];
}

function asList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

function slashed(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function validPrefix(prefix: string): string {
  return prefix === '' ? '' : slashed(prefix);
}
