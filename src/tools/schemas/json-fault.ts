/**
 * Whether a value written in code is plain JSON. A schema is published as JSON, so whatever JSON would drop or change
 * (a RegExp, a schema of another library put inside) must not be in it.
 */
import { below } from './paths.js';

const MAX_NESTING = 200;

/** The first thing in `root` that JSON does not carry, with the way out. Properties that are `undefined` count as absent. */
export function jsonFault(root: unknown): string | undefined {
  const visit = (value: unknown, path: string, depth: number): string | undefined => {
    const fault = scalarFault(value);
    if (fault !== undefined) return `${path || 'it'} is ${fault}`;
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth > MAX_NESTING) return 'it is nested too deeply, or holds itself: use $defs and $ref.';
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, item] of entries) {
      if (item === undefined && typeof key === 'string') continue;
      const inner = visit(item, below(path, key), depth + 1);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return visit(root, '', 1);
}

function scalarFault(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${value}, which JSON cannot carry: leave it out.`;
    case 'object':
    case 'function':
      return value === null ? undefined : objectFault(value);
    default:
      return `a ${typeof value}, which JSON cannot carry: leave it out.`;
  }
}

function objectFault(value: object): string | undefined {
  if (isLibrarySchema(value)) {
    return "a schema of a library inside a JSON Schema: give the library's own object schema as the whole.";
  }
  if (Array.isArray(value)) return undefined;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (kind === 'RegExp') return "a RegExp: write its source, as in { pattern: '^A-' }.";
  if (kind !== 'Object' || typeof value === 'function') return `a ${kind}, which JSON cannot carry: leave it out.`;
  return 'toJSON' in value ? 'an object with toJSON(): write the JSON itself.' : undefined;
}

/** A library's schema; not the JSON Schema that zod makes of one, which carries the mark too, hidden. */
function isLibrarySchema(value: object): boolean {
  if (!('~standard' in value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain || Object.keys(value).includes('~standard');
}
