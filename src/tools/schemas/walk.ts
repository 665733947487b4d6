/**
 * Where a JSON Schema holds other schemas, and what its local references point to. Knows 2020-12 and draft-07 alike: a
 * keyword of the one is unknown to the other and so never met there.
 */
import type { JsonSchema } from '../tool.js';

/** `true` accepts everything, `false` nothing. */
export type Subschema = JsonSchema | boolean;

const SINGLE = [
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
/** Keywords that hold schemas under names. */
export const HELD_BY_NAME = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
];

/** Keywords whose schemas apply to the SAME value as the schema that holds them. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);

/** Keywords by which other schemas may declare properties of the same value. */
export const COMPOSING = new Set([
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** Where a subschema stands: its keyword, and its name or index under it. */
export type Place = readonly [keyword: string, key?: string | number];

export function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSubschema(value: unknown): value is Subschema {
  return typeof value === 'boolean' || isObject(value);
}

/** Reads a keyword as the schema's own, never from a prototype. */
export function own(schema: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

/** The schemas directly inside a schema. */
export function* subschemas(schema: JsonSchema): Generator<[Place, Subschema]> {
  for (const keyword of SINGLE) {
    const value = own(schema, keyword);
    if (isSubschema(value)) yield [[keyword], value];
  }
  for (const keyword of LISTS) {
    const list = own(schema, keyword);
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) if (isSubschema(value)) yield [[keyword, index], value];
  }
  for (const keyword of HELD_BY_NAME) {
    const map = own(schema, keyword);
    if (!isObject(map)) continue;
    for (const [name, value] of Object.entries(map)) if (isSubschema(value)) yield [[keyword, name], value];
  }
}

/** A copy in which `change` was given every schema, the inner ones first. */
export function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const each = (value: unknown): unknown => (isObject(value) ? mapSchemas(value, change) : value);
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (Array.isArray(value)) return [keyword, LISTS.includes(keyword) ? value.map(each) : value];
    if (SINGLE.includes(keyword)) return [keyword, each(value)];
    if (!HELD_BY_NAME.includes(keyword) || !isObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, each(item)]))];
  });
  return change(Object.fromEntries(entries) as JsonSchema);
}

/** The schemas that apply to the same value as `schema`, references included. */
export function* inPlace(schema: JsonSchema, root: JsonSchema): Generator<Subschema> {
  const target = referred(schema, root);
  if (target !== undefined) yield target;
  for (const [[keyword], subschema] of subschemas(schema)) if (IN_PLACE.has(keyword)) yield subschema;
}

/** What the `$ref` of `schema` points to, when it is a pointer into the same document. */
export function referred(schema: JsonSchema, root: JsonSchema): Subschema | undefined {
  const ref = own(schema, '$ref');
  const target = typeof ref === 'string' && isPointer(ref) ? at(root, ref) : undefined;
  return isSubschema(target) ? target : undefined;
}

/** Whether a `$ref` is `#` or `#/…`. */
export function isPointer(ref: string): boolean {
  return ref === '#' || ref.startsWith('#/');
}

/** Follows `#/$defs/Item`; `undefined` when it leads nowhere. */
export function at(root: JsonSchema, pointer: string): unknown {
  let value: unknown = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = unescapePointer(part);
    if (typeof value !== 'object' || value === null || key === undefined || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function unescapePointer(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined; // a stray %
  }
}

/** The property names that a schema declares for the object it describes, in itself and through composition. */
export function declaredNames(schema: JsonSchema, root: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Subschema>();
  const visit = (subschema: Subschema): void => {
    if (typeof subschema === 'boolean' || seen.has(subschema)) return;
    seen.add(subschema);
    const properties = own(subschema, 'properties');
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    for (const inner of inPlace(subschema, root)) visit(inner);
  };
  visit(schema);
  return names;
}

/** For each schema inside `some`, the one that stands in the same place of `other`. */
export function counterparts(some: JsonSchema, other: JsonSchema): ReadonlyMap<unknown, JsonSchema> {
  const pairs = new Map<unknown, JsonSchema>([[some, other]]);
  for (const [schema, counterpart] of pairs) {
    for (const [[keyword, key], subschema] of subschemas(schema as JsonSchema)) {
      const held = own(counterpart, keyword);
      const there = key === undefined || !isContainer(held) ? held : own(held, String(key));
      if (isObject(subschema) && isObject(there)) pairs.set(subschema, there);
    }
  }
  return pairs;
}

function isContainer(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}
