/**
 * A decorated method, turned into the plain resource or template that a user could have written by hand.
 */
import type { McpCaller } from '../caller.js';
import { readTexts } from '../prompts/arguments.js';
import type { McpResource, McpResourceEntry, McpResourceTemplate } from '../resources/resource.js';
import { currentAmbient } from '../runs/ambient.js';
import type { McpRun } from '../runs/run.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { BoundMethod, MethodEnhancers } from './enhancers.js';
import { McpExecutionContext } from './execution.js';
import type { ReadDto } from './input.js';
import { compileCall } from './invoker.js';
import { callOf, guardRule } from './method-call.js';
import { toolsOnlyFault, type McpToolDecoration } from './tool.decorator.js';
import type { McpResourceDeclaration, McpResourceTemplateDeclaration } from './resource.decorator.js';
import { readSignature } from './signature.js';
import type { ToolHost } from './tool-host.js';

/** The resource of one decorated method, or why it cannot be one. `reserved` is what else stands on the method. */
export function toMethodResource(
  host: ToolHost,
  name: string,
  declaration: McpResourceDeclaration | McpResourceTemplateDeclaration,
  reserved: McpToolDecoration | undefined,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
): McpResourceEntry | { readonly fault: McpToolFault } {
  const origin = `${host.name}.${name}`;
  const signature = readSignature(host.prototype, name);
  const fault = 'fault' in signature ? signature.fault : toolsOnlyFault(reserved);
  if ('fault' in signature || fault !== undefined) return { fault: { origin, reason: fault! } };

  const method = (host.prototype as Record<string, BoundMethod['method']>)[name]!;
  const call = callOf(host, method, (bound) => compileCall(enhancers, bound, signature));
  const type = signature.args?.metatype;
  const shape = typeof type === 'function' ? readDto?.(type) : undefined;
  const read = (given: unknown, caller: McpCaller, run: McpRun): unknown => {
    const args = (typeof given === 'string' ? { uri: given } : given) as Record<string, unknown>;
    const invoke = (taken: object) =>
      call(
        new McpExecutionContext({ resource }, caller, currentAmbient()?.request, taken as Record<string, unknown>, run),
      );
    return shape === undefined ? invoke(args) : shape.parse(readTexts(shape.schema, args)).then(invoke);
  };
  const { scopes, requiresAuth } = reserved ?? {};
  const resource = {
    ...declaration,
    ...(scopes !== undefined && { scopes }),
    ...(requiresAuth !== undefined && { requiresAuth }),
    read,
  } as McpResource | McpResourceTemplate;
  const rule = guardRule(host, method, enhancers);
  return {
    resource,
    origin,
    ...(rule && { admits: ({ caller, request, args }) => rule({ resource }, { caller, request, args }) }),
  };
}
