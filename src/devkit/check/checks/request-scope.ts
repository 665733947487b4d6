/**
 * One request-scoped provider makes everything above it request-scoped too: it is all made anew for every request.
 */
import { Scope } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { nameOf, neededBy, type ProviderFacts } from '../../inspect/providers.js';
import type { Finding, WiringCheck } from '../finding.js';

const NAMES_TOLD = 8;

export const requestScope: WiringCheck = ({ providers, routes }) => {
  const drawn = providers.all().filter(({ perRequest, aliasOf }) => perRequest !== undefined && aliasOf === undefined);
  const all = routes.all();
  return groupsOf(drawn).map(([root, above]): Finding => {
    const controllers = new Set(above.filter(({ kind }) => kind === 'controller').map(({ wrapper }) => wrapper));
    const served = all.filter(({ wrapper }) => controllers.has(wrapper));
    const most = Math.max(0, ...[...controllers].map((controller) => madeFor(controller)));
    return {
      level: 'look',
      what:
        `${nameOf(root)} lives as long as a request, and by it so ${above.length === 1 ? 'does' : 'do'} ${namesOf(above)}. ` +
        (served.length === 0
          ? 'No route is among them.'
          : `It costs ${served.length} ${served.length === 1 ? 'route' : 'routes'} up to ${most} new instances for each request.`),
      where: `${nameOf(root)} of ${root.host?.name ?? 'Nest'}`,
      cure:
        'Keep what belongs to a request in AsyncLocalStorage (nestjs-cls, or McpRequestContext in tools) and let the provider ' +
        'live as long as the application; or make it durable, if requests can share it by tenant.',
      code: root.metatype as Function, // what is made for a request is made by a class or a factory
    };
  });
};

/** Whoever is drawn, by each root that draws it: one that has the request injected is a root itself, for those above it. */
function groupsOf(drawn: readonly ProviderFacts[]): [InstanceWrapper, readonly ProviderFacts[]][] {
  const groups = new Map<InstanceWrapper, ProviderFacts[]>();
  for (const facts of drawn) {
    for (const root of rootsOf(facts.wrapper)) groups.set(root, [...(groups.get(root) ?? []), facts]);
  }
  return [...groups]
    .map(([root, above]): [InstanceWrapper, ProviderFacts[]] => [
      root,
      isOfNest(root) ? above.filter(({ wrapper }) => !groups.has(wrapper)) : above,
    ])
    .filter(([, above]) => above.length > 0);
}

function rootsOf(wrapper: InstanceWrapper, seen = new Set<InstanceWrapper>()): Set<InstanceWrapper> {
  const roots = new Set<InstanceWrapper>();
  if (seen.has(wrapper)) return roots;
  seen.add(wrapper);
  for (const needed of drawnIn(wrapper)) {
    const isRoot = needed.scope === Scope.REQUEST || drawnIn(needed).some(isOfNest);
    for (const root of isRoot ? [needed] : rootsOf(needed, seen)) roots.add(root);
  }
  return roots;
}

/** What a wrapper needs that is made for every request. */
function drawnIn(wrapper: InstanceWrapper): InstanceWrapper[] {
  const needed = [...neededBy(wrapper), ...(wrapper.getEnhancersMetadata() ?? [])];
  return needed.filter((one) => !one.isDependencyTreeStatic());
}

/** How many instances a request makes for it: of a transient one as many as need it, of an alias none. */
function madeFor(
  wrapper: InstanceWrapper,
  made = new Set<InstanceWrapper>(),
  above: readonly InstanceWrapper[] = [],
): number {
  if (isOfNest(wrapper) || above.includes(wrapper)) return 0;
  if (!wrapper.isTransient && (made.has(wrapper) || wrapper.isDependencyTreeStatic())) return 0;
  made.add(wrapper);
  const needed = new Set([...neededBy(wrapper), ...drawnIn(wrapper)]);
  const ofNeeded = [...needed].map((one) => madeFor(one, made, [...above, wrapper]));
  return ofNeeded.reduce((sum, count) => sum + count, wrapper.isAlias ? 0 : 1);
}

/** The request, and who asks. */
function isOfNest({ host }: InstanceWrapper): boolean {
  return host?.name === 'InternalCoreModule';
}

function namesOf(above: readonly ProviderFacts[]): string {
  const names = [...new Set(above.map(({ name }) => name))];
  const more = names.length - NAMES_TOLD;
  return names.slice(0, NAMES_TOLD).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
