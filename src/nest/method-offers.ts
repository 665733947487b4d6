/**
 * What a decorated method is beside a tool: something to read, a prompt, a completion. It may be several of them.
 */
import type { McpCompletionEntry } from '../completions/completion.js';
import type { McpPromptEntry } from '../prompts/prompt.js';
import type { McpResourceEntry } from '../resources/resource.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { ReadDto } from '../tools/schemas/dto.js';
import { readCompleteDecoration } from './complete.decorator.js';
import type { MethodEnhancers } from './enhancers.js';
import { toMethodCompletion } from './method-completion.js';
import { toMethodPrompt } from './method-prompt.js';
import { toMethodResource } from './method-resource.js';
import { readPromptDecoration } from './prompt.decorator.js';
import { readResourceDecorations } from './resource.decorator.js';
import type { McpToolDecoration } from './tool.decorator.js';
import type { ToolHost } from './tool-host.js';

/** What the methods of a host are. */
export interface MethodOffers {
  readonly resources: McpResourceEntry[];
  readonly prompts: McpPromptEntry[];
  readonly completions: McpCompletionEntry[];
}

/** Adds what a method is to `offers`, or why it cannot be to `faults`. Gives whether it is meant to be anything. */
export function readMethodOffers(
  host: ToolHost,
  name: string,
  reserved: McpToolDecoration | undefined,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
  offers: MethodOffers,
  faults: McpToolFault[],
): boolean {
  const method = (host.prototype as Record<string, object>)[name]!;
  function take<E extends object>(read: E | { readonly fault: McpToolFault }, into: E[]): void {
    if ('fault' in read) faults.push(read.fault);
    else into.push(read);
  }
  const readable = readResourceDecorations(method);
  for (const declaration of readable) {
    take(toMethodResource(host, name, declaration, reserved, enhancers, readDto), offers.resources);
  }
  const prompt = readPromptDecoration(method);
  if (prompt !== undefined) take(toMethodPrompt(host, name, prompt, reserved, enhancers, readDto), offers.prompts);
  const target = readCompleteDecoration(method);
  if (target !== undefined) take(toMethodCompletion(host, name, target, reserved, enhancers), offers.completions);
  return readable.length > 0 || prompt !== undefined || target !== undefined;
}
