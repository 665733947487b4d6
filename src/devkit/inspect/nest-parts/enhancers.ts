/**
 * Which guards, interceptors, pipes and filters Nest runs. Its own code is asked for each, so that an answer is what Nest does.
 */
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants.js';
import type { ModulesContainer, NestContainer } from '@nestjs/core';
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import { GuardsContextCreator } from '@nestjs/core/guards/index.js';
import { InterceptorsContextCreator } from '@nestjs/core/interceptors/index.js';
import { PipesContextCreator } from '@nestjs/core/pipes/index.js';

/** What runs around a handler. */
export type EnhancerKind = 'guard' | 'interceptor' | 'pipe' | 'filter';

const METADATA: Readonly<Record<EnhancerKind, string>> = {
  guard: GUARDS_METADATA,
  interceptor: INTERCEPTORS_METADATA,
  pipe: PIPES_METADATA,
  filter: EXCEPTION_FILTERS_METADATA,
};

/** Nest's own makers of enhancers, as it has them for its router. */
export class NestEnhancers {
  private readonly guards: GuardsContextCreator;
  private readonly interceptors: InterceptorsContextCreator;
  private readonly pipes: PipesContextCreator;
  private readonly filters: ExternalExceptionFilterContext;

  constructor(modules: ModulesContainer) {
    // All that they ask of a container. Without a configuration they know nothing of global enhancers.
    const container = { getModules: () => modules } as unknown as NestContainer;
    this.guards = new GuardsContextCreator(container);
    this.interceptors = new InterceptorsContextCreator(container);
    this.pipes = new PipesContextCreator(container);
    this.filters = new ExternalExceptionFilterContext(container);
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
}
