/**
 * How a tool's method wants to be called: `(args, caller, run)`, or what its parameters' decorators ask for. Which of its
 * parameters holds the arguments decides where the input schema comes from.
 *
 * A method may be a route as well, so what a route reads from its body, its query and its path a tool reads from its
 * arguments: `@Body()` and `@Query()` are all of them, `@Param('sku')` is the argument `sku`.
 */
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ContextUtils } from '@nestjs/core/helpers/context-utils.js';
import { notedType } from '../tools/schemas/noted-type.js';
import { readArgs, readCaller, readRun } from './parameters.decorator.js';

/** Where a parameter's value comes from: the call, the HTTP request, or a decorator of the application. */
export type ParameterOrigin = 'arguments' | 'argument' | 'caller' | 'run' | 'request' | 'custom';

/** One parameter of a tool's method. */
export interface ToolParameter {
  readonly index: number;
  readonly origin: ParameterOrigin;
  /** Nest's kind of parameter: what pipes are told. */
  readonly kind: number | 'custom';
  /** What stands in the decorator's parentheses. */
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
  readonly factory?: CustomFactory;
  readonly metatype?: unknown;
  readonly schema?: unknown;
}

/** A method's parameters. */
export interface ToolSignature {
  /** Whether the method is simply called with `(args, caller, run)`. */
  readonly positional: boolean;
  readonly parameters: readonly ToolParameter[];
  /** The parameter that holds all arguments. */
  readonly args?: ToolParameter;
}

export type CustomFactory = (data: unknown, context: never) => unknown;

/** What Nest keeps of one decorated parameter. */
interface ParameterMetadata {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly factory?: CustomFactory;
  readonly schema?: unknown;
}

const nest = new ContextUtils();
const POSITIONS: readonly ParameterOrigin[] = ['arguments', 'caller', 'run'];

/** A method's signature, or the reason why it cannot be called. `prototype` is the one that Nest makes instances of. */
export function readSignature(prototype: object, method: string): ToolSignature | { readonly fault: string } {
  const noted = Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) as unknown[] | undefined;
  const types = noted?.map(notedType);
  const decorated = nest.reflectCallbackMetadata<Record<string, ParameterMetadata> | undefined>(
    prototype,
    method,
    ROUTE_ARGS_METADATA,
  );
  const count = types?.length ?? (prototype as Record<string, { length: number }>)[method]?.length ?? 0;
  if (decorated === undefined) {
    const parameters = POSITIONS.slice(0, count).map((origin, index) => positional(origin, index, types));
    return { positional: true, parameters, ...(parameters[0] && { args: parameters[0] }) };
  }
  const parameters = Object.entries(decorated).map(([key, held]) => readParameter(key, held, types));
  const whole = parameters.filter(({ origin }) => origin === 'arguments');
  if (whole.length > 1) {
    return {
      fault: 'more than one of its parameters takes all arguments: take them in one, for instance with @Args().',
    };
  }
  const taken = new Set(parameters.map(({ index }) => index));
  if (whole.length === 0 && count > 0 && !taken.has(0)) {
    whole.push(positional('arguments', 0, types));
    parameters.push(...whole);
    taken.add(0);
  }
  const bare = Array.from({ length: count }, (_, index) => index).find((index) => !taken.has(index));
  if (bare !== undefined) {
    return {
      fault:
        `its parameter ${bare + 1} has no decorator although others have: ` +
        'say what it takes with @Args(), @Caller() or @Run().',
    };
  }
  return { positional: false, parameters, ...(whole[0] && { args: whole[0] }) };
}

function positional(origin: ParameterOrigin, index: number, types: unknown[] | undefined): ToolParameter {
  const kind = origin === 'arguments' ? RouteParamtypes.BODY : 'custom';
  return { index, origin, kind, pipes: [], metatype: types?.[index] };
}

const FROM_ARGUMENTS = new Set<number>([RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM]);

const CALL_FACTORIES = new Map<unknown, ParameterOrigin>([
  [readArgs, 'arguments'],
  [readCaller, 'caller'],
  [readRun, 'run'],
]);

function readParameter(key: string, held: ParameterMetadata, types: unknown[] | undefined): ToolParameter {
  const { index, data, pipes = [], factory, schema } = held;
  const rest = { index, data, pipes, metatype: types?.[index], schema };
  if (factory !== undefined) {
    const origin = CALL_FACTORIES.get(factory) ?? 'custom';
    return { ...rest, origin, factory, kind: origin === 'arguments' ? RouteParamtypes.BODY : 'custom' };
  }
  const kind = Number(nest.mapParamType(key));
  if (!FROM_ARGUMENTS.has(kind)) return { ...rest, kind, origin: 'request' };
  return { ...rest, kind, origin: data === undefined || data === null ? 'arguments' : 'argument' };
}
