/**
 * One request-scoped provider makes everything above it request-scoped too: it is all made anew for every request.
 */
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { chainToRequest, nameOf, neededBy, type ProviderFacts } from '../../inspect/providers.js';
import type { Finding, WiringCheck } from '../finding.js';
import { groupedBy } from '../grouped-by.js';

const NAMES_TOLD = 8;

export const requestScope: WiringCheck = ({ providers, routes }) => {
  const drawn = providers.all().filter(({ perRequest, aliasOf }) => perRequest !== undefined && aliasOf === undefined);
  const all = routes.all();
  return [...groupedBy(drawn, ({ wrapper }) => rootOf(wrapper))].map(([root, above]): Finding => {
    const controllers = new Set(above.filter(({ kind }) => kind === 'controller').map(({ wrapper }) => wrapper));
    const served = all.filter(({ wrapper }) => controllers.has(wrapper));
    const most = Math.max(0, ...[...controllers].map((controller) => madeFor(controller).size));
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
      code: typeof root.metatype === 'function' ? root.metatype : undefined,
    };
  });
};

/** What is request-scoped by its own word; for the request itself, who has it injected. */
function rootOf(wrapper: InstanceWrapper): InstanceWrapper {
  const chain = chainToRequest(wrapper);
  const last = chain.at(-1)!;
  return nameOf(last) === 'REQUEST' && chain.length > 2 ? chain.at(-2)! : last;
}

function madeFor(wrapper: InstanceWrapper, made = new Set<InstanceWrapper>()): Set<InstanceWrapper> {
  if (made.has(wrapper) || wrapper.isDependencyTreeStatic() || nameOf(wrapper) === 'REQUEST') return made;
  made.add(wrapper);
  for (const needed of neededBy(wrapper)) madeFor(needed, made);
  return made;
}

function namesOf(above: readonly ProviderFacts[]): string {
  const names = [...new Set(above.map(({ name }) => name))];
  const more = names.length - NAMES_TOLD;
  return names.slice(0, NAMES_TOLD).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
