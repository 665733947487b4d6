/**
 * Input schemas from class-validator DTOs, for an application that has such classes.
 */
import type { JsonSchema } from '../tool.js';

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

/** What reads classes into shapes; `undefined` for a class on which nothing is declared. */
export type ReadDto = (type: Function) => DtoShape | undefined;

/**
 * What reads classes. It is loaded for applications that have some. Itself `undefined` when class-validator or
 * class-transformer is not installed.
 */
export async function loadDtoSupport(): Promise<ReadDto | undefined> {
  const { dtoReader } = await import('./dto-reader.js');
  return dtoReader();
}
