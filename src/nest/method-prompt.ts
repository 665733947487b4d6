/**
 * A decorated method, turned into the plain prompt that a user could have written by hand.
 */
import type { McpPrompt, McpPromptEntry } from '../prompts/prompt.js';
import { currentAmbient } from '../runs/ambient.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { ReadDto } from '../tools/schemas/dto.js';
import type { BoundMethod, MethodEnhancers } from './enhancers.js';
import { McpExecutionContext } from './execution.js';
import { readToolInput } from './input.js';
import { compileCall } from './invoker.js';
import { callOf, guardRule } from './method-call.js';
import type { McpPromptDeclaration } from './prompt.decorator.js';
import { readSignature } from './signature.js';
import { toolsOnlyFault, type McpToolDecoration } from './tool.decorator.js';
import type { ToolHost } from './tool-host.js';

/** The prompt of one decorated method, or why it cannot be one. `reserved` is what else stands on the method. */
export function toMethodPrompt(
  host: ToolHost,
  name: string,
  declaration: McpPromptDeclaration,
  reserved: McpToolDecoration | undefined,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
): McpPromptEntry | { readonly fault: McpToolFault } {
  const origin = `${host.name}.${name}`;
  const refuse = (reason: string) => ({ fault: { origin, name: declaration.name, kind: 'prompt' as const, reason } });
  const misplaced = toolsOnlyFault(reserved);
  if (misplaced !== undefined) return refuse(misplaced);
  const signature = readSignature(host.prototype, name);
  if ('fault' in signature) return refuse(signature.fault);
  const input = readToolInput(signature, declaration.inputSchema, readDto, '@McpPrompt()');
  if ('fault' in input) return refuse(input.fault);

  const method = (host.prototype as Record<string, BoundMethod['method']>)[name]!;
  const call = callOf(host, method, (bound) => compileCall(enhancers, bound, signature));
  const { scopes, requiresAuth } = reserved ?? {};
  const prompt: McpPrompt = {
    ...declaration,
    inputSchema: input.schema,
    ...(scopes !== undefined && { scopes }),
    ...(requiresAuth !== undefined && { requiresAuth }),
    handler(args, caller, run) {
      const invoke = (taken: object) =>
        call(new McpExecutionContext({ prompt }, caller, currentAmbient()?.request, taken as typeof args, run));
      return input.parse === undefined ? invoke(args) : input.parse(args).then(invoke);
    },
  };
  const rule = guardRule(host, method, enhancers);
  if (rule === undefined) return { prompt, origin };
  return { prompt, origin, admits: ({ caller, request, args }) => rule({ prompt }, { caller, request, args }) };
}
