/**
 * Everything that the devkit says goes through here: a secret is masked by its NAME, whatever it looks like, and by its SHAPE,
 * whatever it is called. A mask that errs takes too much.
 */
import { isSecretName } from './names.js';
import { MASK, maskText } from './shapes.js';

const MAX_DEPTH = 16;

/**
 * A copy of the value, as JSON can carry it, without its secrets. Circles, getters that throw, and what JSON does not know are
 * told in words.
 *
 * Does NOT find a secret that is an ordinary word under an ordinary name.
 */
export function maskSecrets(value: unknown): unknown {
  return mask(value, [], 0);
}

function mask(value: unknown, above: readonly object[], depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint') return maskText(value.toString());
  if (typeof value === 'function') return `[function ${value.name || 'anonymous'}]`;
  if (typeof value === 'symbol') return maskText(value.toString());
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '[circular]';
  if (depth >= MAX_DEPTH) return '[deeper]';
  const within = [...above, value];
  const inner = (part: unknown) => mask(part, within, depth + 1);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp || value instanceof URL) return maskText(String(value));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return maskText(`${value.name}: ${value.message}`);
  if (value instanceof Map) return maskEntries([...value.entries()], inner);
  if (value instanceof Set) return [...value].map(inner);
  if (Array.isArray(value)) return isSecretPair(value) ? [maskText(value[0]), MASK] : value.map(inner);
  return maskEntries(entriesOf(value), inner, namesSecret(value) ? 'value' : undefined);
}

function maskEntries(
  entries: readonly (readonly [unknown, unknown])[],
  inner: (part: unknown) => unknown,
  secret?: string,
): Record<string, unknown> {
  return Object.fromEntries(
    entries.map(([key, part]) => {
      const name = typeof key === 'string' ? key : String(inner(key));
      const isSecret = name === secret || isSecretName(name);
      return [maskText(name), isSecret ? maskNamed(part, inner) : inner(part)];
    }),
  );
}

/** What stands under a secret's name: its parts are secrets too, its flags are not, and that it is missing is worth knowing. */
function maskNamed(part: unknown, inner: (part: unknown) => unknown): unknown {
  if (part === undefined || part === null || typeof part === 'boolean' || part === '') return part;
  if (typeof part === 'function') return inner(part);
  if (typeof part !== 'object') return MASK;
  if (Array.isArray(part)) return part.map((one) => maskNamed(one, inner));
  if (Object.getPrototypeOf(part) !== Object.prototype) return MASK;
  return Object.fromEntries(entriesOf(part).map(([key, one]) => [maskText(key), maskNamed(one, inner)]));
}

/** `{ name: 'DB_PASSWORD', value: 'x' }` */
function namesSecret(value: object): boolean {
  return ['name', 'key', 'variable'].some((field) => {
    const name = Object.getOwnPropertyDescriptor(value, field)?.value as unknown;
    return typeof name === 'string' && isSecretName(name);
  });
}

/** `['DB_PASSWORD', 'x']` */
function isSecretPair(value: readonly unknown[]): value is [string, unknown] {
  return value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0]) && /^[\w.-]+$/.test(value[0]);
}

function entriesOf(value: object): [string, unknown][] {
  return Object.keys(value).map((key) => {
    try {
      return [key, (value as Record<string, unknown>)[key]];
    } catch {
      return [key, '[cannot be read]'];
    }
  });
}
