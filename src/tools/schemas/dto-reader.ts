/**
 * What a class's decorators declare, read once, for clients and for run time.
 */
import type { DtoShape, ReadDto } from './dto.js';
import { KnownTypes } from './dto-kinds.js';
import { loadDtoLibraries } from './dto-libraries.js';
import { dtoParser } from './dto-parse.js';
import { describeDto } from './dto-schema.js';
import { enforceInstead } from './json-schema.js';

/** Reads each class once. `undefined` when class-validator or class-transformer is not installed. */
export async function dtoReader(): Promise<ReadDto | undefined> {
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
