/**
 * Declarations of prompts, checked as those of tools are: a bad one is discarded with its reason (T4).
 */
import { nameFault, offeredFault } from '../tools/declaration-checks.js';
import { takeDeclarations, type McpToolFault } from '../tools/declarations.js';
import { readSchema } from '../tools/declare.js';
import { McpDeclaredSet } from '../tools/declared-set.js';
import { textsFault } from './arguments.js';
import { McpDeclaredPrompt } from './declared-prompt.js';
import type { McpPromptEntry } from './prompt.js';

/** The checked prompts of a gate. */
export type McpPromptIndex = McpDeclaredSet<McpDeclaredPrompt>;

/** How declarations are taken. */
export interface McpDeclarePromptsOptions {
  /** Hears of each fault. Absent: the first fault is thrown as McpDeclarationError. */
  readonly report?: (fault: McpToolFault) => void;
}

const NO_ARGUMENTS = Object.freeze({ type: 'object', properties: {}, additionalProperties: false });

/**
 * Takes the declarations that pass every check; of two with one name the first stays.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function declareMcpPrompts(
  entries: readonly McpPromptEntry[],
  { report }: McpDeclarePromptsOptions = {},
): McpPromptIndex {
  const prompts = takeDeclarations<McpPromptEntry, McpDeclaredPrompt>(entries, {
    check: checkPrompt,
    named: ({ prompt }) => ({ kind: 'prompt', ...(typeof prompt?.name === 'string' && { name: prompt.name }) }),
    taken: ({ origin }) => `the name is taken by ${origin}, which keeps it: choose another.`,
    report,
  });
  return new McpDeclaredSet(prompts);
}

function checkPrompt(entry: McpPromptEntry): McpDeclaredPrompt | string {
  const { prompt } = entry;
  if (typeof prompt !== 'object' || prompt === null) return 'a prompt is an object with name, handler.';
  const fault = nameFault(prompt.name, false) ?? offeredFault(prompt);
  if (fault !== undefined) return fault;
  if (typeof (prompt as { handler?: unknown }).handler !== 'function') return 'it has no handler: give it a function.';
  const input = readSchema(prompt.inputSchema ?? NO_ARGUMENTS, 'input');
  const unsound = 'fault' in input ? input.fault : textsFault(input.schema);
  if ('fault' in input || unsound !== undefined) return `inputSchema: ${unsound}`;
  return new McpDeclaredPrompt(entry, input.schema);
}
