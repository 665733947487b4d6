/**
 * What `@ApiProperty()` of @nestjs/swagger says of a property: words for people, and types where no validator names any.
 * Its limits (minimum, maxLength …) are not taken, since nothing checks them.
 */
import 'reflect-metadata';
import type { JsonSchema } from '../tool.js';

export interface SwaggerNotes {
  readonly required?: boolean;
  readonly nullable?: boolean;
  /** A class, or the class of the items. */
  readonly type?: Function;
  readonly isArray?: boolean;
  /** What it says of the type in JSON Schema's own words. */
  readonly shape?: JsonSchema;
  readonly annotations?: JsonSchema;
}

/**
 * The metadata keys that the package exports as `DECORATORS` (a test holds them equal). Importing it for a few strings would
 * cost an application that does not use it 0.2 s at start.
 */
export const SWAGGER_KEYS = {
  API_MODEL_PROPERTIES: 'swagger/apiModelProperties',
  API_MODEL_PROPERTIES_ARRAY: 'swagger/apiModelPropertiesArray',
  API_EXCLUDE_CONTROLLER: 'swagger/apiExcludeController',
};

/** The notes by property name; none for a class without the package's decorators. */
export function readSwagger(type: Function): ReadonlyMap<string, SwaggerNotes> {
  const prototype = type.prototype as object;
  const names: unknown = Reflect.getMetadata(SWAGGER_KEYS.API_MODEL_PROPERTIES_ARRAY, prototype);
  const notes = new Map<string, SwaggerNotes>();
  if (!Array.isArray(names)) return notes;
  for (const name of names.map((key) => String(key).slice(1))) {
    const options: unknown = Reflect.getMetadata(SWAGGER_KEYS.API_MODEL_PROPERTIES, prototype, name);
    if (typeof options === 'object' && options !== null) notes.set(name, notesOf(options as Record<string, unknown>));
  }
  return notes;
}

const JSON_TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array']);

function notesOf(options: Record<string, unknown>): SwaggerNotes {
  const { required, nullable, isArray, type: named, enum: values, items, additionalProperties } = options;
  const type = resolved(named);
  const shape = {
    ...(JSON_TYPES.has(type) && { type }),
    ...(Array.isArray(values) && { enum: values }),
    ...(isPlain(items) && { items }),
    ...(isPlain(additionalProperties) && { additionalProperties }),
  };
  return {
    required: required !== false, // its own default
    nullable: nullable === true,
    isArray: isArray === true,
    ...(typeof type === 'function' && { type }),
    ...(Object.keys(shape).length > 0 && { shape }),
    annotations: annotationsOf(options),
  };
}

/** `() => Item` gives Item. */
function resolved(type: unknown): unknown {
  if (typeof type !== 'function' || type.prototype !== undefined) return type;
  try {
    return (type as () => unknown)();
  } catch {
    return undefined;
  }
}

/** What can stand in a schema as it is: no reference into an OpenAPI document. */
function isPlain(value: unknown): boolean {
  if (value === true) return true;
  return typeof value === 'object' && value !== null && !JSON.stringify(value).includes('"$ref"');
}

function annotationsOf({ title, description, example, examples, deprecated }: Record<string, unknown>): JsonSchema {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(examples) ? { examples } : example !== undefined && { examples: [example] }),
    ...(deprecated === true && { deprecated }),
  };
}
