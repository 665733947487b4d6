/**
 * Input schemas from class-validator DTOs: what a class's decorators declare, read once, for clients and for run time.
 */
import type { JsonSchema } from '../tool.js';
import { loadDtoLibraries } from './dto-libraries.js';
import { dtoParser } from './dto-parse.js';
import { describeDto } from './dto-schema.js';
import { KnownTypes } from './dto-kinds.js';
import { enforceInstead } from './json-schema.js';

/** A class as an input schema. */
export interface DtoShape {
  /** For clients. `argumentsValidator()` enforces its structure and types; the validators do the rest in `parse()`. */
  readonly schema: JsonSchema;
  /** Properties whose type the schema does not show: class, property and the way out. */
  readonly lost: readonly string[];
  /**
   * Makes an instance of the class, nested ones too, and validates it.
   *
   * @throws McpArgumentFault with every message of every validator, each under its path.
   */
  parse(args: Record<string, unknown>): Promise<object>;
}

/**
 * Whether class-validator has been loaded, and so whether any class can carry its decorators: it keeps them under one
 * global name, for all of its copies. Loading it for nobody would cost more than the rest of the start.
 */
export function dtosExist(): boolean {
  return 'classValidatorMetadataStorage' in globalThis;
}

/**
 * Reads classes into shapes; `undefined` for a class on which nothing is declared. Itself `undefined` when class-validator
 * or class-transformer is not installed.
 */
export async function loadDtoSupport(): Promise<((type: Function) => DtoShape | undefined) | undefined> {
  const libraries = await loadDtoLibraries();
  if (libraries === undefined) return undefined;
  const shapes = new WeakMap<Function, { readonly shape: DtoShape | undefined }>();
  const read = (type: Function): DtoShape | undefined => {
    if (KnownTypes.has(type) || typeof type.prototype !== 'object') return undefined;
    const description = describeDto(type, libraries);
    if (description === undefined) return undefined;
    const { schema, lost } = description;
    enforceInstead(schema, description);
    return { schema, lost, parse: dtoParser(type, description, libraries) };
  };
  return (type) => {
    let known = shapes.get(type);
    if (known === undefined) shapes.set(type, (known = { shape: read(type) }));
    return known.shape;
  };
}
