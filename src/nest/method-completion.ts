/**
 * A decorated method, turned into the plain completion that a user could have written by hand.
 */
import type { McpCompletion, McpCompletionEntry, McpCompletionTarget } from '../completions/completion.js';
import { currentAmbient } from '../runs/ambient.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { BoundMethod, MethodEnhancers } from './enhancers.js';
import { McpExecutionContext } from './execution.js';
import { compileCall } from './invoker.js';
import { callOf, guardRule } from './method-call.js';
import { readSignature, type ToolParameter, type ToolSignature } from './signature.js';
import { toolsOnlyFault, type McpToolDecoration } from './tool.decorator.js';
import type { ToolHost } from './tool-host.js';

/** The completion of one decorated method, or why it cannot be one. `reserved` is what else stands on the method. */
export function toMethodCompletion(
  host: ToolHost,
  name: string,
  target: McpCompletionTarget,
  reserved: McpToolDecoration | undefined,
  enhancers: MethodEnhancers,
): McpCompletionEntry | { readonly fault: McpToolFault } {
  const origin = `${host.name}.${name}`;
  const refuse = (reason: string) => ({ fault: { origin, reason } });
  const misplaced = toolsOnlyFault(reserved);
  if (misplaced !== undefined) return refuse(misplaced);
  const read = readSignature(host.prototype, name);
  if ('fault' in read) return refuse(read.fault);

  const signature = read.positional ? completing(read) : read;
  const method = (host.prototype as Record<string, BoundMethod['method']>)[name]!;
  const call = callOf(host, method, (bound) => compileCall(enhancers, bound, signature));
  const { scopes, requiresAuth } = reserved ?? {};
  const completion: McpCompletion = {
    ...target,
    ...(scopes !== undefined && { scopes }),
    ...(requiresAuth !== undefined && { requiresAuth }),
    complete(value, { arguments: others }, caller, run) {
      const args = { value, arguments: others };
      return call(new McpExecutionContext({ completion }, caller, currentAmbient()?.request, args, run));
    },
  };
  const rule = guardRule(host, method, enhancers);
  if (rule === undefined) return { completion, origin };
  return { completion, origin, admits: ({ caller, request }) => rule({ completion }, { caller, request }) };
}

/** A method without decorated parameters takes `(value, { arguments }, caller, run)`. */
function completing({ parameters }: ToolSignature): ToolSignature {
  const origins = [
    { origin: 'argument', data: 'value' },
    { origin: 'arguments' },
    { origin: 'caller' },
    { origin: 'run' },
  ];
  return {
    positional: false,
    parameters: origins.map((origin, index): ToolParameter => ({
      kind: 'custom',
      pipes: [],
      metatype: parameters[index]?.metatype,
      ...(origin as Pick<ToolParameter, 'origin' | 'data'>),
      index,
    })),
  };
}
