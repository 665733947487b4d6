/**
 * Where decorators of methods keep what they say: ONE object for each thing that a method is, on the method itself, as
 * Nest's guards are. A method that overrides another inherits neither, and never the thing without its guards.
 */
import 'reflect-metadata';

/** One key, with its reader and its writer. */
export class Decoration<T extends object> {
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
      const before = this.read(method as object);
      Reflect.defineMetadata(this.key, { ...before, ...part }, method as object);
    };
  }

  private misplacement(target: object, key: string | symbol | undefined, method: unknown): string | undefined {
    if (key === undefined) return `the class ${(target as { name?: string }).name}: it belongs on a method.`;
    const place = `${(typeof target === 'function' ? target : target.constructor).name}.${String(key)}`;
    if (typeof key === 'symbol') return `${place}: a method named by a symbol cannot be ${this.what}. Give it a name.`;
    if (typeof method !== 'function') return `${place}: it belongs on a method, not on a property or an accessor.`;
    return typeof target === 'function'
      ? `${place}: a static method cannot be ${this.what}. Make it a method of instances.`
      : undefined;
  }
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
