/**
 * Why a schema cannot be used. Everything that would make compilation or validation fail later is found here, at
 * declaration, where its author can read it.
 */
import type { JsonSchema } from '../tool.js';
import { compile, dialectOf, isPattern, metaCheck, type Dialect } from './dialects.js';
import { jsonFault } from './json-fault.js';
import { cut, pathOfPointer } from './paths.js';
import { findReferenceFault } from './references.js';
import { MAX_DEPTH, MAX_SUBSCHEMAS, satisfiesMetaSchema } from './plain-schema.js';
import { isObject, own, subschemas } from './walk.js';

/** The first reason why `schema` cannot be used, as a sentence with the way out; `undefined` when it can. */
export function findSchemaFault(schema: unknown, kind: 'input' | 'output'): string | undefined {
  if (!isObject(schema)) {
    return `must be a JSON Schema object such as { type: 'object', properties: { … } }, got ${kindOf(schema)}.`;
  }
  const dialect = dialectOf(schema);
  return (
    jsonFault(schema) ??
    (dialect === undefined ? unknownDialect(own(schema, '$schema')) : undefined) ??
    sizeFault(schema) ??
    (kind === 'input' ? rootFault(schema) : undefined) ??
    metaFault(schema, dialect!) ??
    findReferenceFault(schema, {
      metaFault: (target) => metaFault(target, dialect!),
      compile: () => compile(schema, dialect!, false),
    })
  );
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function unknownDialect(named: unknown): string {
  return (
    `the dialect ${cut(JSON.stringify(named), 120)} in "$schema" is not served: write the schema in ` +
    'https://json-schema.org/draft/2020-12/schema (the default) or http://json-schema.org/draft-07/schema.'
  );
}

function rootFault(schema: JsonSchema): string | undefined {
  if (own(schema, 'type') === 'object') return undefined;
  return (
    "the root must say type: 'object', because the arguments of a call are always an object" +
    (own(schema, 'type') === undefined
      ? '.'
      : `; got ${cut(JSON.stringify(own(schema, 'type')), 60)}: wrap it in a property.`)
  );
}

function sizeFault(root: JsonSchema): string | undefined {
  let count = 0;
  const visit = (schema: JsonSchema, depth: number): string | undefined => {
    if (depth > MAX_DEPTH)
      return `it is nested more than ${MAX_DEPTH} schemas deep: use $defs and $ref, or flatten it.`;
    if (++count > MAX_SUBSCHEMAS)
      return `it holds more than ${MAX_SUBSCHEMAS} schemas: use $defs and $ref, or split it.`;
    const fault = foreignFault(schema);
    if (fault !== undefined) return fault;
    for (const [, subschema] of subschemas(schema)) {
      const inner = typeof subschema === 'boolean' ? undefined : visit(subschema, depth + 1);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return visit(root, 1);
}

/** What ajv takes for a keyword of its own, or stumbles over, although JSON Schema does not. */
function foreignFault(schema: JsonSchema): string | undefined {
  if (own(schema, '$async') !== undefined) return '"$async" is not JSON Schema: remove it.';
  const values = own(schema, 'enum');
  if (Array.isArray(values) && values.length === 0) return 'an enum without values accepts nothing: list its values.';
  const patterns = [own(schema, 'pattern'), ...Object.keys(own(schema, 'patternProperties') ?? {})];
  const broken = patterns.find((pattern) => typeof pattern === 'string' && !isPattern(pattern));
  if (broken !== undefined) return `the pattern ${cut(JSON.stringify(broken), 120)} is no regular expression: mend it.`;
  if (own(schema, 'nullable') === undefined) return undefined;
  return '"nullable" is a word of OpenAPI, not of JSON Schema: say type: ["string", "null"], or add { "type": "null" } to an anyOf.';
}

/** What the meta-schema says against a schema. */
function metaFault(schema: JsonSchema, dialect: Dialect): string | undefined {
  if (satisfiesMetaSchema(schema)) return undefined;
  const check = metaCheck(dialect);
  if (check(schema) === true) return undefined;
  const error = check.errors?.[0];
  const place = pathOfPointer(error?.instancePath ?? '', schema);
  const allowed: unknown = error?.params['allowedValues'];
  const values = Array.isArray(allowed) ? ` (${cut(allowed.join(', '), 200)})` : '';
  return `it is not valid JSON Schema: ${place || 'the root'} ${error?.message ?? 'is wrong'}${values}.`;
}
