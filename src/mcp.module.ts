/**
 * The module that an application imports: one import for each gate.
 */
import {
  Inject,
  Module,
  Optional,
  type DynamicModule,
  type InjectionToken,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { resolveGateSettings, type McpGateSettings } from './gate/settings.js';
import { createGateController } from './nest/gate.controller.js';
import type { McpGateRouteOptions } from './nest/gate.route.js';
import { McpGates } from './nest/gates.js';
import { McpGatesModule } from './nest/gates.module.js';

/** A class that makes a gate's settings. */
export interface McpGateSettingsFactory {
  createMcpGateSettings(): McpGateSettings | Promise<McpGateSettings>;
}

/** Where a gate's settings come from when they are not known as the module is written: one of the three `use…`. */
export interface McpGateAsyncSettings extends Pick<ModuleMetadata, 'imports'> {
  /** What `useFactory` is called with. */
  inject?: InjectionToken[];
  useFactory?: (...injected: never[]) => McpGateSettings | Promise<McpGateSettings>;
  /** A class to instantiate for it. */
  useClass?: Type<McpGateSettingsFactory>;
  /** A provider that exists already. */
  useExisting?: InjectionToken<McpGateSettingsFactory>;
  /** The version and guards of the route. Its path is a setting like any other. */
  route?: McpGateRouteOptions;
}

const OPENS_A_GATE = Symbol('MCP_OPENS_A_GATE');

/**
 * Opens a gate. An application with several imports the module once for each, every one with a name and a path of its
 * own:
 *
 * ```ts
 * imports: [
 *   McpModule.forRoot({ name: 'shop' }),
 *   McpModule.forRoot({ name: 'billing', path: '/billing/mcp', allowRemote: true, tools: [InvoiceTools] }),
 * ]
 * ```
 */
@Module({})
export class McpModule {
  constructor(@Optional() @Inject(OPENS_A_GATE) opensAGate?: true) {
    if (opensAGate === undefined) {
      throw new Error(
        'McpModule itself opens no gate: import McpModule.forRoot({ name: … }) or McpModule.forRootAsync({ … }).',
      );
    }
  }

  /**
   * A gate with these settings.
   *
   * @throws McpSettingsError when they cannot be used.
   */
  static forRoot(settings: McpGateSettings, route?: McpGateRouteOptions): DynamicModule {
    resolveGateSettings(settings);
    return openGate({ useFactory: () => settings, ...(route && { route }) });
  }

  /** A gate whose settings a factory gives, for instance from a ConfigService. They may come late, its path too. */
  static forRootAsync(settings: McpGateAsyncSettings): DynamicModule {
    return openGate(settings);
  }
}

let gatesWritten = 0;

function openGate({
  imports = [],
  inject,
  useFactory,
  useClass,
  useExisting,
  route,
}: McpGateAsyncSettings): DynamicModule {
  // Numbered, so that Nest tells the modules of two gates apart also when it compares modules by their text.
  const number = ++gatesWritten;
  const gate = Symbol(`MCP_GATE_${number}`);
  const settings = Symbol(`MCP_GATE_SETTINGS_${number}`);
  const factory = useClass ?? useExisting;
  if (useFactory === undefined && factory === undefined) {
    throw new Error('McpModule.forRootAsync() needs one of useFactory, useClass and useExisting.');
  }
  const gateRoute = createGateController(gate, route);
  return {
    module: McpModule,
    imports: [McpGatesModule, ...imports],
    controllers: [gateRoute.controller],
    providers: [
      { provide: OPENS_A_GATE, useValue: true },
      ...(useClass === undefined ? [] : [useClass]),
      useFactory === undefined
        ? {
            provide: settings,
            inject: [factory as InjectionToken],
            useFactory: (made: McpGateSettingsFactory) => made.createMcpGateSettings(),
          }
        : { provide: settings, inject: inject ?? [], useFactory },
      {
        provide: gate,
        inject: [McpGates, settings],
        useFactory: (gates: McpGates, given: McpGateSettings) => gates.add(given, gateRoute),
      },
    ],
  };
}
