/**
 * The prompts of ONE caller for ONE request, by the same rule as its tools (A2).
 */
import type { Awaitable } from '../awaitable.js';
import { ifVisible, reservedAmong, visibleOf, type McpVisibilityOptions } from '../tools/visibility.js';
import type { McpPromptIndex } from './declare.js';
import type { McpDeclaredPrompt } from './declared-prompt.js';

/** What the protocol asks of prompts. */
export interface McpPromptCatalogue {
  /** Every prompt that the caller has, in the order of declaration. */
  list(): Awaitable<readonly McpDeclaredPrompt[]>;
  /** The named prompt if the caller has it; `args` when it is about to be filled in. Unknown and withheld are one answer. */
  find(name: string, args?: Readonly<Record<string, unknown>>): Awaitable<McpDeclaredPrompt | undefined>;
  /** How many prompts wait for authorization. */
  reserved(): number;
}

/** The catalogue of one request. */
export function collectMcpPrompts(index: McpPromptIndex, options: McpVisibilityOptions): McpPromptCatalogue {
  return {
    list: () => visibleOf(index, options),
    find(name, args) {
      const entry = index.get(name);
      return entry && ifVisible(entry, options, args);
    },
    reserved: () => reservedAmong(index.entries, options.caller),
  };
}
