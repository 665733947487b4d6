/**
 * The fields of a form: what clients can show is a flat object of texts, numbers, booleans and choices (2026-07-28,
 * elicitation, requested schema). Whatever else a schema demands is checked here when the answer comes.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { McpReadAnswer } from '../runs/input.js';
import { McpArgumentFault } from '../tools/failure.js';
import { loadDtoSupport } from '../tools/schemas/dto.js';
import { argumentsValidator, schemaFault } from '../tools/schemas/json-schema.js';
import { describeStandardSchema, isStandardSchema, parseStandard } from '../tools/schemas/standard.js';
import { isObject } from '../tools/schemas/walk.js';
import type { JsonSchema } from '../tools/tool.js';
import { formField } from './form-field.js';

/** A form's fields, as their author writes them. */
export type McpFormSchema = JsonSchema | StandardSchemaV1 | (abstract new () => object);

/** What a filled-in form holds. */
export type McpFormContent<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends abstract new () => infer Instance
    ? Instance
    : Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A form as the client gets it, and how its answer is read. */
export interface FormFields {
  readonly published: JsonSchema;
  /** The content; `undefined` when it does not fit. What was not asked for is left out. */
  parse(content: unknown): Promise<McpReadAnswer<unknown> | undefined>;
}

interface Source {
  readonly schema: JsonSchema;
  readonly parse?: (content: Record<string, unknown>) => Promise<unknown>;
}

/** @throws TypeError for a schema that no form can show: it names the field and the way out. */
export async function readFormSchema(given: McpFormSchema): Promise<FormFields> {
  const { schema, parse } = await sourceOf(given);
  const published = publishForm(schema);
  const names = Object.keys(published['properties'] as object);
  return {
    published,
    async parse(content) {
      if (!isObject(content)) return undefined;
      const asked = Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(content, name) ? [[name, content[name]]] : [])),
      );
      if (argumentsValidator(schema)(asked) !== undefined) return undefined;
      return parse === undefined ? { value: asked } : fitting(() => parse(asked));
    },
  };
}

/** Read once: what reads classes remembers each, with its compiled checks. */
let dtoSupport: ReturnType<typeof loadDtoSupport> | undefined;

async function sourceOf(given: McpFormSchema): Promise<Source> {
  if (isStandardSchema(given)) {
    const description = describeStandardSchema(given, 'input');
    if ('fault' in description) throw new TypeError(`The schema of a form cannot be read: ${description.fault}`);
    return { schema: description.schema, parse: (content) => parseStandard(given, content) };
  }
  if (typeof given === 'function') {
    const shape = (await (dtoSupport ??= loadDtoSupport()))?.(given);
    if (shape !== undefined) return { schema: shape.schema, parse: (content) => shape.parse(content) };
    throw new TypeError(
      `The class ${given.name} cannot be a form: it carries no class-validator decorators, or class-validator and ` +
        'class-transformer are not installed.',
    );
  }
  const fault = schemaFault(given, 'input');
  if (fault !== undefined) throw new TypeError(`The schema of a form cannot be used: ${fault}`);
  return { schema: given };
}

const published = new WeakMap<JsonSchema, JsonSchema>();

function publishForm(schema: JsonSchema): JsonSchema {
  let form = published.get(schema);
  if (form === undefined) published.set(schema, (form = toForm(schema)));
  return form;
}

function toForm(schema: JsonSchema): JsonSchema {
  const { properties = {}, required } = schema as {
    properties?: Readonly<Record<string, unknown>>;
    required?: unknown;
  };
  if (isObject(schema['additionalProperties']) && Object.keys(properties).length === 0) {
    throw new TypeError(
      'A form whose fields have no names cannot be shown: name each of them, as in z.object({ city: … }).',
    );
  }
  const fields = Object.entries(properties).map(([name, property]) => [name, formField(name, property)] as const);
  return Object.freeze({
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && required.length > 0 && { required }),
  });
}

async function fitting(parse: () => Promise<unknown>): Promise<McpReadAnswer<unknown> | undefined> {
  try {
    return { value: await parse() };
  } catch (error) {
    if (error instanceof McpArgumentFault) return undefined;
    throw error;
  }
}
