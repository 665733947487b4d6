/**
 * Declarations of prompts, checked as those of tools are: a bad one is discarded with its reason (T4).
 */
import { nameFault, offeredFault } from '../tools/declaration-checks.js';
import { McpDeclarationError, readSchema, type McpToolFault } from '../tools/declare.js';
import { McpDeclaredSet } from '../tools/declared-set.js';
import { thrownMessage } from '../tools/thrown.js';
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
  const accepted = new Map<string, McpDeclaredPrompt>();
  for (const entry of entries) {
    const declared = declareOne(entry);
    const earlier = typeof declared === 'string' ? undefined : accepted.get(declared.name);
    if (typeof declared !== 'string' && earlier === undefined) {
      accepted.set(declared.name, declared);
      continue;
    }
    const reason =
      typeof declared === 'string'
        ? declared
        : `the name is taken by ${earlier!.origin}, which keeps it: choose another.`;
    const fault: McpToolFault = { origin: entry.origin, kind: 'prompt', ...named(entry), reason };
    if (report === undefined) throw new McpDeclarationError(fault);
    report(fault);
  }
  return new McpDeclaredSet([...accepted.values()]);
}

function declareOne(entry: McpPromptEntry): McpDeclaredPrompt | string {
  try {
    const { prompt } = entry;
    if (typeof prompt !== 'object' || prompt === null) return 'a prompt is an object with name, handler.';
    const fault = nameFault(prompt.name, false) ?? offeredFault(prompt);
    if (fault !== undefined) return fault;
    if (typeof (prompt as { handler?: unknown }).handler !== 'function')
      return 'it has no handler: give it a function.';
    const input = readSchema(prompt.inputSchema ?? NO_ARGUMENTS, 'input');
    const unsound = 'fault' in input ? input.fault : textsFault(input.schema);
    if ('fault' in input || unsound !== undefined) return `inputSchema: ${unsound}`;
    return new McpDeclaredPrompt(entry, input.schema);
  } catch (error) {
    return `it cannot be read, something in it threw: ${thrownMessage(error)}`;
  }
}

function named({ prompt }: McpPromptEntry): { name?: string } {
  try {
    return typeof prompt?.name === 'string' ? { name: prompt.name } : {};
  } catch {
    return {};
  }
}
