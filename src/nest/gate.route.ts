/**
 * Where a gate stands in the application: its controller, and the whole paths under which the adapter registered it.
 */
import { Controller, type CanActivate, type Type } from '@nestjs/common';
import type { McpGate } from '../gate/gate.js';

/** What Nest's `@Controller({ version })` takes. */
export type RouteVersion = NonNullable<
  Exclude<Parameters<typeof Controller>[0], string | readonly string[]>
>['version'];

/** How a gate's route stands in the application, beside its path. */
export interface McpGateRouteOptions {
  /** The version or versions of the route, as in `@Controller({ version })`. */
  version?: RouteVersion;
  /** Guards of the gate itself, as in `@UseGuards()`: who may come in at all. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
}

/** The route of one gate. */
export class GateRoute {
  /** Whole paths, once the application has registered them. */
  readonly paths: string[] = [];
  private gate?: McpGate;

  constructor(
    readonly controller: Type,
    private readonly version: RouteVersion,
  ) {}

  /**
   * The gate is known, and with it the path. Nest reads a controller's path when the application starts and all providers
   * are there, so a gate whose settings come from a factory is in time.
   */
  open(gate: McpGate): void {
    this.gate = gate;
    const { path } = gate.settings;
    Controller({ path, ...(this.version !== undefined && { version: this.version }) })(this.controller);
  }

  /** The gate's limit for a body, in bytes. */
  get bodyLimit(): number {
    return this.gate?.settings.bodyLimit ?? 0;
  }

  /** Two gates with one key would stand in each other's way. */
  get key(): string {
    return `${this.gate?.settings.path ?? ''} ${String(this.version ?? '')}`;
  }
}
