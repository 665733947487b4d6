/**
 * Which guards, interceptors, pipes and filters Nest runs. Its own code is asked for each, so that an answer is what Nest does.
 */
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { MethodEnhancers } from '../../../nest/enhancers.js';

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
  private readonly made: MethodEnhancers;

  constructor(modules: ModulesContainer) {
    this.made = new MethodEnhancers(modules); // without a configuration they know nothing of global enhancers
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
        this.made.guards.create(none, none, moduleKey);
        return this.made.guards.createConcreteContext<unknown[], object[]>([written])[0];
      case 'interceptor':
        this.made.interceptors.create(none, none, moduleKey);
        return this.made.interceptors.createConcreteContext<unknown[], object[]>([written])[0];
      case 'pipe':
        this.made.pipes.setModuleContext(moduleKey);
        return this.made.pipes.createConcreteContext<unknown[], object[]>([written])[0];
      case 'filter':
        this.made.filters.create(none, none, moduleKey);
        if (this.made.filters.createConcreteContext([written]).length === 0) return undefined;
        return this.made.filters.getFilterInstance(written as Function) ?? undefined;
    }
  }

  /** The exceptions that a filter takes; none are all. */
  catches(filter: object): readonly Function[] {
    return this.made.filters.reflectCatchExceptions(
      filter as Parameters<typeof this.made.filters.reflectCatchExceptions>[0],
    );
  }
}
