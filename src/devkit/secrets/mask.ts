/**
 * Everything that the devkit says goes through here: a secret is masked by its NAME, whatever it looks like, and by its SHAPE,
 * whatever it is called. A mask that errs takes too much.
 */
import { isBoxedPrimitive } from 'node:util/types';
import { MASK } from './behind-names.js';
import { isSecretName } from './names.js';
import { maskText } from './shapes.js';

const MAX_DEPTH = 16;
/** More than an answer of the devkit has room for, and few enough that a value in which everything leads everywhere has an end. */
const MAX_PARTS = 8_000;
/** Of all texts together, and of all names: thirty answers, and not so much that looking for secrets in it keeps everybody else waiting. */
const MAX_CHARS = 500_000;

/**
 * A copy of the value, as JSON can carry it, without its secrets. Circles, what cannot be read, and what JSON does not know are
 * told in words. `toJSON()` is asked as JSON would; getters are not run: they may do something.
 *
 * Does NOT find a secret that is an ordinary word under an ordinary name. `ofText` masks texts, where they are Markdown.
 */
export function maskSecrets(value: unknown, ofText: (text: string) => string = maskText): unknown {
  return new MaskedCopy(ofText).of(value, [], 0);
}

/** Lists of names, in which no name has the next one as its value. */
const NAMES = new WeakSet<readonly string[]>();

/** A list of names of things: `['ACCESS_TOKEN', 'AuthService']` is none of a name and its value. */
export function listOfNames(names: readonly string[]): readonly string[] {
  const list = [...names];
  NAMES.add(list);
  return list;
}

class MaskedCopy {
  private parts = 0;
  private readonly room = { texts: MAX_CHARS, names: MAX_CHARS };

  constructor(private readonly ofText: (text: string) => string) {}

  of(value: unknown, above: readonly object[], depth: number): unknown {
    this.parts += 1;
    if (this.parts > MAX_PARTS) return '[left out]';
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'bigint' || typeof value === 'symbol') return this.text(value.toString(), maskText);
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return value;
    if (above.includes(value)) return '[circular]';
    if (depth >= MAX_DEPTH) return '[deeper]';
    try {
      return this.ofObject(value, (part) => this.of(part, [...above, value], depth + 1));
    } catch {
      return '[cannot be read]'; // a proxy may throw whatever is asked of it
    }
  }

  private text(value: string, mask = this.ofText, of: 'texts' | 'names' = 'texts'): string {
    const room = this.room[of];
    this.room[of] = Math.max(0, room - value.length);
    if (value.length <= room) return mask(value);
    return room === 0 ? '[left out]' : `${mask(value.slice(0, room))}… (${value.length} characters)`;
  }

  private ofObject(value: object, inner: (part: unknown) => unknown): unknown {
    if (typeof value === 'function') return this.text(`[function ${nameOfFunction(value)}]`, maskText);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof RegExp) return this.text(String(value), maskText);
    if (isBoxedPrimitive(value)) return inner(value.valueOf()); // its characters would be told one by one
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Error) return this.text(`${value.name}: ${value.message}`, maskText);
    if (value instanceof Map) return this.entries([...value.entries()], inner);
    if (value instanceof Set) return [...value].map(inner);
    if (Array.isArray(value)) {
      if (NAMES.has(value)) return listOfNames(value.map((name) => maskText(String(name)))); // masking twice is masking once
      return isSecretPair(value) ? [maskText(value[0]), MASK] : value.map(inner);
    }
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return inner(toJSON.call(value));
    return this.entries(entriesOf(value), inner, namesSecret(value) ? 'value' : undefined);
  }

  private entries(
    entries: readonly (readonly [unknown, unknown])[],
    inner: (part: unknown) => unknown,
    secret?: string,
  ): Record<string, unknown> {
    return this.fields(entries, ([key, part]) => {
      const name = typeof key === 'string' ? key : String(inner(key));
      const isSecret = name === secret || name.length > this.room.names || isSecretName(name);
      return [name, isSecret ? this.ofSecret(part, inner, 0) : inner(part)];
    });
  }

  /** As many fields as there is room for. */
  private fields<E>(entries: readonly E[], of: (entry: E) => readonly [string, unknown]): Record<string, unknown> {
    const told = entries.slice(0, Math.max(0, MAX_PARTS - this.parts)).map((entry) => {
      const [name, part] = of(entry);
      return [this.text(name, maskText, 'names'), part] as const;
    });
    const left = entries.length - told.length;
    return Object.fromEntries(left > 0 ? [...told, ['[left out]', `${left} more`]] : told);
  }

  /** What stands under a secret's name: its parts are secrets too, its flags are not, and that it is missing is worth knowing. */
  private ofSecret(part: unknown, inner: (part: unknown) => unknown, depth: number): unknown {
    this.parts += 1;
    if (part === undefined || part === null || typeof part === 'boolean') return part;
    if (typeof part === 'string' && /^(?:true|false)?$/i.test(part)) return part; // a flag of the environment
    if (typeof part === 'function') return inner(part);
    if (typeof part !== 'object' || depth >= MAX_DEPTH || this.parts > MAX_PARTS) return MASK;
    if (Array.isArray(part)) return part.map((one) => this.ofSecret(one, inner, depth + 1));
    if (Object.getPrototypeOf(part) !== Object.prototype) return MASK;
    return this.fields(entriesOf(part), ([key, one]) => [key, this.ofSecret(one, inner, depth + 1)]);
  }
}

function nameOfFunction(value: Function): string {
  const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' && name !== '' ? name : 'anonymous';
}

/** `{ name: 'DB_PASSWORD', value: 'x' }` */
function namesSecret(value: object): boolean {
  return ['name', 'key', 'variable'].some((field) => {
    const name = Object.getOwnPropertyDescriptor(value, field)?.value as unknown;
    return typeof name === 'string' && isSecretName(name);
  });
}

/** `['DB_PASSWORD', 'x']`, and no list of two classes: `['JwtStrategy', 'UserService']` */
function isSecretPair(value: readonly unknown[]): value is [string, unknown] {
  return value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0]) && /^[\w.-]+$/.test(value[0]);
}

/** What an object holds, without running anything of it. */
export function entriesOf(value: object): [string, unknown][] {
  return Object.keys(value).map((key) => {
    const property = Object.getOwnPropertyDescriptor(value, key);
    const isGetter = property !== undefined && 'get' in property;
    return [key, isGetter ? '[a getter, which is not run]' : (property?.value as unknown)];
  });
}
