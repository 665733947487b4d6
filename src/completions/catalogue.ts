/**
 * The completions of ONE caller for ONE request: of the prompts and templates that it has, and no others (A2).
 */
import { whenThere, type Awaitable } from '../awaitable.js';
import type { McpPromptCatalogue } from '../prompts/catalogue.js';
import { propertiesOf } from '../prompts/arguments.js';
import type { McpPromptIndex } from '../prompts/declare.js';
import type { McpResourceCatalogue } from '../resources/catalogue.js';
import { ifVisible, type McpVisibilityOptions } from '../tools/visibility.js';
import { completionName, type McpCompletionIndex, type McpDeclaredCompletion } from './declare.js';
import { enumeratedTexts } from './enumerated.js';

/** What is completed, as a client names it. */
export interface McpCompletionQuestion {
  readonly kind: 'prompt' | 'template';
  readonly of: string;
  readonly argument: string;
}

/** What completes it: a declared completion, or else the texts that its schema lists. */
export type McpFoundCompletion =
  | { readonly entry: McpDeclaredCompletion }
  | { readonly texts: readonly string[] }
  /** The prompt or template has no such argument. */
  | { readonly arguments: readonly string[] };

/** What the protocol asks of completions. */
export interface McpCompletionCatalogue {
  /** `undefined` when the caller has no such prompt or template. Unknown and withheld are one answer. */
  find(question: McpCompletionQuestion): Awaitable<McpFoundCompletion | undefined>;
}

/** Where a caller's prompts and resources are found. */
export interface McpCompletionSources {
  readonly prompts: McpPromptCatalogue | undefined;
  readonly resources: McpResourceCatalogue | undefined;
}

/** Whether there is anything that completes: a declared completion, or an argument that lists its values. */
export function completesAnything(completions: McpCompletionIndex, prompts: McpPromptIndex): boolean {
  if (!completions.isEmpty) return true;
  return prompts.entries.some(({ schema }) =>
    Object.keys(propertiesOf(schema)).some((argument) => enumeratedTexts(schema, argument) !== undefined),
  );
}

/** The catalogue of one request. */
export function collectMcpCompletions(
  index: McpCompletionIndex,
  { prompts, resources }: McpCompletionSources,
  options: McpVisibilityOptions,
): McpCompletionCatalogue {
  function declaredOr(question: McpCompletionQuestion, texts: readonly string[]): Awaitable<McpFoundCompletion> {
    const entry = index.get(completionName(question.kind, question.of, question.argument));
    if (entry === undefined) return { texts };
    return whenThere(ifVisible(entry, options), (visible) => (visible === undefined ? { texts } : { entry: visible }));
  }
  return {
    find(question) {
      const { kind, of, argument } = question;
      if (kind === 'prompt') {
        return whenThere(prompts?.find(of), (prompt) => {
          if (prompt === undefined) return undefined;
          const names = Object.keys(propertiesOf(prompt.schema));
          if (!names.includes(argument)) return { arguments: names };
          return declaredOr(question, enumeratedTexts(prompt.schema, argument) ?? []);
        });
      }
      return whenThere(resources?.findTemplate(of), (found) => {
        if (found === undefined) return undefined;
        const { variables } = found.template;
        return variables.includes(argument) ? declaredOr(question, []) : { arguments: variables };
      });
    },
  };
}
