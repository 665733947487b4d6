/**
 * ajv's errors, put into words for an agent: one line for each faulty path, with what was expected and what was given.
 */
import type { ErrorObject } from 'ajv';
import type { ArgumentFault } from '../failure.js';
import type { JsonSchema } from '../tool.js';
import { given, inBrackets, phraseOf } from './describe.js';
import { below, cut, pathOfPointer, quoted } from './paths.js';
import { chooseBranch, groupUnions, type UnionFault } from './unions.js';
import { isUnknownName, unknownNames } from './unknown-names.js';
import { isObject, own, type Subschema } from './walk.js';

/** More faults than are ever shown; what lies beyond is not put into words. */
const ENOUGH = 200;

/** What is being explained. */
export interface Explained {
  /** The schema that refused. */
  readonly schema: JsonSchema;
  /** The value that it refused. */
  readonly value: unknown;
  /** `argument`, at the root of a tool's input. */
  readonly noun: 'argument' | 'property';
  /** For schemas inside `schema`, others that say more of what is expected. */
  readonly phrases?: ReadonlyMap<unknown, JsonSchema>;
}

/** One fault for each path and reason; never empty. */
export function explain(errors: readonly ErrorObject[], subject: Explained): readonly ArgumentFault[] {
  const faults = new Map<string, ArgumentFault>();
  const here = groupByPath(errors);
  for (const item of groupUnions(errors, subject.schema)) {
    for (const fault of 'branches' in item ? explainUnion(item, subject) : explainError(item, here, subject)) {
      faults.set(`${fault.path}\n${fault.expected}`, fault);
    }
    if (faults.size >= ENOUGH) break;
  }
  return faults.size > 0 ? [...faults.values()] : [{ path: '', expected: 'does not fit the schema' }];
}

/** Reports the branch that was meant, when that can be told; else what all of them expect. */
function explainUnion(union: UnionFault, subject: Explained): readonly ArgumentFault[] {
  const { error } = union;
  const chosen = chooseBranch(union);
  if (chosen !== undefined) return explain(chosen, subject);
  const phrase = phraseOf(error.parentSchema, subject.schema);
  const whole = phrase.startsWith('an object') ? phraseOf({ anyOf: error.schema }, subject.schema) : phrase;
  return [{ path: pathOfPointer(error.instancePath, subject.value), expected: `must be ${whole}${given(error.data)}` }];
}

type Explainer = (error: ErrorObject, subject: Explained, path: string) => ArgumentFault | undefined;

type ErrorsByPath = Map<string, ErrorObject[]>;

function groupByPath(errors: readonly ErrorObject[]): ErrorsByPath {
  const groups: ErrorsByPath = new Map();
  for (const error of errors) {
    const group = groups.get(error.instancePath);
    if (group === undefined) groups.set(error.instancePath, [error]);
    else group.push(error);
  }
  return groups;
}

function explainError(error: ErrorObject, here: ErrorsByPath, subject: Explained): ArgumentFault[] {
  if (error.propertyName !== undefined && error.keyword !== 'propertyNames') return []; // said by propertyNames
  const path = pathOfPointer(error.instancePath, subject.value);
  if (isUnknownName(error)) {
    const siblings = here.get(error.instancePath) ?? [];
    return siblings.find(isUnknownName) === error ? unknownNames(siblings, subject, path) : []; // said by the first
  }
  const fault = (EXPLAINERS[error.keyword] ?? expectation)(error, subject, path);
  return fault === undefined ? [] : [fault];
}

/** A scalar that does not fit: what its schema expects as a whole, once, however many of its keywords fail. */
const expectation: Explainer = ({ parentSchema, data }, { schema, phrases }, path) => ({
  path,
  expected: `must be ${phraseOf(phrases?.get(parentSchema) ?? parentSchema, schema)}${given(data)}`,
});

const EXPLAINERS: Readonly<Record<string, Explainer>> = {
  required: ({ params, parentSchema }, { schema, phrases }, path) => {
    const properties = own(phrases?.get(parentSchema) ?? parentSchema ?? {}, 'properties');
    const missing = String(params['missingProperty']);
    const property = isObject(properties) ? (own(properties, missing) as Subschema | undefined) : undefined;
    return { path: below(path, missing), expected: `is required${inBrackets(phraseOf(property, schema))}` };
  },
  dependentRequired: needs,
  dependencies: needs,
  pattern: ({ params, parentSchema, data }, { schema }, path) => {
    const pattern = cut(String(params['pattern']), 200);
    const phrase = phraseOf(parentSchema, schema);
    const rest = phrase === `a string that matches ${pattern}` ? `must match ${pattern}` : `must be ${phrase}`;
    return { path, expected: rest + given(data) };
  },
  propertyNames: ({ params, schema: names }, { schema }, path) => ({
    path,
    expected: `has a property ${quoted(String(params['propertyName']))} whose name must be ${phraseOf(names as Subschema, schema)}`,
  }),
  oneOf: (_error, _subject, path) => ({ path, expected: 'must fit one of the alternatives only, and fits several' }),
  not: ({ schema: refused, data }, { schema }, path) => ({
    path,
    expected: `must not be ${phraseOf(refused as Subschema, schema)}${given(data)}`,
  }),
  uniqueItems: (_error, _subject, path) => ({ path, expected: 'must not hold the same item twice' }),
  contains: ({ schema: wanted, parentSchema }, { schema }, path) => ({
    path,
    expected: `must hold ${Number(own(parentSchema as JsonSchema, 'minContains') ?? 1)} or more of: ${phraseOf(wanted as Subschema, schema)}`,
  }),
  minProperties: ({ params }, _subject, path) => ({
    path,
    expected: `must have at least ${params['limit']} properties`,
  }),
  maxProperties: ({ params }, _subject, path) => ({
    path,
    expected: `must have at most ${params['limit']} properties`,
  }),
  additionalItems: tooMany,
  unevaluatedItems: tooMany,
  items: tooMany,
  if: () => undefined, // its then or else says what is wrong
  'false schema': (_error, _subject, path) => ({ path, expected: 'is not accepted here' }),
};

function needs({ params }: ErrorObject, _subject: Explained, path: string): ArgumentFault {
  const [missing, property] = [String(params['missingProperty']), String(params['property'])];
  return { path: below(path, missing), expected: `is required when ${quoted(property)} is given` };
}

function tooMany({ params }: ErrorObject, _subject: Explained, path: string): ArgumentFault {
  return { path, expected: `must have at most ${String(params['limit'] ?? params['len'])} items` };
}
