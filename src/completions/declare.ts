/**
 * Declarations of completions, checked against the prompts and templates that they are for (T4).
 */
import { propertiesOf } from '../prompts/arguments.js';
import type { McpPromptIndex } from '../prompts/declare.js';
import type { McpResourceIndex } from '../resources/resource-index.js';
import { offeredFault } from '../tools/declaration-checks.js';
import { takeDeclarations, type McpToolFault } from '../tools/declarations.js';
import { McpDeclaredSet } from '../tools/declared-set.js';
import { nearestName } from '../tools/nearest-name.js';
import type { McpVisible, McpVisibilityQuestion } from '../tools/visibility.js';
import type { McpCompletion, McpCompletionEntry } from './completion.js';

/** A checked completion. Its name says what it completes. */
export interface McpDeclaredCompletion extends McpVisible {
  readonly completion: McpCompletion;
  readonly origin: string;
}

/** The checked completions of a gate. */
export type McpCompletionIndex = McpDeclaredSet<McpDeclaredCompletion>;

/** How declarations are taken. */
export interface McpDeclareCompletionsOptions {
  readonly prompts: McpPromptIndex;
  readonly resources: McpResourceIndex;
  /** Hears of each fault. Absent: the first fault is thrown as McpDeclarationError. */
  readonly report?: (fault: McpToolFault) => void;
}

/** The name of what completes an argument of a prompt or a variable of a template. */
export function completionName(kind: 'prompt' | 'template', of: string, argument: string): string {
  return `${argument} of ${kind} ${of}`;
}

/**
 * Takes the declarations that pass every check; of two for one argument the first stays.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function declareMcpCompletions(
  entries: readonly McpCompletionEntry[],
  options: McpDeclareCompletionsOptions,
): McpCompletionIndex {
  const completions = takeDeclarations<McpCompletionEntry, McpDeclaredCompletion>(entries, {
    check: (entry) => checkCompletion(entry, options),
    named: () => ({ kind: 'completion' }),
    taken: ({ origin }) => `${origin} completes it already, and keeps it: remove one.`,
    report: options.report,
  });
  return new McpDeclaredSet(completions);
}

function checkCompletion(
  entry: McpCompletionEntry,
  known: McpDeclareCompletionsOptions,
): McpDeclaredCompletion | string {
  const { completion } = entry;
  if (typeof completion !== 'object' || completion === null) {
    return 'a completion is an object with prompt and argument (or template and variable), and complete.';
  }
  if (typeof (completion as { complete?: unknown }).complete !== 'function') {
    return 'it has no complete: give it a function.';
  }
  const fault = offeredFault(completion);
  if (fault !== undefined) return fault;
  if (!hasTarget(completion)) return 'it must say what it completes: prompt and argument, or template and variable.';
  const name = 'prompt' in completion ? promptTarget(completion, known) : templateTarget(completion, known);
  return typeof name === 'string' ? declared(entry, name) : name.fault;
}

function hasTarget(completion: object): boolean {
  const said = completion as Readonly<Record<string, unknown>>;
  const keys = 'prompt' in said ? ['prompt', 'argument'] : ['template', 'variable'];
  return keys.every((key) => typeof said[key] === 'string');
}

function declared(entry: McpCompletionEntry, name: string): McpDeclaredCompletion {
  const { completion, origin } = entry;
  const rule = entry.admits !== undefined && {
    admits: (question: McpVisibilityQuestion) => entry.admits!({ completion, ...question }),
  };
  return { kind: 'completion', name, reservation: completion, completion, origin, ...rule };
}

function notServed(kind: string, name: string, served: readonly { readonly name: string }[]): string {
  const near = nearestName(
    name,
    served.map((entry) => entry.name),
  );
  const wayOut = near === undefined ? 'Serve it, or complete one that is.' : `Did you mean "${near}"?`;
  return `it completes the ${kind} "${name}", which is not served beside it. ${wayOut}`;
}

type Target<K extends string> = Readonly<Record<K, string>>;

function promptTarget(
  { prompt, argument }: Target<'prompt' | 'argument'>,
  { prompts }: McpDeclareCompletionsOptions,
): string | { fault: string } {
  const entry = prompts.get(prompt);
  if (entry === undefined) return { fault: notServed('prompt', prompt, prompts.entries) };
  const names = Object.keys(propertiesOf(entry.schema));
  if (names.includes(argument)) return completionName('prompt', prompt, argument);
  return { fault: `the prompt "${prompt}" has no argument "${argument}", only ${names.join(', ') || 'none at all'}.` };
}

function templateTarget(
  { template, variable }: Target<'template' | 'variable'>,
  { resources }: McpDeclareCompletionsOptions,
): string | { fault: string } {
  const entry = resources.templates.get(template);
  if (entry === undefined) return { fault: notServed('template', template, resources.templates.entries) };
  const { variables } = entry.template;
  if (variables.includes(variable)) return completionName('template', template, variable);
  return { fault: `the template "${template}" has no variable "${variable}", only ${variables.join(', ')}.` };
}
