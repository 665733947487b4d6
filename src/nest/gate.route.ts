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

/** The route of one gate, as the code writes it. */
export class GateRoute {
  constructor(
    readonly controller: Type,
    private readonly version: RouteVersion,
  ) {}

  get versioned(): boolean {
    return this.version !== undefined;
  }

  /**
   * The settings are known, and with them the path. Nest reads a controller's path when the application starts and all
   * providers are there, so a gate whose settings come from a factory is in time.
   */
  placeAt(path: string): void {
    Controller({ path, ...(this.version !== undefined && { version: this.version }) })(this.controller);
  }

  /** Two gates with one key would stand in each other's way. */
  keyAt(path: string): string {
    return `${canonicalPath(path)} ${String(this.version ?? '')}`;
  }
}

/** The route of one gate in ONE application: of the same code a process may start several, each with settings of its own. */
export class PlacedRoute {
  /** Whole paths, once the application has registered them. */
  readonly paths: string[] = [];
  gate?: McpGate;

  /** The gate's limit for a body, in bytes. */
  get bodyLimit(): number {
    return this.gate?.settings.bodyLimit ?? 0;
  }
}

/** Frameworks differ in case and trailing slashes; a path too many does no harm, its body is parsed all the same. */
export function canonicalPath(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}
