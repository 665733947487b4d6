/**
 * The schema of one property of a DTO.
 */
import { MCP_HEADER_KEYWORD } from '../header-parameters.js';
import type { JsonSchema } from '../tool.js';
import type { DtoProperty } from './dto-class.js';
import { kindsOf, KnownTypes, narrowed } from './dto-kinds.js';
import { joinKeywords, nullable } from './dto-keywords.js';
import type { Describer } from './dto-schema.js';
import type { Kind, Rule } from './dto-rules.js';

/** A place where values stand: the property itself, or the items of its array. */
interface Place {
  readonly owner: Function;
  readonly property: DtoProperty;
  readonly describer: Describer;
}

export function describeProperty(owner: Function, property: DtoProperty, describer: Describer): JsonSchema {
  const place = { owner, property, describer };
  const isPublished = describer.extent === 'all';
  if (property.isTransformed && !isPublished) return {}; // @Transform() takes what it likes
  const schema = valueOf(place);
  const whole = property.isNullable ? nullable(schema) : schema;
  if (!isPublished) return whole;
  const { header, swagger } = property;
  return {
    ...whole,
    ...(header && { [MCP_HEADER_KEYWORD]: header.name }),
    ...swagger.annotations,
    ...defaultOf(property),
  };
}

function valueOf(place: Place): JsonSchema {
  const { rules, itemRules, designType, swagger } = place.property;
  const kinds = kindsOf(rules);
  const isList = designType === Array || designType === Set;
  const saysArray = kinds?.includes('array') ?? (isList || (swagger.isArray === true && swagger.type !== undefined));
  if (saysArray) return listOf(place);
  if (designType === Map) return mapOf(place);
  if (itemRules.length === 0) return single(place, rules, declaredType(place.property));
  // Validators of items, and no word of an array: TypeScript's type was a union, or is not known.
  const item = single(place, itemRules, place.property.type);
  return designType === Object ? { anyOf: [item, { type: 'array', items: item }] } : { type: 'array', items: item };
}

/** The type that is declared, unless it says nothing. */
function declaredType({ type, designType, swagger, rules }: DtoProperty): Function | undefined {
  const instance = rules.find((rule) => rule.instance !== undefined)?.instance;
  const declared = type ?? instance ?? designType;
  return declared === undefined || declared === Object ? swagger.type : declared;
}

/** The type of an array's items, or of a map's values. */
export function itemTypeOf({ type, itemRules, swagger }: DtoProperty): Function | undefined {
  const instance = itemRules.find((rule) => rule.instance !== undefined)?.instance;
  return type ?? instance ?? (swagger.isArray === true ? swagger.type : undefined);
}

function listOf(place: Place): JsonSchema {
  const { property, describer } = place;
  const type = itemTypeOf(property);
  const known = understood(place, property.itemRules, type);
  const items = known ?? (property.swagger.shape?.['items'] as JsonSchema | undefined);
  if (items === undefined) {
    const wayOut = '@IsString({ each: true }) or @ValidateNested({ each: true }) @Type(() => Item)';
    describer.lose(place.owner, property, `an array whose item type is not known; add ${wayOut}`);
  }
  return { type: 'array', ...(items && { items }), ...sayings(place, property.rules, ['array']) };
}

function mapOf(place: Place): JsonSchema {
  const values = understood(place, place.property.itemRules, place.property.type);
  if (values === undefined) {
    place.describer.lose(place.owner, place.property, 'a map whose values are not known; add @Type(() => Value)');
  }
  return {
    type: 'object',
    additionalProperties: values ?? true,
    ...sayings(place, place.property.rules, ['object']),
  };
}

/** A value that is no array; with a report when nothing is known of it. */
function single(place: Place, rules: readonly Rule[], type: Function | undefined): JsonSchema {
  const known = understood(place, rules, type);
  if (known !== undefined) return known;
  const { owner, property, describer } = place;
  const { shape } = property.swagger;
  if (shape !== undefined && (shape['type'] !== 'object' || shape['additionalProperties'] !== undefined)) return shape;
  if (kindsOf(rules)?.includes('object') || shape?.['type'] === 'object' || isClass(type)) {
    const what = isClass(type)
      ? `the class ${type.name}, which declares no properties`
      : 'an object whose properties are not known';
    const wayOut = isClass(type) ? 'decorate its properties' : 'add @ValidateNested() @Type(() => Item)';
    describer.lose(owner, property, `${what}; ${wayOut}`);
    return { type: 'object', ...sayings(place, rules, ['object']) };
  }
  describer.lose(owner, property, 'its type is not known; add a decorator that names it, such as @IsString()');
  return sayings(place, rules, undefined);
}

function isClass(type: Function | undefined): type is Function {
  return type !== undefined && !KnownTypes.has(type);
}

/** What is known of a value by its validators and its type; `undefined` when that says nothing. */
function understood(place: Place, rules: readonly Rule[], type: Function | undefined): JsonSchema | undefined {
  const { describer, property } = place;
  const { discriminator } = property;
  if (discriminator !== undefined) {
    const shapeOf = (name: string, type: Function): JsonSchema => describer.shape(type, [discriminator.property, name]);
    return { anyOf: discriminator.subTypes.map(({ name, value }) => shapeOf(name, value)) };
  }
  const isNested = isClass(type) && describer.isKnown(type);
  const kinds = narrowed(kindsOf(rules), isNested ? 'object' : KnownTypes.get(type));
  if (kinds === undefined) return undefined;
  if (kinds.includes('object')) {
    return isNested ? { ...describer.shape(type), ...sayings(place, rules, kinds) } : undefined;
  }
  if (kinds.includes('array')) return kinds.length === 1 ? undefined : { type: kinds };
  const types = kinds.map((kind) => (kind === 'date' ? 'string' : kind));
  const date = kinds.includes('date') ? { format: 'date-time' } : {};
  return { type: types.length === 1 ? types[0] : types, ...date, ...sayings(place, rules, kinds) };
}

/** The keywords that the rules add. */
function sayings(place: Place, rules: readonly Rule[], kinds: readonly Kind[] | undefined): JsonSchema {
  const said = rules.flatMap(({ keywords, enforced }) => {
    if (place.describer.extent === 'structure') return [enforced];
    if (place.describer.extent === 'all') return [keywords];
    const { format: _, ...certain } = keywords ?? {}; // validators know formats in other spellings
    return [certain, enforced];
  });
  return joinKeywords(said, kinds);
}

/** The initialiser's value, when JSON can carry it. */
function defaultOf({ initial }: DtoProperty): JsonSchema {
  if (initial instanceof Date) return Number.isNaN(initial.getTime()) ? {} : { default: initial.toISOString() };
  const isPlain =
    typeof initial !== 'object' || initial === null || Array.isArray(initial) || initial.constructor === Object;
  if (initial === undefined || !isPlain) return {};
  try {
    const text = JSON.stringify(initial) as string | undefined;
    return text === undefined ? {} : { default: JSON.parse(text) as unknown };
  } catch {
    return {};
  }
}
