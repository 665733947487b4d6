/**
 * Which providers and controllers serve a gate: all that the application has, or those that the gate lists.
 */
import { Logger } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { McpToolClass } from '../gate/settings.js';
import { McpDeclarationError } from '../tools/declarations.js';
import type { FoundHost, McpToolExplorer } from './explorer.js';
import { isOwnHost } from './own-hosts.js';

export class McpHosts {
  private readonly log = new Logger('McpGate');
  private explored: readonly FoundHost[] = [];
  private served: readonly FoundHost[] = [];

  constructor(
    private readonly explorer: McpToolExplorer,
    private readonly modules: ModulesContainer,
  ) {}

  /** What must be awaited before all are found. */
  get pending(): Promise<void> | undefined {
    return this.explorer.pending;
  }

  /** Every host of the application, this package's own not among them: the same array until a module is loaded lazily. */
  all(): readonly FoundHost[] {
    const explored = this.explorer.explore();
    if (explored !== this.explored) {
      this.explored = explored;
      this.served = this.oncePerClass(explored.filter(({ host }) => !isOwnHost(host.type)));
    }
    return this.served;
  }

  /**
   * What a listed class stands for: a module for the providers and controllers of its own, any other for itself.
   *
   * @throws McpDeclarationError when it declares nothing.
   */
  of(type: McpToolClass, position: number): readonly FoundHost[] {
    const isModule = [...this.modules.values()].some(({ metatype }) => metatype === type);
    const found = this.explorer.explore();
    const hosts = this.oncePerClass(found.filter(({ host }) => (isModule ? host.moduleType === type : host.is(type))));
    if (hosts.length > 0) return hosts;
    throw new McpDeclarationError({
      origin: `settings.tools[${position}]`,
      reason: isModule
        ? `no provider or controller of the module ${type.name} declares a tool: a listed module stands for its own ` +
          'providers, not for those of modules that it imports.'
        : `${type.name} declares no tool, or no module provides it: decorate its methods with @McpTool(), and add it to ` +
          'the providers of a module that the application imports when it starts.',
    });
  }

  /** A class that several modules provide declares its tools once: the first module's instance serves them. */
  private oncePerClass(found: readonly FoundHost[]): FoundHost[] {
    const first = new Map<object, FoundHost>();
    return found.filter((one) => {
      const { prototype, name, moduleType } = one.host;
      const earlier = prototype === Object.prototype ? undefined : first.get(prototype);
      if (earlier === undefined) first.set(prototype, one);
      else
        this.log.debug(`${name} of ${moduleType?.name} is served by the instance of ${earlier.host.moduleType?.name}.`);
      return earlier === undefined;
    });
  }
}
