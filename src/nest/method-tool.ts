/**
 * A decorated method, turned into the plain object that a user could have written by hand. Nothing downstream knows where
 * it came from (T1).
 */
import { currentAmbient } from '../runs/ambient.js';
import type { McpToolFault } from '../tools/declare.js';
import type { McpAdmission, McpTool, McpToolEntry } from '../tools/tool.js';
import { isGuarded, type BoundMethod, type MethodEnhancers } from './enhancers.js';
import { contextArguments, MCP_CONTEXT_TYPE, McpExecutionContext } from './execution.js';
import { responseTo } from './exchange.js';
import { readToolInput, type ReadDto } from './input.js';
import { compileCall, type CompiledCall } from './invoker.js';
import { readSignature } from './signature.js';
import type { McpToolDecoration } from './tool.decorator.js';
import type { ToolHost } from './tool-host.js';

/** A method as a tool, with what its published schema loses of its type. */
export interface MethodTool {
  readonly entry: McpToolEntry;
  readonly lost: readonly string[];
}

type Method = BoundMethod['method'];

/** The tool of one decorated method, or why it cannot be one. */
export function toMethodTool(
  host: ToolHost,
  name: string,
  decoration: McpToolDecoration,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
): MethodTool | { readonly fault: McpToolFault } {
  const origin = `${host.name}.${name}`;
  const refuse = (reason: string) => ({ fault: { origin, ...(decoration.name && { name: decoration.name }), reason } });
  if (!('name' in decoration)) {
    return refuse('it has decorators of a tool but no @McpTool(), so it is none: add @McpTool() or remove them.');
  }
  const signature = readSignature(host.prototype, name);
  if ('fault' in signature) return refuse(signature.fault);
  const input = readToolInput(signature, decoration.inputSchema, readDto);
  if ('fault' in input) return refuse(input.fault);

  const method = (host.prototype as Record<string, Method>)[name]!;
  const call = callOf(host, method, (bound) => compileCall(enhancers, bound, signature));
  const tool: McpTool = {
    ...(decoration as McpTool),
    inputSchema: input.schema,
    handler(args, caller, run) {
      const invoke = (taken: object) =>
        call(new McpExecutionContext(tool, caller, currentAmbient()?.request, taken as Record<string, unknown>, run));
      return input.parse === undefined ? invoke(args) : input.parse(args).then(invoke);
    },
  };
  const admits = isGuarded(host.type, method) ? admission(host, method, enhancers) : undefined;
  return { entry: { tool, origin, ...(admits && { admits }) }, lost: input.lost };
}

/**
 * The rule of the guards that stand on a method or its class. They run when the catalogue is collected, and not again at
 * the call (A2); an exception withholds the tool as `false` does.
 */
export function admission(
  host: ToolHost,
  method: Method,
  enhancers: MethodEnhancers,
): NonNullable<McpToolEntry['admits']> {
  const decide = callOf(host, method, (bound) => {
    const { instance, moduleKey, contextId, hostId } = bound;
    const guards = enhancers.guards.create(instance, method, moduleKey, contextId, hostId);
    return (frame) => {
      const args = contextArguments(frame, responseTo(frame.request));
      return enhancers.guardsConsumer.tryActivate(guards, args, instance, method, MCP_CONTEXT_TYPE);
    };
  });
  return async ({ tool, caller, request, args }: McpAdmission) =>
    (await decide(new McpExecutionContext(tool, caller, request, args))) === true;
}

/** Work on the instance of a request: compiled once when all requests share it, else for each call. */
function callOf(host: ToolHost, method: Method, compile: (bound: BoundMethod) => CompiledCall): CompiledCall {
  const place = { method, moduleKey: host.moduleKey, hostId: host.id };
  let compiled: CompiledCall | undefined;
  return (frame) => {
    if (host.isShared) return (compiled ??= compile({ ...place, instance: host.shared() }))(frame);
    const contextId = host.contextOf(frame.request);
    return host.resolve(contextId).then((instance) => compile({ ...place, instance, contextId })(frame));
  };
}
