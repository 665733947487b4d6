/**
 * The schema that is enforced: a copy of the published one that refuses what is not declared (T6). JSON Schema lets an
 * unknown property pass unless told otherwise; an argument that is silently ignored misleads the agent that sent it.
 *
 * Closed is the root, and every object below it that lists its properties and says nothing of others, as long as no
 * other part of the schema speaks about the same value: behind `anyOf`, `allOf` and the like one part would refuse what
 * another declares, so there the whole is closed, not its parts.
 */
import type { JsonSchema } from '../tool.js';
import { avoidAjvFaults } from './ajv-faults.js';
import { at, COMPOSING, inPlace, isObject, isPointer, own, referred, subschemas, type Subschema } from './walk.js';

/** Keywords that may reach any of the values below, without naming it. */
const SPREADING = [
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'unevaluatedItems',
  '$dynamicRef',
];
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const NAMES = ['$id', '$anchor', '$dynamicAnchor'];

/** A closed copy of a sound input schema. */
export function closeSchema(schema: JsonSchema): JsonSchema {
  return avoidAjvFaults(new Closing(schema).copyOfRoot());
}

type Draft = Record<string, unknown>;

class Closing {
  /** Closed copies of what is referred to, by pointer. */
  private readonly variants = new Map<string, string>();
  private readonly definitions: Draft = {};
  private readonly mayCopy: boolean;

  constructor(private readonly root: JsonSchema) {
    // A second copy of a schema with a name would make the name ambiguous.
    this.mayCopy = !anywhere(root, (schema) =>
      NAMES.some((keyword) => schema !== root && Object.hasOwn(schema, keyword)),
    );
  }

  copyOfRoot(): JsonSchema {
    const copy = this.closed(this.root, true);
    if (this.variants.size > 0)
      copy['$defs'] = { ...(deepCopy(own(this.root, '$defs') ?? {}) as Draft), ...this.definitions };
    return copy;
  }

  private closed(schema: JsonSchema, isRoot = false): Draft {
    const variant = this.variantOf(schema);
    const speaksAlone = this.speaksAlone(schema);
    const copy = draft(schema, (keyword, value) => {
      if (keyword === '$ref' && variant !== undefined) return variant;
      return speaksAlone ? this.inner(keyword, value, schema) : deepCopy(value);
    });
    const composed = Object.keys(schema).some((keyword) => COMPOSING.has(keyword));
    if (variant === undefined && (isRoot ? !speaksOfOthers(schema) : this.isClosable(schema))) {
      copy[composed ? 'unevaluatedProperties' : 'additionalProperties'] = false;
    }
    return copy;
  }

  /** Copies what a keyword holds, closed where it holds the schema of another value. */
  private inner(keyword: string, value: unknown, schema: JsonSchema): unknown {
    const close = (item: unknown): unknown => (isObject(item) ? this.closed(item) : deepCopy(item));
    if (keyword === 'properties' && isObject(value) && !Object.hasOwn(schema, 'patternProperties')) {
      return draft(value, (_, item) => close(item));
    }
    if (keyword === 'items' || keyword === 'prefixItems') return Array.isArray(value) ? value.map(close) : close(value);
    return keyword === 'additionalProperties' ? close(value) : deepCopy(value);
  }

  /** Whether no other part of the schema describes the values below this one. */
  private speaksAlone(schema: JsonSchema): boolean {
    const parts = partsOf(schema, this.root);
    if (parts.some((part) => SPREADING.some((keyword) => Object.hasOwn(part, keyword)))) return false;
    const shared = new Set(parts.flatMap((part) => Object.keys(own(part, 'properties') ?? {})));
    return !Object.keys(own(schema, 'properties') ?? {}).some((name) => shared.has(name));
  }

  /** Whether the object that a schema describes has all its properties listed, here or in each of its alternatives. */
  private isClosable(schema: Subschema, depth = 0): boolean {
    if (typeof schema === 'boolean' || speaksOfOthers(schema) || Object.hasOwn(schema, 'patternProperties'))
      return false;
    if (isObject(own(schema, 'properties'))) return true;
    if (depth > 8) return false;
    const fits = (part: unknown): boolean => this.isClosable(part as Subschema, depth + 1);
    const target = referred(schema, this.root);
    if (target !== undefined && fits(target)) return true;
    const all = own(schema, 'allOf');
    if (Array.isArray(all) && all.some(fits)) return true;
    return ['anyOf', 'oneOf'].some((keyword) => {
      const list = own(schema, keyword);
      return Array.isArray(list) && list.some(fits) && list.every((part) => fits(part) || isHarmless(part));
    });
  }

  /** The pointer to a closed copy of what `schema` refers to, when a reference is all that it is. */
  private variantOf(schema: JsonSchema): string | undefined {
    const ref = own(schema, '$ref');
    if (typeof ref !== 'string' || !isPointer(ref) || ref === '#' || !this.mayCopy) return undefined;
    if (!Object.keys(schema).every((keyword) => keyword === '$ref' || ANNOTATIONS.has(keyword))) return undefined;
    const target = at(this.root, ref);
    if (!isObject(target)) return undefined;
    let name = this.variants.get(ref);
    if (name === undefined) {
      name = `closed:${this.variants.size}`;
      this.variants.set(ref, name); // before it is made: it may refer to itself
      this.definitions[name] = this.closed(target);
    }
    return `#/$defs/${name}`;
  }
}

function speaksOfOthers(schema: JsonSchema): boolean {
  return Object.hasOwn(schema, 'additionalProperties') || Object.hasOwn(schema, 'unevaluatedProperties');
}

/** An alternative that adds no property: it speaks of them itself, or is no object. */
function isHarmless(schema: unknown): boolean {
  if (!isObject(schema)) return schema === false;
  const values = Object.hasOwn(schema, 'const') ? [own(schema, 'const')] : own(schema, 'enum');
  if (speaksOfOthers(schema) || (Array.isArray(values) && !values.some(isObject))) return true;
  const types = own(schema, 'type');
  return types !== undefined && ![types].flat().includes('object');
}

/** Everything that applies to the same value besides `schema` itself. */
function partsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const parts = new Set<JsonSchema>([schema]);
  for (const part of parts) for (const inner of inPlace(part, root)) if (typeof inner === 'object') parts.add(inner);
  parts.delete(schema);
  return [...parts];
}

function anywhere(schema: Subschema, test: (schema: JsonSchema) => boolean): boolean {
  if (typeof schema === 'boolean') return false;
  return test(schema) || [...subschemas(schema)].some(([, inner]) => anywhere(inner, test));
}

/** A copy made key by key: safe for a property that is called `__proto__`. */
function draft(source: JsonSchema, each: (key: string, value: unknown) => unknown): Draft {
  const entries = Object.entries(source).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, each(key, value)]));
}

function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy);
  return isObject(value) ? draft(value, (_, item) => deepCopy(item)) : value;
}
