/**
 * What a gate offers beside tools, and where it comes from.
 */
import type { Awaitable } from '../awaitable.js';
import { declareMcpPrompts, type McpPromptIndex } from '../prompts/declare.js';
import type { McpPromptEntry } from '../prompts/prompt.js';
import { declareMcpResources } from '../resources/declare.js';
import type { McpResourceEntry } from '../resources/resource.js';
import type { McpResourceIndex } from '../resources/resource-index.js';
import type { McpToolFault } from '../tools/declare.js';
import type { McpReservation } from '../tools/visibility.js';
import type { ResolvedGateSettings } from './settings.js';

/** Where what a gate offers comes from. Asked at each request that needs it: the same until code is loaded lazily. */
export interface McpOffers {
  resources(): Awaitable<McpResourceIndex>;
  prompts(): Awaitable<McpPromptIndex>;
}

/** Everything that a gate offers beside tools, checked. */
export interface McpOffered {
  readonly resources: McpResourceIndex;
  readonly prompts: McpPromptIndex;
}

/** The part of the settings that lists plain objects. */
type Listed = Pick<ResolvedGateSettings, 'resources' | 'prompts'>;

/** What classes declare. */
export interface McpOfferedEntries {
  readonly resources: readonly McpResourceEntry[];
  readonly prompts: readonly McpPromptEntry[];
}

/**
 * What the settings list as plain objects, and then what classes declare: the settings keep their names.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function declareOffers(
  { resources, prompts }: Listed,
  found: readonly McpOfferedEntries[] = [],
  report?: (fault: McpToolFault) => void,
): McpOffered {
  const options = report && { report };
  const listedResources = resources.map((resource, at) => ({ resource, origin: `settings.resources[${at}]` }));
  const listedPrompts = prompts.map((prompt, at) => ({ prompt, origin: `settings.prompts[${at}]` }));
  return {
    resources: declareMcpResources([...listedResources, ...found.flatMap((one) => one.resources)], options),
    prompts: declareMcpPrompts([...listedPrompts, ...found.flatMap((one) => one.prompts)], options),
  };
}

/**
 * What the settings list as plain objects.
 *
 * @throws McpDeclarationError for a bad one among them.
 */
export function plainOffers(settings: Listed): McpOffers {
  const offered = declareOffers(settings);
  return { resources: () => offered.resources, prompts: () => offered.prompts };
}

/** What everything that is offered asks of its callers, for the scopes that a challenge names. */
export async function reservationsOf(offers: McpOffers): Promise<readonly McpReservation[]> {
  const [resources, prompts] = await Promise.all([offers.resources(), offers.prompts()]);
  return [...resources.entries, ...prompts.entries].map(({ reservation }) => reservation);
}
