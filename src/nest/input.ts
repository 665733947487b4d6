/**
 * The input schema of a decorated method, from what its author wrote: an explicit schema, or the class of its arguments
 * parameter (T13).
 */
import type { DtoShape, ReadDto } from '../tools/schemas/dto.js';
import type { McpTool } from '../tools/tool.js';
import type { ToolSignature } from './signature.js';

/** The arguments of a method that becomes a tool. */
export interface ToolInput {
  readonly schema: McpTool['inputSchema'];
  /** Makes the instance of the class that the method's parameter asks for. */
  readonly parse?: DtoShape['parse'];
  /** Properties of the class whose type the published schema does not show. */
  readonly lost: readonly string[];
}

const NO_ARGUMENTS = Object.freeze({ type: 'object', properties: {}, additionalProperties: false });

/** A method's input, or the reason why there is none. */
export function readToolInput(
  signature: ToolSignature,
  explicit: McpTool['inputSchema'] | undefined,
  readDto: ReadDto | undefined,
  decorator = '@McpTool()',
): ToolInput | { readonly fault: string } {
  const { args } = signature;
  const type = args?.metatype;
  const shape = typeof type === 'function' ? readDto?.(type) : undefined;
  const parse = shape && { parse: (given: Record<string, unknown>) => shape.parse(given) };
  if (explicit !== undefined) return { schema: explicit, ...parse, lost: [] };
  const single = signature.parameters.find(({ origin }) => origin === 'argument');
  if (single !== undefined) {
    return {
      fault:
        `its parameter ${single.index + 1} takes the argument "${String(single.data)}" alone, so no type says what all ` +
        `arguments are: give ${decorator} an inputSchema.`,
    };
  }
  if (args === undefined) return { schema: NO_ARGUMENTS, lost: [] };
  return shape === undefined
    ? { fault: untyped(type, readDto !== undefined, decorator) }
    : { schema: shape.schema, ...parse, lost: shape.lost };
}

/** What a compiler writes down for a type that does not exist at run time. */
const GONE = new Set<unknown>([Object, Function]);

/** Types of one value, written by an author who expects a parameter for each argument. */
const ONE_VALUE = new Set<unknown>([String, Number, Boolean, BigInt, Date, Array]);

/** Whether a parameter is of the type of one value, and so no place for all arguments. */
export function isOneValue(type: unknown): boolean {
  return ONE_VALUE.has(type);
}

function untyped(type: unknown, canReadClasses: boolean, decorator: string): string {
  const waysOut = `give ${decorator} an inputSchema, or make the parameter a class with class-validator decorators.`;
  if (typeof type !== 'function') {
    return `the compiler kept no types of its parameters (emitDecoratorMetadata is off): ${waysOut}`;
  }
  if (GONE.has(type)) {
    return (
      'the type of its arguments is gone at run time (an interface, a plain object, a union, or a class that is ' +
      `imported with "import type"): ${waysOut} A first parameter for the run or the caller says so with @Run() or @Caller().`
    );
  }
  if (isOneValue(type)) {
    return `its first parameter is of the type ${type.name}, but all arguments come in it as one object: ${waysOut}`;
  }
  return canReadClasses
    ? `the class of its arguments, ${type.name}, carries no class-validator decorators: ${waysOut}`
    : `the class of its arguments, ${type.name}, cannot be read without class-validator and class-transformer: ` +
        `install both, or give ${decorator} an inputSchema.`;
}
