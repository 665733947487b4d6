/**
 * What a gate offers beside tools, and where it comes from.
 */
import type { Awaitable } from '../awaitable.js';
import { completesAnything } from '../completions/catalogue.js';
import type { McpCompletionEntry } from '../completions/completion.js';
import { declareMcpCompletions, type McpCompletionIndex } from '../completions/declare.js';
import { declareMcpPrompts, type McpPromptIndex } from '../prompts/declare.js';
import type { McpPromptEntry } from '../prompts/prompt.js';
import { declareMcpResources } from '../resources/declare.js';
import type { McpResourceEntry } from '../resources/resource.js';
import type { McpResourceIndex } from '../resources/resource-index.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { McpReservation } from '../tools/visibility.js';
import type { ResolvedGateSettings } from './settings.js';

/** Where what a gate offers comes from. Asked at each request that needs it: the same until code is loaded lazily. */
export interface McpOffers {
  resources(): Awaitable<McpResourceIndex>;
  prompts(): Awaitable<McpPromptIndex>;
  completions(): Awaitable<McpOfferedCompletions>;
}

/** What is declared to complete arguments, and whether anything does: a schema's list of values does it by itself. */
export interface McpOfferedCompletions {
  readonly index: McpCompletionIndex;
  readonly any: boolean;
}

/** Everything that a gate offers beside tools, checked. */
export interface McpOffered {
  readonly resources: McpResourceIndex;
  readonly prompts: McpPromptIndex;
  readonly completions: McpOfferedCompletions;
}

/** The part of the settings that lists plain objects. */
type Listed = Pick<ResolvedGateSettings, 'resources' | 'prompts' | 'completions'>;

/** What classes declare. */
export interface McpOfferedEntries {
  readonly resources: readonly McpResourceEntry[];
  readonly prompts: readonly McpPromptEntry[];
  readonly completions: readonly McpCompletionEntry[];
}

/**
 * What the settings list as plain objects, and then what classes declare: the settings keep their names.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function declareOffers(
  listed: Listed,
  found: readonly McpOfferedEntries[] = [],
  report?: (fault: McpToolFault) => void,
): McpOffered {
  const options = report && { report };
  const from = (key: keyof Listed, at: number) => `settings.${key}[${at}]`;
  const resources = declareMcpResources(
    [
      ...listed.resources.map((resource, at) => ({ resource, origin: from('resources', at) })),
      ...found.flatMap((one) => one.resources),
    ],
    options,
  );
  const prompts = declareMcpPrompts(
    [
      ...listed.prompts.map((prompt, at) => ({ prompt, origin: from('prompts', at) })),
      ...found.flatMap((one) => one.prompts),
    ],
    options,
  );
  const index = declareMcpCompletions(
    [
      ...listed.completions.map((completion, at) => ({ completion, origin: from('completions', at) })),
      ...found.flatMap((one) => one.completions),
    ],
    { resources, prompts, ...options },
  );
  return { resources, prompts, completions: { index, any: completesAnything(index, prompts) } };
}

/**
 * What the settings list as plain objects.
 *
 * @throws McpDeclarationError for a bad one among them.
 */
export function plainOffers(settings: Listed): McpOffers {
  const offered = declareOffers(settings);
  return {
    resources: () => offered.resources,
    prompts: () => offered.prompts,
    completions: () => offered.completions,
  };
}

/** What everything that is offered asks of its callers, for the scopes that a challenge names. */
export async function reservationsOf(offers: McpOffers): Promise<readonly McpReservation[]> {
  const [resources, prompts, { index }] = await Promise.all([
    offers.resources(),
    offers.prompts(),
    offers.completions(),
  ]);
  return [...resources.entries, ...prompts.entries, ...index.entries].map(({ reservation }) => reservation);
}
