/**
 * An argument that may only be one of a few values completes by itself.
 */
import { propertiesOf } from '../prompts/arguments.js';
import type { JsonSchema } from '../tools/tool.js';

/** The texts that an argument may be, if its schema lists them. */
export function enumeratedTexts(schema: JsonSchema, argument: string): readonly string[] | undefined {
  const properties = propertiesOf(schema);
  const property = Object.hasOwn(properties, argument) ? properties[argument]! : {};
  if (property['type'] === 'boolean') return ['true', 'false'];
  const values = property['enum'];
  if (!Array.isArray(values)) return undefined;
  return values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
}

/** Those that begin with what is typed, whatever its case. */
export function fitting(texts: readonly string[], typed: string): readonly string[] {
  const start = typed.toLowerCase();
  return texts.filter((text) => text.toLowerCase().startsWith(start));
}
