/**
 * Routes as decorators wrote them, and the whole paths and the parameters that Nest makes of them. Its own code is asked, so that
 * an answer is what Nest does.
 */
import {
  HOST_METADATA,
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { RequestMethod, VersioningType, type VersioningOptions } from '@nestjs/common';
import type { VersionValue } from '@nestjs/common/interfaces/version-options.interface.js';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';

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

/** Nest's own readers of routes, as it has them for its router. */
export class NestRoutes {
  private readonly utils = new ContextUtils();
  private readonly paths: RoutePathFactory;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
  ) {
    this.paths = new RoutePathFactory(config);
  }

  /** What a decorator such as `@Get()` says of a method. */
  route(method: object, verbs: Readonly<Record<number, string>> = RequestMethod): WrittenRoute | undefined {
    const path = Reflect.getMetadata(PATH_METADATA, method) as string | string[] | undefined;
    if (path === undefined) return undefined;
    const requestMethod = Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod;
    const version = Reflect.getMetadata(VERSION_METADATA, method) as VersionValue | undefined;
    return { verb: verbs[requestMethod] ?? 'GET', requestMethod, paths: asList(path), version };
  }

  /** What `@Controller()` says. */
  controller(type: Function): { paths: readonly string[]; host?: string; version: VersionValue | undefined } {
    const host = Reflect.getMetadata(HOST_METADATA, type) as unknown;
    const own = Reflect.getMetadata(VERSION_METADATA, type) as VersionValue | undefined;
    return {
      paths: asList((Reflect.getMetadata(PATH_METADATA, type) as string | string[] | undefined) ?? '/'),
      ...(host !== undefined && { host: asList(host).map(String).join(', ') }),
      version: own ?? this.versioning?.defaultVersion,
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
        globalPrefix: slashed(this.config.getGlobalPrefix()),
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

function asList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

function slashed(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}
