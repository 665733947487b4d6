/**
 * What there is at a gate beside tools for one caller in one request; `undefined` when there is none at all, whoever asks.
 */
import { whenThere, type Awaitable } from '../awaitable.js';
import { collectMcpPrompts, type McpPromptCatalogue } from '../prompts/catalogue.js';
import { collectMcpResources, type McpResourceCatalogue } from '../resources/catalogue.js';
import type { McpVisibilityOptions } from '../tools/visibility.js';
import type { McpOffers } from './offers.js';

export function resourcesFor(
  offers: McpOffers | undefined,
  options: McpVisibilityOptions,
): Awaitable<McpResourceCatalogue | undefined> {
  return whenThere(offers?.resources(), (index) =>
    index === undefined || index.isEmpty ? undefined : collectMcpResources(index, options),
  );
}

export function promptsFor(
  offers: McpOffers | undefined,
  options: McpVisibilityOptions,
): Awaitable<McpPromptCatalogue | undefined> {
  return whenThere(offers?.prompts(), (index) =>
    index === undefined || index.isEmpty ? undefined : collectMcpPrompts(index, options),
  );
}
