/**
 * Parameter decorators of a tool's method. They are Nest's own custom parameters, kept where Nest keeps them, so that
 * pipes with dependencies are instantiated and a method may be a route and a tool at once.
 */
import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { McpExecutionContext } from './execution.js';

type Pipe = PipeTransform | Type<PipeTransform>;

export const readArgs = (_: unknown, context: ExecutionContext) => McpExecutionContext.of(context)?.args;
export const readCaller = (_: unknown, context: ExecutionContext) => McpExecutionContext.of(context)?.caller;
export const readRun = (_: unknown, context: ExecutionContext) => McpExecutionContext.of(context)?.run;

const args = createParamDecorator(readArgs);
const caller = createParamDecorator(readCaller);
const run = createParamDecorator(readRun);

/** The call's arguments, after these pipes. Its type is what the tool's input schema comes from. `undefined` on a route. */
export function Args(...pipes: Pipe[]): ParameterDecorator {
  return args(...pipes);
}

/** Who asks: an `McpCaller`. `undefined` on a route. */
export function Caller(...pipes: Pipe[]): ParameterDecorator {
  return caller(...pipes);
}

/** The run, with its signal and progress: an `McpRun`. `undefined` on a route. */
export function Run(): ParameterDecorator {
  return run();
}
