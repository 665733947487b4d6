/**
 * What is known of schemas in the hands of clients and vendors, one entry for each thing that somebody mishandles.
 * "Refuses" is said of a request to a model: one tool takes all the others with it.
 */
import { own } from './schemas/walk.js';
import type { JsonSchema } from './tool.js';

/** One thing that somebody mishandles. */
export interface SchemaFact {
  /** The schemas in which it matters: what an author sends out, and what clients check results against. */
  readonly of: readonly ('input' | 'output')[];
  readonly what: string;
  /** Where it is met in one schema: a detail for each time, which may be empty. */
  readonly finds: (schema: JsonSchema, isRoot: boolean) => readonly string[];
  /** Whose it is, what happens, and the way out. */
  readonly says: string;
}

const once = (found: boolean): string[] => (found ? [''] : []);
const matches = (pattern: RegExp, value: unknown): boolean => typeof value === 'string' && pattern.test(value);
const typesOf = (schema: JsonSchema): unknown[] => [own(schema, 'type') ?? []].flat();

const AT_THE_ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'];
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const LOOKAROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]/;
const GEMINI_FORMATS = ['date-time', 'enum', 'float', 'double', 'int32', 'int64'];
const GEMINI_UNKNOWN = [
  'const',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'patternProperties',
  'propertyNames',
  'not',
  'if',
];
const GEMINI_REFUSES = 'Gemini refuses every request with such a tool, unless the client rewrites it.';
const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

export const SCHEMA_FACTS: readonly SchemaFact[] = [
  {
    of: ['input'],
    what: 'alternatives at its root',
    finds: (schema, isRoot) => (isRoot ? AT_THE_ROOT.filter((keyword) => own(schema, keyword) !== undefined) : []),
    says:
      'Anthropic and OpenAI refuse every request with such a tool. Declare all properties at the root and say in the ' +
      'description which belong together, or put the alternatives into one property.',
  },
  {
    of: ['input'],
    what: 'properties whose names are not 1 to 64 letters, digits, "_", "." or "-"',
    finds: (schema, isRoot) => {
      const names = isRoot ? Object.keys(own(schema, 'properties') ?? {}) : [];
      return names.filter((name) => !PROPERTY_NAME.test(name)).map((name) => JSON.stringify(name));
    },
    says: 'Anthropic refuses every request with such a tool. Rename them.',
  },
  {
    of: ['input'],
    what: 'an array that does not say what is in it',
    finds: (schema) =>
      once(
        typesOf(schema).includes('array') &&
          !['items', 'prefixItems'].some((keyword) => own(schema, keyword) !== undefined),
      ),
    says: 'OpenAI and Gemini refuse every request with such a tool, VS Code each call of it. Give the array "items".',
  },
  {
    of: ['input', 'output'],
    what: 'a tuple',
    finds: (schema) => once(Array.isArray(own(schema, 'items')) || own(schema, 'prefixItems') !== undefined),
    says:
      'OpenAI, Gemini and Anthropic refuse "items" as a list, and clients that validate by draft-07 (Cursor, version 1 of ' +
      'the TypeScript SDK) take no value under "prefixItems". Use an object, or one kind of items with minItems and maxItems.',
  },
  {
    of: ['input'],
    what: 'a "$ref"',
    finds: (schema) => once(typeof own(schema, '$ref') === 'string'),
    says:
      'GitHub Copilot and LM Studio do not follow it, so the model sees an argument without a shape. Write the schema out ' +
      'where it is used.',
  },
  {
    of: ['input'],
    what: 'a pattern with lookaround',
    finds: (schema) => once(matches(LOOKAROUND, own(schema, 'pattern'))),
    says:
      'OpenAI refuses every request with such a tool. Write the pattern without (?=, (?!, (?<= and (?<!, and check the ' +
      'rest in the tool.',
  },
  {
    of: ['input'],
    what: 'a format other than date-time',
    finds: (schema) => {
      const format = own(schema, 'format');
      return typeof format === 'string' && !GEMINI_FORMATS.includes(format) ? [format] : [];
    },
    says: `${GEMINI_REFUSES} Say it in the description instead.`,
  },
  {
    of: ['input'],
    what: 'an enum of other values than texts with something in them',
    finds: (schema) => {
      const values = own(schema, 'enum');
      return once(Array.isArray(values) && values.some((value) => typeof value !== 'string' || value === ''));
    },
    says: `${GEMINI_REFUSES} Use texts, or "minimum" and "maximum"; an argument that may be left out need not be null.`,
  },
  {
    of: ['input'],
    what: 'a list of types',
    finds: (schema) => (Array.isArray(own(schema, 'type')) ? [typesOf(schema).join(' or ')] : []),
    says: `${GEMINI_REFUSES} Give one type; an argument that may be left out need not be null.`,
  },
  {
    of: ['input'],
    what: 'keywords that Gemini does not know',
    finds: (schema) => GEMINI_UNKNOWN.filter((keyword) => own(schema, keyword) !== undefined),
    says: `${GEMINI_REFUSES} Say "minimum" and "maximum", an enum of one value for "const", and the rest in the description.`,
  },
  {
    of: ['input', 'output'],
    what: 'draft-07 as its "$schema"',
    finds: (schema, isRoot) => once(isRoot && matches(DRAFT_07, own(schema, '$schema'))),
    says: 'Claude Desktop refuses each call of such a tool. Leave "$schema" out: a schema without it is of 2020-12.',
  },
];
