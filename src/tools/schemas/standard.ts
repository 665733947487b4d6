/**
 * Schemas of other libraries (zod, valibot, arktype …) through the interface that they share, Standard Schema: the
 * library describes the schema, for clients, and parses the arguments, in its own words.
 */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { McpArgumentFault, type ArgumentFault } from '../failure.js';
import type { JsonSchema } from '../tool.js';
import { schemaFault } from './json-schema.js';
import { pathOf } from './paths.js';
import { isObject, own } from './walk.js';

/** Whether a value is a schema of a library; some are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchemaV1>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  valibot: "wrap it in toStandardJsonSchema() of '@valibot/to-json-schema'.",
  zod: 'use zod 4.2 or later (not zod/v3 or zod/mini), or give z.toJSONSchema(schema) itself.',
};

type Description = { schema: JsonSchema } | { fault: string };

const descriptions = { input: new WeakMap<object, Description>(), output: new WeakMap<object, Description>() };

/** The JSON Schema (2020-12) that a library gives of its schema, or why there is none and the way out. Asked once. */
export function describeStandardSchema(schema: StandardSchemaV1, kind: 'input' | 'output'): Description {
  let description = descriptions[kind].get(schema);
  if (description === undefined) descriptions[kind].set(schema, (description = describe(schema, kind)));
  return description;
}

function describe(schema: StandardSchemaV1, kind: 'input' | 'output'): Description {
  const { vendor } = schema['~standard'];
  const { jsonSchema } = schema['~standard'] as Partial<StandardJSONSchemaV1.Props>;
  const wayOut = WAYS_OUT[vendor] ?? 'give a JSON Schema instead.';
  if (jsonSchema === undefined)
    return { fault: `this ${vendor} schema does not describe itself as JSON Schema: ${wayOut}` };
  let described: Record<string, unknown>;
  try {
    const given = jsonSchema[kind]({ target: 'draft-2020-12' });
    described = JSON.parse(JSON.stringify(given)) as Record<string, unknown>; // zod hides its schema in it
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      fault: `${vendor} cannot describe this schema (${reason}): use types that JSON has, or give a JSON Schema.`,
    };
  }
  if (!isObject(described) || isEmpty(described)) {
    const mixed = 'it was made by another copy or major version than the one that describes it';
    return { fault: `${vendor} describes this schema as nothing at all. Most likely ${mixed}: ${wayOut}` };
  }
  const whole = kind === 'input' ? withObjectRoot(described) : described;
  const fault = schemaFault(whole, kind);
  return fault === undefined ? { schema: whole } : { fault: `as ${vendor} describes it, ${fault}` };
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === '$schema');
}

/** A union of objects is an object too, which clients want to read at the root. */
function withObjectRoot(schema: JsonSchema): JsonSchema {
  const alternatives = own(schema, 'anyOf') ?? own(schema, 'oneOf') ?? own(schema, 'allOf');
  const isObjects =
    own(schema, 'type') === undefined &&
    Array.isArray(alternatives) &&
    alternatives.length > 0 &&
    alternatives.every((part) => isObject(part) && own(part, 'type') === 'object');
  return isObjects ? { type: 'object', ...schema } : schema;
}

/**
 * Parses arguments with the library's own parser: what it gives back is what the tool receives.
 *
 * @throws McpArgumentFault with the path and the message of each issue.
 */
export async function parseStandard(schema: StandardSchemaV1, args: unknown): Promise<unknown> {
  const result = await validate(schema, args);
  if (result.issues === undefined) return result.value;
  throw new McpArgumentFault(result.issues.map(faultOf));
}

async function validate(schema: StandardSchemaV1, args: unknown): Promise<StandardSchemaV1.Result<unknown>> {
  try {
    return await schema['~standard'].validate(args);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // the author's code failed, not the arguments
    return { issues: [{ message: 'must be nested less deeply, or be shorter: they could not be checked' }] };
  }
}

function faultOf({ message, path = [] }: StandardSchemaV1.Issue): ArgumentFault {
  const steps = Array.from(path, (segment) => (typeof segment === 'object' ? segment.key : segment));
  return { path: pathOf(steps.map((key) => (typeof key === 'number' ? key : String(key)))), expected: message };
}
