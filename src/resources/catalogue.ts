/**
 * The resources of ONE caller for ONE request, by the same rule as its tools (A2).
 */
import { whenThere, type Awaitable } from '../awaitable.js';
import { ifVisible, isVisible, reservedAmong, visibleOf, type McpVisibilityOptions } from '../tools/visibility.js';
import type { McpDeclaredResource, McpDeclaredTemplate } from './declared-resource.js';
import type { McpLocatedResource, McpResourceIndex } from './resource-index.js';

/** What the protocol asks of resources. */
export interface McpResourceCatalogue {
  /** Every resource that the caller has, in the order of declaration. */
  list(): Awaitable<readonly McpDeclaredResource[]>;
  /** Every template that the caller has. */
  templates(): Awaitable<readonly McpDeclaredTemplate[]>;
  /** What a URI is for, if the caller has it. Unknown and withheld are one answer. */
  find(uri: string): Awaitable<McpLocatedResource | undefined>;
  /** A template by its text, if the caller has it. */
  findTemplate(text: string): Awaitable<McpDeclaredTemplate | undefined>;
  /** How many resources and templates wait for authorization. */
  reserved(): number;
}

/** The catalogue of one request. */
export function collectMcpResources(index: McpResourceIndex, options: McpVisibilityOptions): McpResourceCatalogue {
  return {
    list: () => visibleOf(index.resources, options),
    templates: () => visibleOf(index.templates, options),
    find(uri) {
      const located = index.locate(uri);
      if (located === undefined) return undefined;
      const args = 'variables' in located ? located.variables : { uri };
      return whenThere(isVisible(located.entry, options, args), (visible) => (visible ? located : undefined));
    },
    findTemplate(text) {
      const entry = index.templates.get(text);
      return entry && ifVisible(entry, options);
    },
    reserved: () => reservedAmong(index.entries, options.caller),
  };
}
