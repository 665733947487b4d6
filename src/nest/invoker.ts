/**
 * Calls a tool's method through the pipes, interceptors and filters of Nest that stand on the method and its class. The
 * work is compiled once for each instance; a method that nothing stands on is simply called.
 */
import type { ExecutionContext, PipeTransform } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory.js';
import type { RouterProxyCallback } from '@nestjs/core/router/router-proxy.js';
import { isAboutInput } from '../runs/input.js';
import type { McpRun } from '../runs/run.js';
import { settleToolValue } from '../tools/settle.js';
import { isFiltered, type BoundMethod, type MethodEnhancers } from './enhancers.js';
import { contextArguments, MCP_CONTEXT_TYPE, type McpExecutionContext } from './execution.js';
import type { ToolParameter, ToolSignature } from './signature.js';
import { resultOnly } from './result-only.js';

/** A call of a tool's method. The frame has arguments and a run. */
export type CompiledCall = (frame: McpExecutionContext) => unknown;

/** Everything about a method's call that does not depend on the call. */
export function compileCall(enhancers: MethodEnhancers, bound: BoundMethod, signature: ToolSignature): CompiledCall {
  const { instance, method, moduleKey, contextId, hostId } = bound;
  const place = [instance, method, moduleKey, contextId, hostId] as const;
  const pipes = enhancers.pipes.create(...place);
  const interceptors = enhancers.interceptors.create(...place);
  const filtered = isFiltered(instance.constructor, method);
  if (signature.positional && pipes.length === 0 && interceptors.length === 0 && !filtered) {
    return ({ args, caller, run }) => method.call(instance, args, caller, run);
  }

  const readers = signature.parameters.map((parameter) => compileParameter(enhancers, bound, parameter, pipes));
  const call: CompiledCall = async (frame) => {
    const values: unknown[] = [];
    await Promise.all(readers.map(async (reader) => void (values[reader.index] = await reader.read(frame))));
    return method.apply(instance, values);
  };
  const intercepted: CompiledCall =
    interceptors.length === 0
      ? call
      : (frame) =>
          enhancers.interceptorsConsumer.intercept(
            interceptors,
            contextArguments(frame),
            instance,
            method,
            async () => resultOnly(await call(frame), frame.run!),
            MCP_CONTEXT_TYPE,
          );
  return filtered ? withFilters(enhancers, bound, intercepted) : intercepted;
}

/**
 * A filter's value, or what it throws, takes the place of an exception; one that gives nothing leaves it as it is. Not
 * Nest's own handler: it would log what the gate logs too. An aborted run, or a question to the client, is nothing for a filter
 * to answer.
 */
function withFilters(enhancers: MethodEnhancers, bound: BoundMethod, call: CompiledCall): CompiledCall {
  const { instance, method, moduleKey, contextId, hostId } = bound;
  const filters = enhancers.filters.create(instance, method as RouterProxyCallback, moduleKey, contextId, hostId);
  return async (frame) => {
    const run = frame.run as McpRun;
    try {
      return await settleToolValue(await call(frame), run);
    } catch (error) {
      if (run.signal.aborted || isAboutInput(error)) throw error;
      const answer: unknown = await filters.invokeCustomFilters(error, hostOf(frame, bound));
      if (answer === undefined) throw error;
      return answer;
    }
  };
}

interface ParameterReader {
  readonly index: number;
  read(frame: McpExecutionContext): unknown;
}

function compileParameter(
  { pipes: creator, pipesConsumer }: MethodEnhancers,
  bound: BoundMethod,
  parameter: ToolParameter,
  inherited: readonly PipeTransform[],
): ParameterReader {
  const { index, origin, kind, data, metatype, schema } = parameter;
  creator.setModuleContext(bound.moduleKey);
  const own = creator.createConcreteContext<unknown[], PipeTransform[]>(
    [...parameter.pipes],
    bound.contextId,
    bound.hostId,
  );
  // As in Nest, the pipes of method and class are for what the client sent and for the application's own decorators.
  const pipes = origin === 'caller' || origin === 'run' || origin === 'request' ? own : [...inherited, ...own];
  const value = valueReader(parameter, bound);
  if (pipes.length === 0) return { index, read: value };
  const described = { type: kind, data, metatype, schema } as unknown as Parameters<typeof pipesConsumer.apply>[1];
  return { index, read: async (frame) => pipesConsumer.apply(await value(frame), described, pipes) };
}

function valueReader(parameter: ToolParameter, bound: BoundMethod): (frame: McpExecutionContext) => unknown {
  const { origin, kind, data, factory } = parameter;
  switch (origin) {
    case 'arguments':
      return ({ args }) => args;
    case 'argument':
      return ({ args }) => args?.[String(data)];
    case 'caller':
      return ({ caller }) => caller;
    case 'run':
      return ({ run }) => run;
    case 'request':
      return ({ request }) => requestValue(request, kind, data);
    default:
      return (frame) => factory?.(data, hostOf(frame, bound) as never);
  }
}

const nest = new RouteParamsFactory();
const readRequest = nest.exchangeKeyForValue.bind(nest) as (kind: unknown, data: unknown, exchange: object) => unknown;

/** What Nest's own decorators read of a request. There is no response: the gate writes it. */
function requestValue(request: unknown, kind: ToolParameter['kind'], data: unknown): unknown {
  return request === undefined ? undefined : readRequest(kind, data, { req: request, res: undefined, next: undefined });
}

function hostOf(frame: McpExecutionContext, { instance, method }: BoundMethod): ExecutionContext {
  const host = new ExecutionContextHost(contextArguments(frame), instance.constructor as never, method);
  host.setType(MCP_CONTEXT_TYPE);
  return host;
}
