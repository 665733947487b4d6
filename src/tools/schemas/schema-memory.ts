/**
 * What was worked out for a schema, kept by the schema object; and by its text for a while, because providers that give
 * their tools anew at each request give equal schemas that are never the same object.
 */
import type { JsonSchema } from '../tool.js';
import { jsonFault } from './json-fault.js';

const MAX_TEXTS = 64;
const MAX_TEXT_CHARS = 20_000;

export class SchemaMemory<T> {
  private readonly byObject = new WeakMap<JsonSchema, { readonly made: T }>();
  private readonly byText = new Map<string, { readonly made: T }>();

  constructor(private readonly make: (schema: JsonSchema) => T) {}

  /** How many are kept by their text; bounded. */
  get texts(): number {
    return this.byText.size;
  }

  of(schema: JsonSchema): T {
    let known = this.byObject.get(schema);
    if (known === undefined) {
      known = this.byTextOf(schema);
      this.byObject.set(schema, known);
    }
    return known.made;
  }

  private byTextOf(schema: JsonSchema): { readonly made: T } {
    const text = textOf(schema);
    const known = (text === undefined ? undefined : this.byText.get(text)) ?? { made: this.make(schema) };
    if (text !== undefined) {
      this.byText.delete(text); // the last used stays longest
      this.byText.set(text, known);
      if (this.byText.size > MAX_TEXTS) this.byText.delete(this.byText.keys().next().value!);
    }
    return known;
  }
}

/** `undefined` when the schema has no text that stands for it: too long, or not plain JSON. */
function textOf(schema: JsonSchema): string | undefined {
  if (jsonFault(schema) !== undefined) return undefined;
  const text = JSON.stringify(schema);
  return text.length <= MAX_TEXT_CHARS ? text : undefined;
}
