/**
 * A prompt's arguments: what clients are told of them, and how the texts that they send become what the schema asks for.
 */
import { isObject } from '../tools/schemas/walk.js';
import type { JsonSchema } from '../tools/tool.js';

/** An argument in `prompts/list`. */
export interface McpPromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** The arguments that a schema declares, in its order. */
export function promptArguments(schema: JsonSchema): readonly McpPromptArgument[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    ...(typeof property['title'] === 'string' && { title: property['title'] }),
    ...(typeof property['description'] === 'string' && { description: property['description'] }),
    ...(required.includes(name) && { required: true }),
  }));
}

/** What is wrong with a schema for texts; `undefined` when nothing is. */
export function textsFault(schema: JsonSchema): string | undefined {
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const types = typesOf(property);
    if (types.length > 0 && types.every((type) => type === 'object' || type === 'array')) {
      return `the argument "${name}" is of the type ${types.join(' or ')}, but clients send texts: take a text, and read it.`;
    }
  }
  return undefined;
}

/**
 * The arguments with each text read as what its property is: a number, an integer, a boolean, one of an enum. What may be a text
 * is left one, and so is what is none of these.
 */
export function readTexts(schema: JsonSchema, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const isText = typeof value === 'string' && Object.hasOwn(properties, name);
      return [name, isText ? readText(properties[name]!, value) : value];
    }),
  );
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readText(property: JsonSchema, text: string): unknown {
  const { enum: listed } = property;
  const meant: unknown = Array.isArray(listed) && listed.find((value) => value !== null && String(value) === text);
  if (typeof meant === 'number') return meant;
  const types = typesOf(property);
  if (types.includes('string')) return text;
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The types that a property says it may be of, but for null; none when it does not say. */
function typesOf({ type, enum: listed, anyOf, oneOf }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return type === 'null' ? [] : [type];
  if (Array.isArray(type)) return type.filter((each): each is string => typeof each === 'string' && each !== 'null');
  if (Array.isArray(listed)) return listed.filter((value) => value !== null).map((value) => typeof value);
  const parts: unknown = anyOf ?? oneOf;
  return Array.isArray(parts) ? parts.filter(isObject).flatMap(typesOf) : [];
}

/** The schemas of the arguments; a property that is only `true` says nothing of its own. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties as Record<string, unknown>).map(([name, property]) => [
      name,
      typeof property === 'object' && property !== null ? (property as JsonSchema) : {},
    ]),
  );
}
