/**
 * A provider or controller whose methods are tools: where Nest keeps it, and which instance a request gets.
 */
import { ContextIdFactory, ModuleRef, type ContextId } from '@nestjs/core';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';

export class ToolHost {
  readonly name: string;

  constructor(
    private readonly wrapper: InstanceWrapper<object>,
    /** Of the instances: the class's own, also where a factory makes them. */
    readonly prototype: object,
  ) {
    this.name = (prototype !== Object.prototype && this.type.name) || String(wrapper.name);
  }

  get type(): Function {
    return this.prototype.constructor;
  }

  /** The token of Nest's module that holds the host and its guards, interceptors and pipes. */
  get moduleKey(): string {
    return this.wrapper.host?.token ?? '';
  }

  /** The class of that module. */
  get moduleType(): Function | undefined {
    return this.wrapper.host?.metatype;
  }

  get id(): string {
    return this.wrapper.id;
  }

  /** Whether all requests share one instance. A request-scoped guard or dependency makes the host request-scoped. */
  get isShared(): boolean {
    return this.wrapper.isDependencyTreeStatic() && !this.wrapper.isTransient;
  }

  /** Whether the host answers to a class or another token of Nest. */
  is(token: unknown): boolean {
    return this.wrapper.token === token || this.type === token;
  }

  /** The instance that all requests share. */
  shared(): object {
    return this.wrapper.instance;
  }

  /** The instance of one context: request-scoped and transient hosts have one for each HTTP request. */
  async resolve(contextId: ContextId): Promise<object> {
    const moduleRef = this.wrapper.host?.getProviderByKey<ModuleRef>(ModuleRef).instance;
    if (moduleRef === undefined)
      throw new Error(`${this.name} belongs to no module of Nest, so it cannot be resolved.`);
    return moduleRef.resolve<object>(this.wrapper.token as Function, contextId, { strict: true });
  }

  /**
   * The context of a request, one for the whole HTTP exchange and the same that Nest's own routes use: what a guard keeps
   * in a request-scoped service, the tool finds there.
   */
  contextOf(request: unknown): ContextId {
    if (typeof request !== 'object' || request === null) return ContextIdFactory.create();
    const known = (request as Record<symbol, ContextId | undefined>)[REQUEST_CONTEXT_ID];
    if (known !== undefined) return known;
    const contextId = ContextIdFactory.getByRequest(request);
    Object.defineProperty(request, REQUEST_CONTEXT_ID, { value: contextId });
    const durable = this.wrapper.isDependencyTreeDurable();
    const injected = durable ? contextId.payload : Object.assign(request, contextId.payload);
    this.wrapper.host?.getProviderByKey<ModuleRef>(ModuleRef).instance.registerRequestByContextId(injected, contextId);
    return contextId;
  }

  /** Whether Nest is still making the instance, as it does while a module is loaded lazily. */
  static isPending(wrapper: InstanceWrapper): boolean {
    if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) return false;
    return wrapper.getInstanceByContextId(STATIC_CONTEXT).isResolved === false;
  }
}
