/**
 * Something that a check has found: what, where, and how to mend it.
 */
import type { ApplicationModules } from '../inspect/modules.js';
import type { GatesAndTools } from '../inspect/gates-and-tools.js';
import type { ApplicationProviders } from '../inspect/providers.js';
import type { RegisteredRoutes } from '../inspect/registered-routes.js';
import type { ApplicationRoutes } from '../inspect/routes.js';
import type { RunningPartsReader } from '../inspect/running-parts.js';

/** One finding. */
export interface Finding {
  /** `fault`: it does not work as it is written. `look`: it may be meant. */
  readonly level: 'fault' | 'look';
  readonly what: string;
  /** Class and method. */
  readonly where: string;
  readonly cure: string;
  /** What stands in the file that has to change. */
  readonly code?: Function | undefined;
  /** Only of interest where the code is the application's own, not a package's. */
  readonly ownCodeOnly?: true;
}

/** What checks look at. */
export interface CheckedApplication {
  readonly registered: RegisteredRoutes;
  readonly routes: ApplicationRoutes;
  readonly running: RunningPartsReader;
  readonly modules: ApplicationModules;
  readonly providers: ApplicationProviders;
  readonly gates: GatesAndTools;
}

/** A check. */
export type WiringCheck = (application: CheckedApplication) => readonly Finding[] | Promise<readonly Finding[]>;
