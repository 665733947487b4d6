/**
 * How a decorated method is reached for a request: on the instance that the request gets, and behind the guards that stand
 * on it.
 */
import type { McpVisibilityQuestion } from '../tools/visibility.js';
import { isGuarded, type BoundMethod, type MethodEnhancers } from './enhancers.js';
import { responseTo } from './exchange.js';
import { contextArguments, MCP_CONTEXT_TYPE, McpExecutionContext, type McpExecutionSubject } from './execution.js';
import type { CompiledCall } from './invoker.js';
import type { ToolHost } from './tool-host.js';

type Method = BoundMethod['method'];

/** Whether the guards of a method let a caller have what the method is. */
export type GuardRule = (subject: McpExecutionSubject, question: McpVisibilityQuestion) => Promise<boolean>;

/**
 * The rule of the guards that stand on a method or its class; `undefined` when none do. They run when the catalogue is
 * collected, and not again at the call (A2); an exception withholds as `false` does.
 */
export function guardRule(host: ToolHost, method: Method, enhancers: MethodEnhancers): GuardRule | undefined {
  if (!isGuarded(host.type, method)) return undefined;
  const decide = callOf(host, method, (bound) => {
    const { instance, moduleKey, contextId, hostId } = bound;
    const guards = enhancers.guards.create(instance, method, moduleKey, contextId, hostId);
    return (frame) => {
      const args = contextArguments(frame, responseTo(frame.request));
      return enhancers.guardsConsumer.tryActivate(guards, args, instance, method, MCP_CONTEXT_TYPE);
    };
  });
  return async (subject, { caller, request, args }) =>
    (await decide(new McpExecutionContext(subject, caller, request, args))) === true;
}

/** Work on the instance of a request: compiled once when all requests share it, else for each call. */
export function callOf(host: ToolHost, method: Method, compile: (bound: BoundMethod) => CompiledCall): CompiledCall {
  const place = { method, moduleKey: host.moduleKey, hostId: host.id };
  let compiled: CompiledCall | undefined;
  return (frame) => {
    if (host.isShared) return (compiled ??= compile({ ...place, instance: host.shared() }))(frame);
    const contextId = host.contextOf(frame.request);
    return host.resolve(contextId).then((instance) => compile({ ...place, instance, contextId })(frame));
  };
}
