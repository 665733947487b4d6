/**
 * The libraries that a DTO's decorators belong to. All optional: an application that uses none of them installs none.
 */

/** What class-transformer's decorators have noted. Its storage is not exported; Nest's own mapped types read it here too. */
export interface TransformStorage {
  findTypeMetadata(target: Function, property: string): TypeNote | undefined;
  findExposeMetadata(target: Function, property: string): { options?: ExposeOptions } | undefined;
  findTransformMetadatas(target: Function, property: string, direction: number): readonly unknown[];
  getExposedProperties(target: Function, direction: number): readonly string[];
  getExcludedProperties(target: Function, direction: number): readonly string[];
  getStrategy(target: Function): 'excludeAll' | 'exposeAll' | 'none';
}

/** What `@Type()` notes. */
export interface TypeNote {
  readonly typeFunction?: () => unknown;
  readonly options?: { readonly discriminator?: Discriminator };
}

export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: Function }[];
}

interface ExposeOptions {
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly toPlainOnly?: boolean;
}

export interface DtoLibraries {
  readonly validator: typeof import('class-validator');
  readonly transformer: typeof import('class-transformer');
  readonly transforms: TransformStorage;
}

/** `undefined` when class-validator or class-transformer is not installed. */
export async function loadDtoLibraries(): Promise<DtoLibraries | undefined> {
  const validator = await optional(() => import('class-validator'));
  const transformer = await optional(() => import('class-transformer'));
  if (validator === undefined || transformer === undefined) return undefined;
  // @ts-expect-error -- has no declarations under this path
  const storage = await optional(() => import('class-transformer/cjs/storage.js') as Promise<StorageModule>);
  return { validator, transformer, transforms: storage?.defaultMetadataStorage ?? NOTHING_NOTED };
}

interface StorageModule {
  readonly defaultMetadataStorage?: TransformStorage;
}

/** Without the storage no `@Type()` is seen: nested classes are then reported as lost, not guessed. */
const NOTHING_NOTED: TransformStorage = {
  findTypeMetadata: () => undefined,
  findExposeMetadata: () => undefined,
  findTransformMetadatas: () => [],
  getExposedProperties: () => [],
  getExcludedProperties: () => [],
  getStrategy: () => 'none',
};

const ABSENT = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);

async function optional<T extends object>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    const loaded: T & { default?: T } = await load();
    return loaded.default ?? loaded; // a CommonJS module's whole stands under default
  } catch (error) {
    if (ABSENT.has(String((error as { code?: unknown }).code))) return undefined;
    throw error; // installed, and broken: not ours to hide
  }
}
