/**
 * What a decorated method is beside a tool: something to read, a prompt, a completion. It may be several of them.
 */
import type { McpCompletionEntry } from '../completions/completion.js';
import type { McpPromptEntry } from '../prompts/prompt.js';
import type { McpResourceEntry } from '../resources/resource.js';
import type { McpToolFault } from '../tools/declarations.js';
import { readCompleteDecoration } from './complete.decorator.js';
import type { Notes } from './decoration.js';
import type { MethodEnhancers } from './enhancers.js';
import { toMethodCompletion } from './method-completion.js';
import { toMethodPrompt } from './method-prompt.js';
import { toMethodResource } from './method-resource.js';
import { readPromptDecoration } from './prompt.decorator.js';
import { readResourceDecorations } from './resource.decorator.js';
import type { McpToolDecoration } from './tool.decorator.js';
import type { ToolHost } from './tool-host.js';
import type { ReadDto } from '../tools/schemas/dto.js';

/** What the methods of a host are. */
export interface MethodOffers {
  readonly resources: McpResourceEntry[];
  readonly prompts: McpPromptEntry[];
  readonly completions: McpCompletionEntry[];
}

/** A method on which decorators of this package stand. */
export interface DecoratedMethod {
  readonly host: ToolHost;
  readonly name: string;
  readonly notes: Notes;
  /** What makes it a tool, or reserves what else it is. */
  readonly decoration: McpToolDecoration | undefined;
}

/** Adds what a method is to `offers`, or why it cannot be to `faults`. Gives whether it is meant to be anything. */
export function readMethodOffers(
  { host, name, notes, decoration }: DecoratedMethod,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
  offers: MethodOffers,
  faults: McpToolFault[],
): boolean {
  function take<E extends object>(read: E | { readonly fault: McpToolFault }, into: E[]): void {
    if ('fault' in read) faults.push(read.fault);
    else into.push(read);
  }
  const readable = readResourceDecorations(notes);
  for (const declaration of readable) {
    take(toMethodResource(host, name, declaration, decoration, enhancers, readDto), offers.resources);
  }
  const prompt = readPromptDecoration(notes);
  if (prompt !== undefined) take(toMethodPrompt(host, name, prompt, decoration, enhancers, readDto), offers.prompts);
  const target = readCompleteDecoration(notes);
  if (target !== undefined) take(toMethodCompletion(host, name, target, decoration, enhancers), offers.completions);
  return readable.length > 0 || prompt !== undefined || target !== undefined;
}
