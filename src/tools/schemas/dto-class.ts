/**
 * What the decorators of a class declare, property by property, whatever library each belongs to. Declared is what
 * carries a decorator; a property without one is the class's own affair and cannot be set from outside.
 */
import 'reflect-metadata';
import { headerNoted, noteHeaders } from './dto-header.js';
import type { Discriminator, DtoLibraries, TypeNote } from './dto-libraries.js';
import { ruleOf, type Rule } from './dto-rules.js';
import { readSwagger, type SwaggerNotes } from './dto-swagger.js';
import { notedType } from './noted-type.js';

/** One declared property. */
export interface DtoProperty {
  readonly name: string;
  /** Its name on the wire: `@Expose({ name })`. */
  readonly wireName: string;
  /** What the decorators say of the value, and of each of its items. */
  readonly rules: readonly Rule[];
  readonly itemRules: readonly Rule[];
  /** Whether it may be left out, and whether it may be null. */
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  /** The type that TypeScript emitted. */
  readonly designType?: Function;
  /** The class that `@Type()` names. */
  readonly type?: Function;
  readonly discriminator?: Discriminator;
  /** `@Transform()` decides what may come in. */
  readonly isTransformed: boolean;
  /** The value of its initialiser. */
  readonly initial?: unknown;
  readonly swagger: SwaggerNotes;
  /** What `@McpHeader()` says. */
  readonly header?: { readonly name: unknown };
}

/** A class, read. */
export interface DtoClass {
  readonly properties: readonly DtoProperty[];
  /** Whether class-validator knows it. */
  readonly isValidated: boolean;
}

type Metadata = ReturnType<
  ReturnType<DtoLibraries['validator']['getMetadataStorage']>['getTargetValidationMetadatas']
>[number];

/** Reads a class; validators of all groups count, as they do when no group is asked for. */
export function readDtoClass(type: Function, libraries: DtoLibraries): DtoClass {
  const { validator, transformer, transforms } = libraries;
  const storage = validator.getMetadataStorage();
  noteHeaders(storage);
  const metadata = storage.getTargetValidationMetadatas(type, '', false, false);
  const inward = transformer.TransformationType.PLAIN_TO_CLASS;
  const exposed = transforms.getExposedProperties(type, inward);
  const excluded = new Set(transforms.getExcludedProperties(type, inward));
  const isHidden = transforms.getStrategy(type) === 'excludeAll';
  const initial = initialValues(type);
  const notes = readSwagger(type);
  const typed = Object.keys(initial).filter((name) => designTypeOf(type, name) !== undefined);
  const names = new Set([...metadata.map(({ propertyName }) => propertyName), ...notes.keys(), ...exposed, ...typed]);
  const properties = [...names]
    .filter((name) => !excluded.has(name) && (!isHidden || exposed.includes(name)))
    .filter((name) => !transforms.findExposeMetadata(type, name)?.options?.groups?.length)
    .map((name): DtoProperty => {
      const own = metadata.filter(({ propertyName }) => propertyName === name);
      const expose = transforms.findExposeMetadata(type, name)?.options;
      const swaggerNotes = notes.get(name) ?? {};
      const note = transforms.findTypeMetadata(type, name);
      const noted = typeNamedBy(note);
      const designType = designTypeOf(type, name);
      const header = headerNoted(own);
      return {
        name,
        wireName: (expose?.toPlainOnly === true ? undefined : expose?.name) ?? name,
        rules: rulesOf(own.filter((item) => !isOfItems(item, designType))),
        itemRules: rulesOf(own.filter((item) => isOfItems(item, designType))),
        isOptional: isOptional(own, initial[name], swaggerNotes),
        isNullable: swaggerNotes.nullable === true || initial[name] === null || acceptsNull(own),
        designType,
        ...(typeof noted === 'function' && { type: noted }),
        ...(note?.options?.discriminator && { discriminator: note.options.discriminator }),
        isTransformed: transforms.findTransformMetadatas(type, name, inward).length > 0,
        initial: initial[name],
        swagger: swaggerNotes,
        ...(header && { header }),
      };
    });
  return { properties, isValidated: metadata.length > 0 };
}

function designTypeOf(type: Function, name: string): Function | undefined {
  return notedType(Reflect.getMetadata('design:type', type.prototype as object, name));
}

/** The class that `@Type()` names; none when it is not there yet, as in a circle of imports. */
function typeNamedBy(note: TypeNote | undefined): unknown {
  try {
    return note?.typeFunction?.();
  } catch {
    return undefined;
  }
}

/** The values that a new instance starts with; none when the class cannot be made without arguments. */
function initialValues(type: Function): Record<string, unknown> {
  try {
    return { ...(Reflect.construct(type, []) as Record<string, unknown>) };
  } catch {
    return {};
  }
}

const NESTED = 'nestedValidation';

/** Whether a validator looks at each item; `@ValidateNested()` does so for every collection. */
function isOfItems({ each, type }: Metadata, designType: Function | undefined): boolean {
  return each || (type === NESTED && COLLECTIONS.has(designType));
}

const COLLECTIONS = new Set<unknown>([Array, Set, Map]);

function rulesOf(metadata: readonly Metadata[]): Rule[] {
  const unconditional = metadata.filter(({ validateIf }) => validateIf === undefined);
  const rules = unconditional.map(({ type, name, constraints }) =>
    type === NESTED ? ({ kinds: ['object'] } as const) : ruleOf(name, constraints),
  );
  return rules.filter((rule) => rule !== undefined);
}

const CONDITIONAL = 'conditionalValidation';
const WHITELIST = 'whitelistValidation';

/** A property with validators is required, unless `@IsOptional()`, `@ValidateIf()` or an initialiser says otherwise. */
function isOptional(metadata: readonly Metadata[], initial: unknown, swagger: SwaggerNotes): boolean {
  if (initial !== undefined || metadata.some(({ type }) => type === CONDITIONAL)) return true;
  const isDemanded = metadata.some(({ type, validateIf }) => type !== WHITELIST && validateIf === undefined);
  return !isDemanded && swagger.required !== true;
}

/**
 * Whether a `@ValidateIf()` lets null, and only null, go unvalidated. `@IsOptional()` lets it pass too, but is taken as
 * "may be left out": the type that the method sees rarely admits null.
 */
function acceptsNull(metadata: readonly Metadata[]): boolean {
  const conditions = metadata.filter(({ type, name }) => type === CONDITIONAL && name !== 'isOptional');
  return conditions.some(({ constraints }) => {
    const condition = constraints[0] as (object: object, value: unknown) => unknown;
    try {
      return !condition({}, null) && Boolean(condition({}, 'value')) && Boolean(condition({}, 1));
    } catch {
      return false;
    }
  });
}
