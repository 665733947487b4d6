/**
 * Declarations of completions, checked against the prompts and templates that they are for (T4).
 */
import { propertiesOf } from '../prompts/arguments.js';
import type { McpPromptIndex } from '../prompts/declare.js';
import type { McpResourceIndex } from '../resources/resource-index.js';
import { offeredFault } from '../tools/declaration-checks.js';
import { McpDeclarationError, type McpToolFault } from '../tools/declare.js';
import { McpDeclaredSet } from '../tools/declared-set.js';
import { thrownMessage } from '../tools/thrown.js';
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
  const accepted = new Map<string, McpDeclaredCompletion>();
  for (const entry of entries) {
    const declared = declareOne(entry, options);
    const earlier = typeof declared === 'string' ? undefined : accepted.get(declared.name);
    if (typeof declared !== 'string' && earlier === undefined) {
      accepted.set(declared.name, declared);
      continue;
    }
    const reason =
      typeof declared === 'string' ? declared : `${earlier!.origin} completes it already, and keeps it: remove one.`;
    const fault: McpToolFault = { origin: entry.origin, kind: 'completion', reason };
    if (options.report === undefined) throw new McpDeclarationError(fault);
    options.report(fault);
  }
  return new McpDeclaredSet([...accepted.values()]);
}

function declareOne(entry: McpCompletionEntry, known: McpDeclareCompletionsOptions): McpDeclaredCompletion | string {
  try {
    const { completion } = entry;
    if (typeof completion !== 'object' || completion === null) {
      return 'a completion is an object with prompt and argument (or template and variable), and complete.';
    }
    if (typeof (completion as { complete?: unknown }).complete !== 'function') {
      return 'it has no complete: give it a function.';
    }
    const fault = offeredFault(completion);
    if (fault !== undefined) return fault;
    const name = 'prompt' in completion ? promptTarget(completion, known) : templateTarget(completion, known);
    return typeof name === 'string' ? declared(entry, name) : name.fault;
  } catch (error) {
    return `it cannot be read, something in it threw: ${thrownMessage(error)}`;
  }
}

function declared(entry: McpCompletionEntry, name: string): McpDeclaredCompletion {
  const { completion, origin } = entry;
  const rule = entry.admits !== undefined && {
    admits: (question: McpVisibilityQuestion) => entry.admits!({ completion, ...question }),
  };
  return { kind: 'completion', name, reservation: completion, completion, origin, ...rule };
}

type Target<K extends string> = Readonly<Record<K, string>>;

function promptTarget(
  { prompt, argument }: Target<'prompt' | 'argument'>,
  { prompts }: McpDeclareCompletionsOptions,
): string | { fault: string } {
  const entry = prompts.get(prompt);
  if (entry === undefined) return { fault: `it completes the prompt "${prompt}", which is not served beside it.` };
  const names = Object.keys(propertiesOf(entry.schema));
  if (names.includes(argument)) return completionName('prompt', prompt, argument);
  return { fault: `the prompt "${prompt}" has no argument "${argument}", only ${names.join(', ') || 'none at all'}.` };
}

function templateTarget(
  { template, variable }: Target<'template' | 'variable'>,
  { resources }: McpDeclareCompletionsOptions,
): string | { fault: string } {
  const entry = resources.templates.get(template);
  if (entry === undefined) return { fault: `it completes the template "${template}", which is not served beside it.` };
  const { variables } = entry.template;
  if (variables.includes(variable)) return completionName('template', template, variable);
  return { fault: `the template "${template}" has no variable "${variable}", only ${variables.join(', ')}.` };
}
