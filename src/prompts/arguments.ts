/**
 * A prompt's arguments: what clients are told of them, and how the texts that they send become what the schema asks for.
 */
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
  const [name, type] =
    Object.entries(propertiesOf(schema))
      .map(([key, { type: declared }]) => [key, declared] as const)
      .find(([, declared]) => declared === 'object' || declared === 'array') ?? [];
  if (name === undefined) return undefined;
  return `the argument "${name}" is of the type ${String(type)}, but clients send texts: take a text, and read it.`;
}

/** The arguments with each text read as the number, integer or boolean that its property is; others as they are. */
export function readTexts(schema: JsonSchema, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]!['type'] : undefined;
      return [name, typeof value === 'string' && typeof type === 'string' ? readText(type, value) : value];
    }),
  );
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readText(type: string, text: string): unknown {
  if (type === 'number' || type === 'integer') return NUMBER.test(text) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
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
