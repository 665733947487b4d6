/**
 * What a decorated method is beside a tool: something to read, a prompt. It may be several of them.
 */
import type { McpPromptEntry } from '../prompts/prompt.js';
import type { McpResourceEntry } from '../resources/resource.js';
import type { McpToolFault } from '../tools/declare.js';
import type { MethodEnhancers } from './enhancers.js';
import type { ReadDto } from './input.js';
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
  const readable = readResourceDecorations(method);
  for (const declaration of readable) {
    const resource = toMethodResource(host, name, declaration, reserved, enhancers, readDto);
    if ('fault' in resource) faults.push(resource.fault);
    else offers.resources.push(resource);
  }
  const prompted = readPromptDecoration(method);
  if (prompted === undefined) return readable.length > 0;
  const prompt = toMethodPrompt(host, name, prompted, reserved, enhancers, readDto);
  if ('fault' in prompt) faults.push(prompt.fault);
  else offers.prompts.push(prompt);
  return true;
}
