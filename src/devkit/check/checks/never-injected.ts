/**
 * A provider that nobody asks for. Told only of plain classes: whatever a decorator, a hook or a parent class may reach is left
 * out, because it may do its work without being injected.
 */
import type { ProviderFacts } from '../../inspect/providers.js';
import type { Finding, WiringCheck } from '../finding.js';

/** What Nest's own decorators and the compiler leave on a class that is only a provider. */
const PLAIN = new Set(
  `__injectable__ scope:options design:paramtypes self:paramtypes self:properties_metadata
  optional:paramtypes optional:properties_metadata design:type`.split(/\s+/),
);

/** Methods that are called by name: by Nest, by class-validator, by libraries that are given the class. */
const CALLED = `onModuleInit onApplicationBootstrap onModuleDestroy beforeApplicationShutdown onApplicationShutdown
  canActivate intercept transform catch use validate getMcpTools configure handle execute run check
  isHealthy resolve load`.split(/\s+/);

export const neverInjected: WiringCheck = ({ providers }) =>
  providers.all().flatMap((provider): Finding[] => {
    const { type, name, module } = provider;
    if (type === undefined || !isUnasked(provider) || isReachedOtherwise(type)) return [];
    return [
      {
        level: 'look',
        what: `Nobody has ${name} injected, and no decorator or hook of it is reached.`,
        where: `${name} of ${module}`,
        cure: 'Remove it from the providers. If app.get() or ModuleRef fetches it, it is needed all the same.',
        code: type,
        ownCodeOnly: true,
      },
    ];
  });

/** One that Nest makes of a class, and not for anybody. */
function isUnasked({ dependents, wrapper }: ProviderFacts): boolean {
  return !wrapper.isNotMetatype && dependents.length === 0;
}

function isReachedOtherwise(type: Function): boolean {
  if (Object.getPrototypeOf(type) !== Function.prototype) return true; // the parent's constructor may register it
  const prototype = type.prototype as object;
  if (CALLED.some((method) => method in prototype)) return true;
  if (!Reflect.getMetadataKeys(type).every((key) => PLAIN.has(String(key)))) return true;
  return Object.getOwnPropertyNames(prototype).some((name) => {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof method !== 'function' || name === 'constructor') return false;
    return Reflect.getMetadataKeys(method).length > 0 || decoratesParameters(type, name);
  });
}

/** A decorator of a parameter or one that notes on the class under the method's name. */
function decoratesParameters(type: Function, name: string): boolean {
  const prototype = type.prototype as object;
  return [...Reflect.getMetadataKeys(prototype, name), ...Reflect.getMetadataKeys(type, name)].some(
    (key) => !String(key).startsWith('design:'),
  );
}
