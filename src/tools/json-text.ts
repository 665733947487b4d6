/**
 * Any value as compact JSON, without ever throwing: what JSON cannot say (a Map, a BigInt, a cycle) is said in the
 * nearest way that it can.
 */

/** Deeper values are taken for cyclic and read with care. */
const PLAIN_DEPTH = 64;

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
  return isPlain(value, PLAIN_DEPTH) ? value : carefully(value, []);
}

/** Whether `JSON.stringify` says all of it: most values are, and reading them with care costs several times more. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (depth === 0 || value instanceof Map || value instanceof Set || value instanceof Error) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth - 1));
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value instanceof Date;
  for (const key in value) {
    if (!isPlain((value as Record<string, unknown>)[key], depth - 1)) return false;
  }
  return true;
}

/** A copy that JSON can say. `above` are the values that hold this one. */
function carefully(value: unknown, above: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[circular]';
  if (above.length > 200) return '[nested too deeply]';
  const inside = [...above, value];
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return carefully((value as { toJSON(): unknown }).toJSON(), inside);
  }
  if (value instanceof Map) {
    const entries = [...value];
    return entries.every(([key]) => typeof key === 'string' || typeof key === 'number')
      ? objectOf(entries.map(([key, item]) => [String(key), carefully(item, inside)]))
      : entries.map((entry) => carefully(entry, inside));
  }
  if (value instanceof Set) return Array.from(value, (item) => carefully(item, inside));
  if (value instanceof Error) return `[${value.name}]`; // its message may not be meant for a client (P15)
  if (Array.isArray(value)) return value.map((item) => carefully(item, inside));
  return objectOf(Object.entries(value).map(([key, item]) => [key, carefully(item, inside)]));
}

/** Like `Object.fromEntries`, and a key `__proto__` stays a key. */
function objectOf(entries: [string, unknown][]): object {
  return Object.fromEntries(entries);
}
