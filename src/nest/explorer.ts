/**
 * Finds what declares tools in the application: decorated methods of providers and controllers, and providers that give
 * tools anew at each request. Each is read once; modules that are loaded later are found when they are there (G10).
 */
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { Module } from '@nestjs/core/injector/module.js';
import type { McpOfferedEntries } from '../gate/offers.js';
import { dtosExist, loadDtoSupport, type ReadDto } from '../tools/schemas/dto.js';
import type { McpToolFault } from '../tools/declarations.js';
import { isDeclaredElsewhere, isDecorated } from './decoration.js';
import type { MethodEnhancers } from './enhancers.js';
import { readMethodOffers, type MethodOffers } from './method-offers.js';
import { toMethodTool, type MethodTool } from './method-tool.js';
import { readToolDecoration } from './tool.decorator.js';
import { ToolHost } from './tool-host.js';

/** A provider or controller that declares tools, as it was read. */
export interface FoundHost extends McpOfferedEntries {
  readonly host: ToolHost;
  readonly tools: readonly MethodTool[];
  /** Whether it implements `getMcpTools()`. */
  readonly givesTools: boolean;
  readonly faults: readonly McpToolFault[];
}

/** While nothing of class-validator was loaded: no class carries its decorators. */
const NO_CLASS: ReadDto = () => undefined;

/** The method that a provider of tools implements. */
export const GIVE_TOOLS = 'getMcpTools';

export class McpToolExplorer {
  private readonly scanner = new MetadataScanner();
  /** What each wrapper of Nest declares; `undefined` for the many that declare nothing. */
  private readonly read = new WeakMap<InstanceWrapper, FoundHost | undefined>();
  private readDto: ReadDto | undefined = NO_CLASS;
  private dtosRead = false;
  private loadingDtos: Promise<void> | undefined;
  private found: readonly FoundHost[] = [];
  private modulesSeen = 0;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly enhancers: MethodEnhancers,
  ) {}

  /**
   * What must be awaited before `explore()` finds everything: classes of arguments are there, and what they are read with is
   * not loaded yet. At the start, or with the first such class of a lazily loaded module.
   */
  get pending(): Promise<void> | undefined {
    if (!this.dtosRead && dtosExist()) this.loadingDtos ??= this.loadDtoSupport();
    return this.loadingDtos;
  }

  private async loadDtoSupport(): Promise<void> {
    this.readDto = await loadDtoSupport();
    this.dtosRead = true;
    this.loadingDtos = undefined;
  }

  /** Everything that declares tools, in the order of modules: the same array until a module is loaded lazily. */
  explore(): readonly FoundHost[] {
    if (this.modules.size === this.modulesSeen || this.pending !== undefined) return this.found;
    const found: FoundHost[] = [];
    let pending = false;
    for (const module of this.modules.values()) {
      if (isPending(module)) pending = true;
      else found.push(...this.exploreModule(module));
    }
    // A module that Nest is still making is looked at again with the next request.
    this.modulesSeen = pending ? 0 : this.modules.size;
    const unchanged = found.length === this.found.length && found.every((host, at) => host === this.found[at]);
    return unchanged ? this.found : (this.found = found);
  }

  private exploreModule({ providers, controllers }: Module): FoundHost[] {
    return [...providers.values(), ...controllers.values()].flatMap((wrapper: InstanceWrapper) => {
      if (wrapper.isAlias) return [];
      if (!this.read.has(wrapper)) this.read.set(wrapper, this.readHost(wrapper));
      return this.read.get(wrapper) ?? [];
    });
  }

  private readHost(wrapper: InstanceWrapper): FoundHost | undefined {
    const prototype = prototypeOf(wrapper);
    if (prototype === undefined) return undefined;
    const host = new ToolHost(wrapper, prototype);
    const tools: MethodTool[] = [];
    const offers: MethodOffers = { resources: [], prompts: [], completions: [] };
    const faults: McpToolFault[] = [];
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const method = (prototype as Record<string, object>)[name]!;
      if (!isDecorated(method)) continue;
      const decoration = readToolDecoration(method);
      const isOffered =
        readMethodOffers(host, name, decoration, this.enhancers, this.readDto, offers, faults) ||
        isDeclaredElsewhere(method);
      if (decoration === undefined || (isOffered && !('name' in decoration))) continue;
      const read = toMethodTool(host, name, decoration, this.enhancers, this.readDto);
      if ('fault' in read) faults.push(read.fault);
      else tools.push(read);
    }
    const { isShared } = host;
    const givesTools = hasFunction(isShared ? host.shared() : prototype, GIVE_TOOLS);
    if (givesTools && !isShared) faults.push(scopedGiver(host));
    const declares = [tools, faults, ...Object.values(offers)].some(({ length }) => length > 0);
    if (!declares && !givesTools) return undefined;
    return { host, tools, ...offers, givesTools: givesTools && isShared, faults };
  }
}

function scopedGiver(host: ToolHost): McpToolFault {
  return {
    origin: `${host.name}.${GIVE_TOOLS}`,
    reason:
      'it is asked for tools outside of any request, but the provider is request-scoped or transient, or depends on one ' +
      'that is: give it the default scope.',
  };
}

/** Where methods are looked for: the class of the instances, also of those that a factory made. */
export function prototypeOf(wrapper: InstanceWrapper): object | undefined {
  if (!wrapper.isNotMetatype) return (wrapper.metatype as { prototype?: object }).prototype;
  const instance: unknown = wrapper.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  const prototype = Object.getPrototypeOf(instance) as object | null;
  if (prototype === null || prototype === Array.prototype) return undefined;
  return prototype;
}

/** Whether an object has a function of a name, itself or inherited. Runs no getter. */
function hasFunction(start: object, name: string): boolean {
  for (let at: object | null = start; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor !== undefined) return typeof descriptor.value === 'function';
  }
  return false;
}

/** Whether Nest is still making something of a module. */
export function isPending(module: Module): boolean {
  const own = module.providers.get(module.metatype);
  if (own !== undefined && ToolHost.isPending(own)) return true;
  return [...module.providers.values(), ...module.controllers.values()].some((wrapper) => ToolHost.isPending(wrapper));
}
