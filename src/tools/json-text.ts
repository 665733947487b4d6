/**
 * Any value as compact JSON, without ever throwing: what JSON cannot say (a Map, a BigInt, a cycle) is said in the
 * nearest way that it can.
 */

/** Deeper or larger values are taken for ones that hold themselves, and read with care. */
const PLAIN_DEPTH = 64;
const PLAIN_VALUES = 1_000_000;
/** Where everything knows everything (records with their relations) the ways through it are beyond counting. */
const MAX_REPETITIONS = 10_000;

/** Compact JSON; `undefined` for what has no value at all (undefined, a function, a symbol). */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(jsonValue(value));
  } catch {
    return '"[unreadable value]"'; // a getter, a proxy or a toJSON of the application threw
  }
}

/**
 * The value as JSON can say it: itself when it is plain, else a copy.
 *
 * @throws what reading the value throws.
 */
export function jsonValue(value: unknown): unknown {
  return isPlain(value, PLAIN_DEPTH, { left: PLAIN_VALUES }) ? value : carefully(value);
}

/** Whether `JSON.stringify` says all of it: most values are, and reading them with care costs several times more. */
function isPlain(value: unknown, depth: number, objects: { left: number }): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (depth === 0 || objects.left-- === 0) return false;
  if (value instanceof Map || value instanceof Set || value instanceof Error) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth - 1, objects));
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value instanceof Date;
  for (const key in value) {
    if (!isPlain((value as Record<string, unknown>)[key], depth - 1, objects)) return false;
  }
  return true;
}

/** A copy that JSON can say. */
function carefully(root: unknown): unknown {
  const above = new Set<object>();
  const seen = new Set<object>();
  let repetitions = 0;

  /** `again`: a value above this one stands elsewhere too, and this one with it. */
  function copy(value: unknown, again: boolean): unknown {
    if (typeof value === 'bigint') return value.toString();
    if (typeof value !== 'object' || value === null) return value;
    if (above.has(value)) return '[circular]';
    if (above.size > 200) return '[nested too deeply]';
    const known = seen.has(value);
    if (known && again && ++repetitions > MAX_REPETITIONS) return '[repeated]';
    seen.add(value);
    above.add(value);
    const inner = copyOf(value, (item) => copy(item, known || again));
    above.delete(value);
    return inner;
  }
  return copy(root, false);
}

function copyOf(value: object, copy: (item: unknown) => unknown): unknown {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return copy((value as { toJSON(): unknown }).toJSON());
  }
  if (value instanceof Map) {
    const entries = [...value];
    return entries.every(([key]) => typeof key === 'string' || typeof key === 'number')
      ? objectOf(entries.map(([key, item]) => [String(key), copy(item)]))
      : entries.map((entry) => copy(entry));
  }
  if (value instanceof Set) return Array.from(value, copy);
  if (value instanceof Error) return `[${value.name}]`; // its message may not be meant for a client (P15)
  if (Array.isArray(value)) return value.map((item) => copy(item));
  return objectOf(Object.entries(value).map(([key, item]) => [key, copy(item)]));
}

/** Like `Object.fromEntries`, and a key `__proto__` stays a key. */
function objectOf(entries: [string, unknown][]): object {
  return Object.fromEntries(entries);
}
