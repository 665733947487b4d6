/**
 * What a gate offers beside tools, and where it comes from.
 */
import type { Awaitable } from '../awaitable.js';
import { declareMcpResources } from '../resources/declare.js';
import type { McpResourceIndex } from '../resources/resource-index.js';
import type { McpReservation } from '../tools/visibility.js';
import type { ResolvedGateSettings } from './settings.js';

/** Where a gate's resources come from. Asked at each request that needs them: the same index until code is loaded lazily. */
export interface McpOffers {
  resources(): Awaitable<McpResourceIndex>;
}

/**
 * What the settings list as plain objects.
 *
 * @throws McpDeclarationError for a bad one among them.
 */
export function plainOffers({ resources }: Pick<ResolvedGateSettings, 'resources'>): McpOffers {
  const index = declareMcpResources(
    resources.map((resource, at) => ({ resource, origin: `settings.resources[${at}]` })),
  );
  return { resources: () => index };
}

/** What everything that is offered asks of its callers, for the scopes that a challenge names. */
export async function reservationsOf(offers: McpOffers): Promise<readonly McpReservation[]> {
  const resources = await offers.resources();
  return resources.entries.map(({ reservation }) => reservation);
}
