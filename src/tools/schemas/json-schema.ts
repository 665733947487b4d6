/**
 * JSON Schema for tools: whether one can be used, and what is wrong with a value by it. Nothing is compiled before it is
 * needed, nothing is fetched, nothing is filled in: a `default` is a hint for the reader, the arguments stay as they came.
 */
import type { ErrorObject } from 'ajv';
import type { ArgumentFault } from '../failure.js';
import type { JsonSchema } from '../tool.js';
import { avoidAjvFaults } from './ajv-faults.js';
import { closeSchema } from './close.js';
import { compile, dialectOf, type Check } from './dialects.js';
import { explain, type Explained } from './explain.js';
import { isPlainSchema } from './plain-schema.js';
import { SchemaMemory } from './schema-memory.js';
import { findSchemaFault } from './schema-fault.js';
import { counterparts, own } from './walk.js';

/** Whether a value fits; what is wrong with it when it does not. */
export type Validator<T> = (value: T) => readonly ArgumentFault[] | undefined;

/** Arguments with more values in them than this are told their first fault only. */
const MAX_VALUES_EXPLAINED = 5_000;

const inputFaults = new SchemaMemory((schema) => findSchemaFault(schema, 'input'));
const outputFaults = new SchemaMemory((schema) => findSchemaFault(schema, 'output'));
const inputValidators = new SchemaMemory((schema) => newValidator({ schema: closeSchema(schema), noun: 'argument' }));
const outputValidators = new SchemaMemory((schema) =>
  newValidator({ schema: avoidAjvFaults(schema), noun: 'property' }),
);

/** Validators of the schemas that are enforced in place of the one that is published. */
const enforced = new WeakMap<JsonSchema, () => Validator<unknown>>();

/**
 * Why a schema cannot be used, as a sentence with the way out; `undefined` when it can. It must be plain JSON in 2020-12
 * or draft-07, valid by its meta-schema, at most 64 schemas deep and 5,000 large, with every `$ref` inside itself; for an
 * input its root is an object.
 */
export function schemaFault(schema: unknown, kind: 'input' | 'output'): string | undefined {
  if (typeof schema !== 'object' || schema === null) return findSchemaFault(schema, kind);
  if (isPlainSchema(schema) && (kind === 'output' || own(schema as JsonSchema, 'type') === 'object')) return undefined;
  return (kind === 'input' ? inputFaults : outputFaults).of(schema as JsonSchema);
}

/**
 * Checks a call's arguments against a schema in which `schemaFault()` finds no fault. Arguments that it does not declare
 * are faults, unless it says `additionalProperties` itself.
 */
export function argumentsValidator(schema: JsonSchema): Validator<Record<string, unknown>> {
  return enforced.get(schema)?.() ?? inputValidators.of(schema);
}

/** Checks a tool's value, as JSON will carry it, against its output schema. */
export function outputValidator(schema: JsonSchema): Validator<unknown> {
  return outputValidators.of(schema);
}

/** Schemas of the same structure as a published one. */
export interface Enforcement {
  /** What a source's own parser relies on. */
  readonly structure: JsonSchema;
  /** What that parser is certain to refuse besides. */
  readonly certain: JsonSchema;
}

/**
 * Lets arguments be checked by their structure alone where `published` tells clients more: for a source whose own parser
 * checks the rest, in its own words. Arguments that fail hear of the rest at once: the parser will not see them, and a
 * fault that it alone knows would come to light one call later.
 */
export function enforceInstead(published: JsonSchema, { structure, certain }: Enforcement): void {
  let made: Validator<unknown> | undefined;
  const spoken = (schema: JsonSchema): Validator<unknown> => {
    const closed = closeSchema(schema);
    const phrases = counterparts(closed, closeSchema(published));
    return newValidator({ schema: closed, phrases, noun: 'argument' });
  };
  const make = (): Validator<unknown> => {
    const check = spoken(structure);
    let rest: Validator<unknown> | undefined;
    return (args) => {
      const faults = check(args);
      if (faults === undefined) return undefined;
      const paths = new Set(faults.map(({ path }) => path));
      const more = (rest ??= spoken(certain))(args) ?? [];
      return [...faults, ...more.filter(({ path }) => !paths.has(path))];
    };
  };
  enforced.set(published, () => (made ??= make()));
}

function newValidator(subject: Omit<Explained, 'value'>): Validator<unknown> {
  const { schema } = subject;
  const dialect = dialectOf(schema) ?? '2020-12';
  const check = compile(schema, dialect, false);
  let thorough: Check | undefined;
  const faultsIn = (value: unknown): readonly ArgumentFault[] => {
    let errors: readonly ErrorObject[] = check.errors ?? [];
    if (countValues(value, MAX_VALUES_EXPLAINED) <= MAX_VALUES_EXPLAINED) {
      thorough ??= compile(schema, dialect, true);
      if (!thorough(value)) errors = thorough.errors ?? errors;
      thorough.errors = null;
    }
    check.errors = null; // they hold the value
    return explain(errors, { ...subject, value });
  };
  return (value) => {
    try {
      return check(value) ? undefined : faultsIn(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [{ path: '', expected: 'must be nested less deeply, or be shorter: they could not be checked' }];
    }
  };
}

/** How many values a value holds; stops a little past `enough`. */
function countValues(value: unknown, enough: number): number {
  const open = [value];
  let count = 0;
  while (open.length > 0 && count <= enough) {
    count++;
    const item = open.pop();
    if (typeof item !== 'object' || item === null) continue;
    const inner = Object.values(item);
    if (inner.length > enough) return enough + 1;
    open.push(...inner);
  }
  return count;
}
