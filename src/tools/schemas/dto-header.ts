/**
 * `@McpHeader()` on a property of a DTO. It is noted where class-validator notes its own decorators, as an `@Allow()` that
 * says a word more, so that subclasses and Nest's mapped types (`PickType()`, `PartialType()` …) take it along.
 */
type MetadataStorage = ReturnType<(typeof import('class-validator'))['getMetadataStorage']>;
type Metadata = Parameters<MetadataStorage['addValidationMetadata']>[0];

const NOTE = 'nestjs-mcp-gate:header';

/** How class-validator calls `@Allow()`: nothing is checked by it. */
const ALLOW = 'whitelistValidation';

/** The name that stands on each property, by the prototype of its class alone: a subclass may say another. */
const standing = new WeakMap<object, Map<string, string>>();

/** Notes from before class-validator's first decorator has made its storage. */
const early: Metadata[] = [];

/**
 * Mirrors the argument in the HTTP header `Mcp-Param-…`, for what routes requests without reading bodies
 * (2026-07-28, tools, `x-mcp-header`). Clients send it by themselves, and a call whose header and argument disagree is
 * refused. For texts, integers and booleans, in nested classes too, but not in arrays; never for a secret, since whoever
 * stands in between reads it.
 *
 * @param name the part after `Mcp-Param-`: letters, digits and hyphens
 * @throws TypeError on anything but a property, and on one that has another name already.
 */
export function McpHeader(name: string): PropertyDecorator {
  return (target, property, descriptor?: PropertyDescriptor) => {
    const fault = misplacement(target, property, descriptor);
    if (fault !== undefined) throw new TypeError(`@McpHeader() on ${placeOf(target, property)}: ${fault}`);
    once(target, property as string, name);
    early.push({
      type: ALLOW,
      target: target.constructor,
      propertyName: property as string,
      groups: [],
      each: false,
      context: { [NOTE]: { name } },
    } as unknown as Metadata);
    noteHeaders(sharedStorage());
  };
}

/** Of two names one would be lost. */
function once(target: object, property: string, name: string): void {
  const names = standing.get(target) ?? new Map<string, string>();
  const earlier = names.get(property) ?? name;
  if (earlier !== name) {
    throw new TypeError(
      `@McpHeader('${name}') on ${placeOf(target, property)}: it is mirrored as '${earlier}' already, and in one header alone. ` +
        'Remove one of them.',
    );
  }
  standing.set(target, names.set(property, name));
}

/** Hands over what was noted before there was a storage. */
export function noteHeaders(storage: MetadataStorage | undefined): void {
  if (storage === undefined) return;
  for (const metadata of early.splice(0)) storage.addValidationMetadata(metadata);
}

/** The name that `@McpHeader()` gives a property, whatever it is; `undefined` when the decorator does not stand on it. */
export function headerNoted(metadata: readonly Pick<Metadata, 'context'>[]): { readonly name: unknown } | undefined {
  for (const { context } of metadata) {
    const note = (context as Record<string, { readonly name: unknown }> | undefined)?.[NOTE];
    if (note !== undefined) return note;
  }
  return undefined;
}

function misplacement(
  target: object,
  property: string | symbol | undefined,
  descriptor: PropertyDescriptor | undefined,
): string | undefined {
  if (typeof target === 'function') return 'it belongs on a property of instances, not on a class or a static member.';
  if (typeof property !== 'string') return 'an argument has no symbol for a name. Give the property one.';
  return typeof descriptor?.value === 'function'
    ? "it belongs on a property of the class of a tool's arguments, not on a method."
    : undefined;
}

function placeOf(target: object, property: string | symbol | undefined): string {
  const { name } = typeof target === 'function' ? target : target.constructor;
  return property === undefined ? name : `${name}.${String(property)}`;
}

/** Under one global name, for all copies of class-validator; `undefined` before the first of its decorators. */
function sharedStorage(): MetadataStorage | undefined {
  return (globalThis as { classValidatorMetadataStorage?: MetadataStorage }).classValidatorMetadataStorage;
}
