/**
 * Arguments made into an instance of a DTO class and checked by its validators.
 */
import type { TargetMap } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { McpArgumentFault, type ArgumentFault } from '../failure.js';
import type { DtoClass } from './dto-class.js';
import type { DtoLibraries } from './dto-libraries.js';
import { itemTypeOf } from './dto-property.js';
import type { DtoDescription } from './dto-schema.js';
import { argumentsValidator } from './json-schema.js';
import { below, pathOf } from './paths.js';

type Parse = (args: Record<string, unknown>) => Promise<object>;

const MAX_NESTING = 200;
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A parser for the class: real instances, nested ones too; the validators' own messages; initialisers hold. */
export function dtoParser(type: Function, description: DtoDescription, libraries: DtoLibraries): Parse {
  const { plainToInstance } = libraries.transformer;
  const { validate } = libraries.validator;
  const transform = { exposeDefaultValues: true, targetMaps: targetMapsOf(description, libraries) };
  // class-validator refuses instances of classes that it does not know; those known otherwise are none of its business.
  const classes = [...description.classes.values()];
  const isKnown = classes.every(({ isValidated, properties }) => isValidated || properties.length === 0);
  const options = { forbidUnknownValues: isKnown, validationError: { target: false, value: false } };
  return async (args) => {
    const hostile = hostilePart(args, 1);
    if (hostile !== undefined) {
      throw new McpArgumentFault([{ path: pathOf(hostile.steps.toReversed()), expected: hostile.expected }]);
    }
    let faults: readonly ArgumentFault[] | undefined;
    try {
      const instance: object = plainToInstance(type as new () => object, args, transform);
      const errors = await validate(instance, options);
      if (errors.length === 0) return instance;
      faults = errors.flatMap((error) => faultsOf(error, '', instance, description.classes));
    } catch (error) {
      // The libraries trip over values of a wrong shape; over right ones only the application's own code does.
      faults = argumentsValidator(description.schema)(args);
      if (faults === undefined) throw error;
    }
    throw new McpArgumentFault(faults);
  };
}

interface Hostile {
  /** From the value upwards. */
  readonly steps: (string | number)[];
  readonly expected: string;
}

/** Names that every object inherits would be taken for methods and classes on the way; nesting without end for a loop. */
function hostilePart(value: unknown, depth: number): Hostile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_NESTING) return { steps: [], expected: `must be nested less than ${MAX_NESTING} deep` };
  const isArray = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const isRefused = !isArray && INHERITED.has(key);
    const part: Hostile | undefined = isRefused
      ? { steps: [], expected: 'is a name that is not accepted' }
      : hostilePart((value as Record<string, unknown>)[key], depth + 1);
    if (part === undefined) continue;
    part.steps.push(isArray ? Number(key) : key);
    return part;
  }
  return undefined;
}

/** Classes that are known without `@Type()`: from the property's own type, `@IsInstance()` or `@ApiProperty()`. */
function targetMapsOf({ classes }: DtoDescription, { transforms }: DtoLibraries): TargetMap[] {
  return [...classes].map(([target, { properties }]) => {
    const types = Object.create(null) as Record<string, Function>;
    for (const property of properties) {
      const type =
        itemTypeOf(property) ?? property.rules.find(({ instance }) => instance)?.instance ?? property.designType;
      const isString = property.rules.some(({ kinds }) => kinds?.includes('string'));
      const isMade =
        type !== undefined && ((type === Date && !isString) || (classes.get(type)?.properties.length ?? 0) > 0);
      if (isMade && transforms.findTypeMetadata(target, property.name) === undefined) types[property.name] = type;
    }
    return { target, properties: types };
  });
}

/** A validator's messages, under the names that the sender used. */
function faultsOf(
  error: ValidationError,
  path: string,
  parent: unknown,
  classes: ReadonlyMap<Function, DtoClass>,
): ArgumentFault[] {
  const { property, constraints = {}, children = [] } = error;
  const here = property === undefined ? path : below(path, stepTo(property, parent, classes));
  const value: unknown = parent instanceof Map ? parent.get(property) : (parent as Record<string, unknown>)?.[property];
  return [
    ...Object.values(constraints).map((expected) => ({ path: here, expected })),
    ...children.flatMap((child) => faultsOf(child, here, value, classes)),
  ];
}

function stepTo(property: string, parent: unknown, classes: ReadonlyMap<Function, DtoClass>): string | number {
  if (Array.isArray(parent) || parent instanceof Set) return Number(property);
  const declared = classes.get((parent as object | undefined)?.constructor as Function)?.properties;
  return declared?.find(({ name }) => name === property)?.wireName ?? property;
}
