/**
 * The parts of Nest that find and run the guards, pipes, interceptors and filters of a METHOD and its CLASS. Given no
 * application configuration, they know nothing of the application's global ones: those already ran on the gate's route.
 */
import { EXCEPTION_FILTERS_METADATA, GUARDS_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer, NestContainer } from '@nestjs/core';
import { ExternalExceptionFilterContext } from '@nestjs/core/exceptions/external-exception-filter-context.js';
import { GuardsConsumer, GuardsContextCreator } from '@nestjs/core/guards/index.js';
import { InterceptorsConsumer, InterceptorsContextCreator } from '@nestjs/core/interceptors/index.js';
import { PipesConsumer, PipesContextCreator } from '@nestjs/core/pipes/index.js';
import type { ContextId } from '@nestjs/core';

/** A method of an instance, as Nest's parts want it named. */
export interface BoundMethod {
  readonly instance: object;
  readonly method: (...args: unknown[]) => unknown;
  /** The module whose enhancers belong to the instance. */
  readonly moduleKey: string;
  readonly hostId: string;
  readonly contextId?: ContextId;
}

export class MethodEnhancers {
  readonly guards: GuardsContextCreator;
  readonly interceptors: InterceptorsContextCreator;
  readonly pipes: PipesContextCreator;
  readonly filters: ExternalExceptionFilterContext;
  readonly guardsConsumer = new GuardsConsumer();
  readonly interceptorsConsumer = new InterceptorsConsumer();
  readonly pipesConsumer = new PipesConsumer();

  constructor(modules: ModulesContainer) {
    // All that they ask of a container.
    const container = { getModules: () => modules } as unknown as NestContainer;
    this.guards = new GuardsContextCreator(container);
    this.interceptors = new InterceptorsContextCreator(container);
    this.pipes = new PipesContextCreator(container);
    this.filters = new ExternalExceptionFilterContext(container);
  }
}

/** Whether guards stand on a method or on the class of its instances. */
export function isGuarded(type: Function, method: object): boolean {
  return stands(GUARDS_METADATA, type, method);
}

/** Whether exception filters stand on a method or on the class of its instances. */
export function isFiltered(type: Function, method: object): boolean {
  return stands(EXCEPTION_FILTERS_METADATA, type, method);
}

function stands(key: string, type: Function, method: object): boolean {
  return [type, method].some((place) => {
    const list = Reflect.getMetadata(key, place) as unknown[] | undefined;
    return list !== undefined && list.length > 0;
  });
}
