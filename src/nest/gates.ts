/**
 * The application's gates: opened while it starts, told to the operator once it has, closed when it ends.
 */
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { defineMcpGate, type McpGate } from '../gate/gate.js';
import type { McpOffers } from '../gate/offers.js';
import type { McpGateSettings } from '../gate/settings.js';
import { McpSettingsError } from '../gate/settings-check.js';
import type { McpToolSource } from '../tools/catalogue.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { McpDeclaredTool } from '../tools/declared-tool.js';
import { MethodEnhancers } from './enhancers.js';
import { McpEventBuses } from './event-buses.js';
import { McpToolExplorer } from './explorer.js';
import { announceGate, isReserved } from './gate-announcement.js';
import { McpGateRoutes } from './gate-routes.js';
import type { GateRoute, PlacedRoute } from './gate.route.js';
import { McpHosts } from './hosts.js';
import { McpMetadataRoutes } from './metadata-routes.js';
import { McpOfferSources } from './offer-sources.js';
import { requestAnew } from './request-anew.js';
import { McpToolSources } from './tool-sources.js';

/** A tool that a gate serves, for the application's own eyes. */
export interface McpServedTool {
  readonly name: string;
  /** Where it was declared: `StockTools.read`. */
  readonly origin: string;
  /** Whether a caller needs something for it: scopes, authentication, the leave of a guard. */
  readonly reserved: boolean;
}

interface OpenGate {
  readonly gate: McpGate;
  readonly route: PlacedRoute;
  /** Where it stands; no other gate may. */
  readonly key: string;
  readonly versioned: boolean;
  /** Its module's place among those of the application. */
  readonly order: number;
  source?: McpToolSource;
  offers?: McpOffers;
}

/** Injectable: the application's gates by their names, and what each serves. */
@Injectable()
export class McpGates implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger('McpGate');
  /** In the order in which the application imports them: Nest makes them in whatever order their settings come. */
  private gates: ReadonlyMap<string, OpenGate> = new Map();
  private readonly ending = new AbortController();
  private readonly explorer: McpToolExplorer;
  private readonly sources: McpToolSources;
  private readonly offerSources: McpOfferSources;
  private readonly metadata: McpMetadataRoutes;
  private started = false;

  constructor(
    private readonly modules: ModulesContainer,
    host: HttpAdapterHost,
    private readonly routes: McpGateRoutes,
    private readonly buses: McpEventBuses,
    private readonly config: ApplicationConfig,
  ) {
    // Made here, because each provider takes Nest a part of a millisecond when an application starts.
    const enhancers = new MethodEnhancers(modules);
    this.explorer = new McpToolExplorer(modules, enhancers);
    const hosts = new McpHosts(this.explorer, modules);
    this.sources = new McpToolSources(hosts, enhancers);
    this.offerSources = new McpOfferSources(hosts);
    this.metadata = new McpMetadataRoutes(host);
  }

  /** The names of all gates. */
  get names(): readonly string[] {
    return [...this.gates.keys()];
  }

  /**
   * A gate by its name.
   *
   * @throws Error when there is none of that name.
   */
  get(name: string): McpGate {
    return this.open(name).gate;
  }

  /** What a gate serves to somebody who may have everything, as far as code declares it: without `getMcpTools()`. */
  tools(name: string): readonly McpServedTool[] {
    return this.sourceOf(this.open(name)).fixed().entries.map(toServedTool);
  }

  /** Where a gate's tools come from, for the testing tools. @internal */
  source(name: string): McpToolSource {
    return this.sourceOf(this.open(name));
  }

  /** What a gate offers beside tools, for the testing tools. @internal */
  offers(name: string): McpOffers {
    return this.offersOf(this.open(name));
  }

  /** The name of the gate that answers on a route. @internal */
  nameOf(route: GateRoute): string | undefined {
    const placed = this.routes.of(route);
    return [...this.gates].find(([, opened]) => opened.route === placed)?.[0];
  }

  /** Declarations that were discarded, for whoever looks for a tool that is not there. @internal */
  get discarded(): readonly McpToolFault[] {
    return this.sources.discarded;
  }

  /** Aborts when the application is closed, for the testing tools. @internal */
  get closing(): AbortSignal {
    return this.ending.signal;
  }

  /** Opens a gate for its route. @internal */
  add(settings: McpGateSettings, route: GateRoute): McpGate {
    const gate: McpGate = defineMcpGate(settings, {
      log: this.log,
      source: {
        fixed: () => this.sourceOf(opened).fixed(),
        fresh: () => this.sourceOf(opened).fresh?.(),
      },
      offers: {
        resources: () => this.offersOf(opened).resources(),
        prompts: () => this.offersOf(opened).prompts(),
        completions: () => this.offersOf(opened).completions(),
      },
      events: this.buses.own,
      requestAnew,
    });
    const { name, path, events } = gate.settings;
    const order = [...this.modules.values()].findIndex(({ controllers }) => controllers.has(route.controller));
    const opened: OpenGate = {
      gate,
      route: this.routes.of(route),
      key: route.keyAt(path),
      versioned: route.versioned,
      order,
    };
    if (this.gates.has(name)) {
      throw new McpSettingsError([
        `two gates are called "${name}": give each a name of its own, clients and the log need it.`,
      ]);
    }
    route.placeAt(path);
    opened.route.gate = gate;
    const rival = [...this.gates.values()].find((other) => other.key === opened.key)?.gate.settings.name;
    if (rival !== undefined) {
      throw new McpSettingsError([`the gates "${rival}" and "${name}" have one path: give each a "path" of its own.`]);
    }
    this.gates = new Map(
      [...this.gates, [name, opened] as const].toSorted(([, one], [, other]) => one.order - other.order),
    );
    if (events !== undefined) this.buses.add(events);
    return gate;
  }

  /** The routes of the gates are known now, and the application's answer to unknown ones is not registered yet. */
  onModuleInit(): void {
    this.metadata.register([...this.gates.values()].map(({ gate, route }) => ({ gate, paths: route.paths })));
  }

  /** Reads the declarations, so that a bad one is known now and not at the first request. */
  async onApplicationBootstrap(): Promise<void> {
    await this.explorer.pending;
    this.started = true;
    for (const opened of this.gates.values()) {
      const source = this.sourceOf(opened); // also of a gate that is disabled: a bad tool stops the start
      await announceGate(opened, { source, offers: () => this.offersOf(opened), config: this.config, log: this.log });
    }
  }

  onModuleDestroy(): void {
    this.ending.abort();
    for (const { gate } of this.gates.values()) gate.close();
  }

  private open(name: string): OpenGate {
    const opened = this.gates.get(name);
    if (opened !== undefined) return opened;
    throw new Error(`No gate is called "${name}". The gates are: ${this.names.join(', ') || 'none'}.`);
  }

  private sourceOf(opened: OpenGate): McpToolSource {
    if (!this.started)
      throw new Error('Tools are known once the application has started: await app.init() or app.listen().');
    return (opened.source ??= this.sources.of(opened.gate.settings));
  }

  private offersOf(opened: OpenGate): McpOffers {
    this.sourceOf(opened); // a bad tool is told first
    return (opened.offers ??= this.offerSources.of(opened.gate.settings));
  }
}

function toServedTool(entry: McpDeclaredTool): McpServedTool {
  return { name: entry.name, origin: entry.origin, reserved: isReserved(entry) };
}
