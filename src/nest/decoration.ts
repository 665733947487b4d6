/**
 * Where decorators of methods keep what they say: ONE object for each thing that a method is, on the method itself, as
 * Nest's guards are. A method that overrides another inherits neither, and never the thing without its guards.
 */
import 'reflect-metadata';

/** One key, with its reader and its writer. */
export class Decoration<T extends object> {
  /** Which decorators stand on each method: none stands there twice, or one of them would be lost. */
  private readonly written = new WeakMap<object, Set<string>>();

  /** @param what what the method becomes, for the messages */
  constructor(
    private readonly key: string,
    private readonly what: string,
  ) {}

  /** What decorators said of a method; `undefined` when none of these stands on it. */
  read(method: object): T | undefined {
    return Reflect.getOwnMetadata(this.key, method) as T | undefined;
  }

  /** A decorator that adds its part to the object. Its order among others does not matter. */
  write(decorator: string, part: T): MethodDecorator {
    return (target, key, descriptor?: PropertyDescriptor) => {
      const method: unknown = descriptor?.value;
      const fault = this.misplacement(target, key, method);
      if (fault !== undefined) throw new TypeError(`${decorator} on ${fault}`);
      this.once(decorator, placeOf(target, key), method as object);
      const before = this.read(method as object);
      Reflect.defineMetadata(this.key, { ...before, ...part }, method as object);
    };
  }

  private once(decorator: string, place: string, method: object): void {
    const written = this.written.get(method) ?? new Set();
    if (written.has(decorator)) {
      throw new TypeError(
        `${decorator} on ${place}: it stands there already. Say it once, or give a second method its own.`,
      );
    }
    this.written.set(method, written.add(decorator));
  }

  private misplacement(target: object, key: string | symbol | undefined, method: unknown): string | undefined {
    if (key === undefined) return `the class ${(target as { name?: string }).name}: it belongs on a method.`;
    const place = placeOf(target, key);
    if (typeof key === 'symbol') return `${place}: a method named by a symbol cannot be ${this.what}. Give it a name.`;
    if (typeof method !== 'function') return `${place}: it belongs on a method, not on a property or an accessor.`;
    return typeof target === 'function'
      ? `${place}: a static method cannot be ${this.what}. Make it a method of instances.`
      : undefined;
  }
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
