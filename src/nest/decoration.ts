/**
 * Where decorators of methods keep what they say: ONE object for each thing that a method is, on the method itself, as
 * Nest's guards are. A method that overrides another inherits neither, and never the thing without its guards.
 */
import 'reflect-metadata';
import { isDeepStrictEqual } from 'node:util';

/** What one decorator said of a method, and where. */
interface Said<T> {
  readonly part: T;
  readonly place: string;
}

/**
 * Stands on every method on which anything of this package stands, so that the many others of an application are looked at
 * once. Each thing has a key of its own all the same: whoever wraps a method and copies what stands on it, key by key, must not
 * lose what the wrapper has and the method has not.
 */
const DECORATED = 'nestjs-mcp-gate:decorated';

/** Whether any decorator of this package stands on a method. */
export function isDecorated(method: object): boolean {
  return Reflect.hasOwnMetadata(DECORATED, method);
}

/** One key, with its reader and its writer. */
export class Decoration<T extends object> {
  /** @param what what the method becomes, for the messages */
  constructor(
    private readonly key: string,
    private readonly what: string,
  ) {}

  /** What decorators said of a method; `undefined` when none of these stands on it. */
  read(method: object): T | undefined {
    const said = this.saidOf(method);
    return said && (Object.assign({}, ...[...said.values()].map(({ part }) => part)) as T);
  }

  /**
   * A decorator that adds its part to the object. Its order among others does not matter. It may stand there twice where it says
   * the same, as decorators that are composed of others may; of two parts one would be lost.
   *
   * @param refused why it says nothing that could be kept
   */
  write(decorator: string, part: T, refused?: string): MethodDecorator {
    return (target, key, descriptor?: PropertyDescriptor) => {
      const method: unknown = descriptor?.value;
      const fault = this.misplacement(target, key, method);
      if (fault !== undefined) throw new TypeError(`${decorator} on ${fault}`);
      const place = placeOf(target, key);
      const said = this.saidOf(method as object);
      const reason = refused ?? clash(said?.get(decorator), { part, place });
      if (reason !== undefined) throw new TypeError(`${decorator} on ${place}: ${reason}`);
      // Another map each time: whoever wraps a method may have copied what stands on it.
      Reflect.defineMetadata(this.key, new Map(said).set(decorator, { part, place }), method as object);
      Reflect.defineMetadata(DECORATED, true, method as object);
    };
  }

  /** By the decorators that stand on the method. */
  private saidOf(method: object): ReadonlyMap<string, Said<T>> | undefined {
    return Reflect.getOwnMetadata(this.key, method) as ReadonlyMap<string, Said<T>> | undefined;
  }

  private misplacement(target: object, key: string | symbol | object | undefined, method: unknown): string | undefined {
    const { name } = target as { name?: string };
    if (key === undefined) return `the class ${name}: it belongs on a method.`;
    if (typeof key === 'object') return `${name}: ${NOT_OF_TYPESCRIPT}`;
    const place = placeOf(target, key);
    if (typeof key === 'symbol') return `${place}: a method named by a symbol cannot be ${this.what}. Give it a name.`;
    if (typeof method !== 'function') return `${place}: it belongs on a method, not on a property or an accessor.`;
    return typeof target === 'function'
      ? `${place}: a static method cannot be ${this.what}. Make it a method of instances.`
      : undefined;
  }
}

/** A compiler that was not told otherwise hands over a context in place of the method's name, as ECMAScript will have it. */
const NOT_OF_TYPESCRIPT =
  'it is compiled as a decorator of ECMAScript, and Nest knows those of TypeScript alone. Set "experimentalDecorators" and ' +
  '"emitDecoratorMetadata" to true, in tsconfig.json or where your compiler has them.';

/** Why a decorator cannot stand on a function that has it already; `undefined` when nothing is lost. */
function clash<T>(earlier: Said<T> | undefined, now: Said<T>): string | undefined {
  if (earlier === undefined || isDeepStrictEqual(earlier.part, now.part)) return undefined;
  return earlier.place === now.place
    ? 'it stands there already. Say it once, or give a second method its own.'
    : `it stands on ${earlier.place} already, which is the same function. Give each place a function of its own.`;
}

function placeOf(target: object, key: string | symbol): string {
  return `${(typeof target === 'function' ? target : target.constructor).name}.${String(key)}`;
}

const ELSEWHERE = 'nestjs-mcp-gate:elsewhere';

/** Says that a method is something which no gate serves by itself, so that who may have it can be said of it all the same. */
export function declareElsewhere(method: object): void {
  Reflect.defineMetadata(ELSEWHERE, true, method);
}

/** Whether a method is such a thing. */
export function isDeclaredElsewhere(method: object): boolean {
  return Reflect.getOwnMetadata(ELSEWHERE, method) === true;
}
