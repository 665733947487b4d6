/**
 * What Nest injects: where it stands, how long it lives, what it needs and who needs it.
 */
import { Injectable, Scope } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import { CORE } from './modules.js';
import { className, moduleNames, tokenName } from './names.js';

/** One provider or controller. */
export interface ProviderFacts {
  readonly name: string;
  readonly kind: 'provider' | 'controller' | 'guard' | 'interceptor' | 'pipe' | 'filter';
  readonly module: string;
  readonly scope: 'default' | 'request' | 'transient';
  /** Why it is made anew for every request, although its own scope does not say so. */
  readonly perRequest?: string;
  readonly aliasOf?: string;
  readonly dependencies: readonly InstanceWrapper[];
  /** Who has it injected. */
  readonly dependents: readonly InstanceWrapper[];
  /** One of these with its module, which has a number where several have its name. */
  readonly withModule: (needed: InstanceWrapper) => string;
  readonly exported: boolean;
  readonly type?: Function;
  readonly wrapper: InstanceWrapper;
  readonly host: Module;
}

const GLOBAL_ENHANCER = /^APP_(?:GUARD|INTERCEPTOR|PIPE|FILTER)$/;

const SCOPES = { [Scope.DEFAULT]: 'default', [Scope.REQUEST]: 'request', [Scope.TRANSIENT]: 'transient' } as const;

@Injectable()
export class ApplicationProviders {
  constructor(private readonly modules: ModulesContainer) {}

  /** Providers, controllers and enhancers of all modules, in the order of modules. */
  all(): ProviderFacts[] {
    const names = moduleNames(this.modules);
    const withModule = (needed: InstanceWrapper) =>
      `${nameOf(needed)} of ${(needed.host && names.get(needed.host)) ?? 'Nest'}`;
    const places = [...this.modules.values()].filter(({ name }) => name !== 'InternalCoreModule').flatMap(wrappersOf);
    const dependents = new Map<InstanceWrapper, InstanceWrapper[]>();
    for (const { wrapper } of places) {
      for (const needed of neededBy(wrapper)) dependents.set(needed, [...(dependents.get(needed) ?? []), wrapper]);
    }
    return places.map(({ wrapper, module, isController }): ProviderFacts => {
      const perRequest = reasonToBePerRequest(wrapper);
      const type = typeOf(wrapper);
      return {
        name: nameOf(wrapper),
        kind: isController ? 'controller' : (wrapper.subtype ?? 'provider'),
        module: names.get(module)!,
        scope: SCOPES[wrapper.scope ?? Scope.DEFAULT],
        ...(perRequest !== undefined && { perRequest }),
        ...(wrapper.isAlias && { aliasOf: neededBy(wrapper).map(nameOf).join(', ') }),
        dependencies: neededBy(wrapper),
        dependents: dependents.get(wrapper) ?? [],
        withModule,
        exported: module.exports.has(wrapper.token as Function),
        ...(type !== undefined && { type }),
        wrapper,
        host: module,
      };
    });
  }
}

/** What a wrapper is called. Of the global enhancers of modules the token says only what they are for: `APP_GUARD RolesGuard`. */
export function nameOf(wrapper: InstanceWrapper): string {
  const name = tokenName(wrapper.token ?? wrapper.name);
  const type = GLOBAL_ENHANCER.test(name) ? typeOf(wrapper) : undefined;
  return type === undefined ? name : `${name} ${className(type)}`;
}

/** What a wrapper has injected: into its constructor or factory, and into properties. */
export function neededBy(wrapper: InstanceWrapper): InstanceWrapper[] {
  const given = (wrapper.getCtorMetadata() ?? []) as (InstanceWrapper | undefined)[];
  const properties = (wrapper.getPropertiesMetadata() ?? []) as { wrapper: InstanceWrapper }[];
  const all = [...given, ...properties.map((property) => property.wrapper)];
  return [...new Set(all.filter((needed) => needed !== undefined))];
}

/** The chain that ends at something request-scoped, `OrdersService <- RequestUser`: of a circle the way out of it. */
function chainToRequest(wrapper: InstanceWrapper, seen = new Set<InstanceWrapper>()): InstanceWrapper[] | undefined {
  if (wrapper.scope === Scope.REQUEST) return [wrapper];
  seen.add(wrapper);
  for (const needed of [...neededBy(wrapper), ...(wrapper.getEnhancersMetadata() ?? [])]) {
    if (seen.has(needed) || needed.isDependencyTreeStatic()) continue;
    const chain = chainToRequest(needed, seen);
    if (chain !== undefined) return [wrapper, ...chain];
  }
  return undefined;
}

function reasonToBePerRequest(wrapper: InstanceWrapper): string | undefined {
  if (wrapper.scope === Scope.REQUEST || wrapper.isDependencyTreeStatic()) return undefined;
  return chainToRequest(wrapper)?.slice(1).map(nameOf).join(' <- ');
}

function wrappersOf(module: Module): { wrapper: InstanceWrapper; module: Module; isController: boolean }[] {
  const providers = [...module.providers.values()].filter(
    ({ token }) => token !== module.metatype && !CORE.has(tokenName(token)),
  );
  return [
    ...[...module.controllers.values()].map((wrapper) => ({ wrapper, module, isController: true })),
    ...[...providers, ...module.injectables.values()].map((wrapper) => ({ wrapper, module, isController: false })),
  ];
}

/** The class of the instances, where one is known. */
export function typeOf(wrapper: InstanceWrapper): Function | undefined {
  if (!wrapper.isNotMetatype) return wrapper.metatype as Function;
  const instance = wrapper.instance as unknown;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const type = (Object.getPrototypeOf(instance) as { constructor?: Function } | null)?.constructor;
  return type === Object || type === Array ? undefined : type;
}
