/**
 * What is told of a route, a module, a provider, a tool: a line's worth of it, or everything when detail is asked for.
 */
import { notedType } from '../../tools/schemas/noted-type.js';
import { someOf } from '../bounded.js';
import type { Place } from '../places/places.js';
import { listOfNames } from '../secrets/mask.js';
import type { ServedToolFacts } from './gates-and-tools.js';
import type { ModuleFacts } from './modules.js';
import { tokenName } from './names.js';
import { nameOf, type ProviderFacts } from './providers.js';
import type { RouteFacts } from './routes.js';
import type { RunningPart } from './running-parts.js';

const NAMES_TOLD = 12;

/** A route in brief. */
export function routeInBrief(route: RouteFacts): object {
  const { method, path, version, controller, handler, gate, perRequest } = route;
  return {
    method,
    path,
    ...(version !== undefined && { version }),
    controller,
    handler,
    guards: route.guards.map(partInBrief),
    pipes: [...route.pipes, ...ownPipes(route)].map(partInBrief),
    interceptors: route.interceptors.map(partInBrief),
    filters: route.filters.map(partInBrief),
    ...(perRequest && { perRequest }),
    ...(gate !== undefined && { gate }),
  };
}

/** Everything about a route. */
export function routeInFull(route: RouteFacts, place: Place | undefined): object {
  const { method, path, version, host, module, controller, handler, gate, perRequest } = route;
  return {
    method,
    path,
    ...(version !== undefined && { version }),
    ...(host !== undefined && { host }),
    controller,
    handler,
    module,
    ...fileOf(place),
    guards: route.guards.map(partInFull),
    pipes: route.pipes.map(partInFull),
    interceptors: route.interceptors.map(partInFull),
    filters: route.filters.map(partInFull),
    parameters: route.parameters.map(({ index, from, property, type, piped, pipes }) => ({
      index,
      from,
      ...(property !== undefined && { property }),
      type: tokenName(notedType(type) ?? type),
      ...(pipes.length > 0 && { pipes: pipes.map(partInFull) }),
      ...(!piped && { piped }),
    })),
    ...(perRequest && { perRequest }),
    ...(gate !== undefined && { gate }),
  };
}

function ownPipes({ parameters }: RouteFacts): RunningPart[] {
  return parameters.flatMap(({ pipes }) => pipes);
}

/** `RolesGuard (method)` */
export function partInBrief({ name, from, idle }: RunningPart): string {
  return idle === undefined ? `${name} (${from})` : `${name} (${from}, does NOT run)`;
}

function partInFull({ name, from, by, perRequest, catches, idle }: RunningPart): object {
  return {
    name,
    from,
    ...(by !== undefined && { by }),
    ...(perRequest && { perRequest }),
    ...(catches !== undefined && { catches }),
    ...(idle !== undefined && { doesNotRun: idle }),
  };
}

/** A module in brief. */
export function moduleInBrief({ name, imports, exports, controllers, providers, global }: ModuleFacts): object {
  return {
    name,
    ...(global && { global }),
    imports: some(imports),
    exports: some(exports),
    controllers: some(controllers),
    providers: providers.length,
  };
}

/** Everything about a module. */
export function moduleInFull(module: ModuleFacts, place: Place | undefined): object {
  const { name, imports, importedBy, exports, controllers, providers, global, distance } = module;
  return {
    name,
    global,
    distance,
    ...fileOf(place),
    imports: listOfNames(imports),
    importedBy: listOfNames(importedBy),
    exports: listOfNames(exports),
    controllers: listOfNames(controllers),
    providers: listOfNames(providers),
  };
}

/** A provider in brief. */
export function providerInBrief(provider: ProviderFacts): object {
  const { name, kind, module, scope, perRequest, aliasOf, dependencies, dependents } = provider;
  return {
    name,
    ...(kind !== 'provider' && { kind }),
    module,
    scope,
    ...(perRequest !== undefined && { madePerRequestBy: perRequest }),
    ...(aliasOf !== undefined && { aliasOf }),
    dependencies: some(dependencies.map(nameOf)),
    injectedInto: some(dependents.map(nameOf)),
  };
}

/** Everything about a provider. */
export function providerInFull(provider: ProviderFacts, place: Place | undefined): object {
  const { name, kind, module, scope, perRequest, aliasOf, exported, type } = provider;
  const { dependencies, dependents, withModule } = provider;
  return {
    name,
    kind,
    module,
    scope,
    ...(perRequest !== undefined && { madePerRequestBy: perRequest }),
    ...(aliasOf !== undefined && { aliasOf }),
    ...(type !== undefined && type.name !== name && { class: type.name }),
    ...fileOf(place),
    exported,
    dependencies: listOfNames(dependencies.map(withModule)),
    injectedInto: listOfNames(dependents.map(withModule)),
  };
}

function toolOutline({ name, gate, origin, listed, reason }: ServedToolFacts): object {
  return { name, gate, origin, listed, ...(reason !== undefined && { reason }) };
}

/** A tool in brief. */
export function toolInBrief(tool: ServedToolFacts): object {
  return {
    ...toolOutline(tool),
    ...(tool.call === 'by-arguments' && { call: 'its arguments may ask for more scopes' }),
  };
}

/** Everything about a tool. */
export function toolInFull(tool: ServedToolFacts): object {
  const { call, entry } = tool;
  return {
    ...toolOutline(tool),
    call,
    description: entry.tool.description,
    annotations: entry.tool.annotations ?? {},
    needs: entry.reservation.scopes ?? [],
  };
}

function some(names: readonly string[]): readonly string[] {
  return listOfNames(someOf(names, NAMES_TOLD));
}

function fileOf(place: Place | undefined): { file?: string } {
  return place === undefined ? {} : { file: `${place.file}:${place.line}` };
}
