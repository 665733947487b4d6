/**
 * Which alternative of an `anyOf` or `oneOf` the sender meant. ajv reports what is wrong with every one of them, and an
 * agent that reads all of it learns nothing.
 */
import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../tool.js';
import { isScalar } from './describe.js';
import { isObject, isSubschema, referred, subschemas, type Subschema } from './walk.js';

/** A failed union and, for each alternative, what was wrong with it. */
export interface UnionFault {
  readonly error: ErrorObject;
  readonly branches: readonly (readonly ErrorObject[])[];
}

/** The errors with those that belong to a union gathered under it. */
export function groupUnions(errors: readonly ErrorObject[], root: JsonSchema): readonly (ErrorObject | UnionFault)[] {
  const items: (ErrorObject | UnionFault)[] = [];
  // ajv puts a union's own error after those of its alternatives.
  for (let end = errors.length - 1; end >= 0; end--) {
    const error = errors[end]!;
    const alternatives = alternativesOf(error);
    const reaches = alternatives && reachesOf(alternatives, root);
    if (reaches === undefined) {
      items.push(error);
      continue;
    }
    const branches: ErrorObject[][] = reaches.map(() => []);
    while (end > 0) {
      const inner = errors[end - 1]!;
      const branch = reaches.findIndex((reach) => reach.has(inner.parentSchema));
      if (branch < 0 || !inner.instancePath.startsWith(error.instancePath)) break;
      branches[branch]!.push(inner);
      end--;
    }
    const isUnion = error.keyword !== 'contains'; // what is wrong with each single item helps nobody
    items.push(isUnion ? { error, branches: branches.map((inner) => inner.toReversed()) } : error);
  }
  return items.toReversed();
}

/** The schemas of which one at least should have fitted; `undefined` when the error is of another kind. */
function alternativesOf({ keyword, params, schema, parentSchema }: ErrorObject): Subschema[] | undefined {
  if (keyword === 'contains') return [parentSchema?.['contains'] as Subschema];
  const isFailedUnion = (keyword === 'anyOf' || keyword === 'oneOf') && !params['passingSchemas'];
  return isFailedUnion && Array.isArray(schema) ? (schema as Subschema[]) : undefined;
}

const reachCache = new WeakMap<object, readonly ReadonlySet<unknown>[]>();

/** For each alternative, every schema that can report on its behalf. */
function reachesOf(alternatives: readonly Subschema[], root: JsonSchema): readonly ReadonlySet<unknown>[] {
  const key = alternatives.length === 1 && isObject(alternatives[0]) ? alternatives[0] : alternatives;
  let reaches = reachCache.get(key);
  if (reaches === undefined) {
    reaches = alternatives.map((alternative) => {
      const reach = new Set<Subschema>([alternative]);
      for (const schema of reach) {
        if (!isObject(schema)) continue;
        const target = referred(schema, root);
        if (isSubschema(target)) reach.add(target);
        for (const [, inner] of subschemas(schema)) reach.add(inner);
      }
      return reach;
    });
    reachCache.set(key, reaches);
  }
  return reaches;
}

/** The errors of the alternative that was meant; `undefined` when none stands out. */
export function chooseBranch({ error, branches }: UnionFault): readonly ErrorObject[] | undefined {
  if (isScalar(error.data)) return undefined;
  const meant = branches.filter((errors) => errors.length > 0 && !errors.some((inner) => isOtherKind(inner, error)));
  // A property like `kind` tells alternatives apart: the one whose value fits was meant.
  const marked = meant.filter((errors) => !errors.some((inner) => isMark(inner, error)));
  if (marked.length === 0 && meant.length > 1) return sharedMark(meant, error);
  const candidates = marked.length > 0 ? marked : meant;
  const fewest = Math.min(...candidates.map((errors) => errors.length));
  const best = candidates.filter((errors) => errors.length === fewest);
  return best.length === 1 ? best[0] : undefined;
}

/** The value is not even of the alternative's type. */
function isOtherKind(inner: ErrorObject, union: ErrorObject): boolean {
  return inner.keyword === 'type' && inner.instancePath === union.instancePath;
}

/** A direct property has a value that belongs to another alternative. */
function isMark(inner: ErrorObject, union: ErrorObject): boolean {
  const rest = inner.instancePath.slice(union.instancePath.length);
  return (inner.keyword === 'const' || inner.keyword === 'enum') && rest.lastIndexOf('/') === 0;
}

/** When all alternatives refuse one and the same property's value: that, with the values of all. */
function sharedMark(meant: readonly (readonly ErrorObject[])[], union: ErrorObject): ErrorObject[] | undefined {
  const marks = meant.map((errors) => errors.find((inner) => isMark(inner, union))!);
  const [first] = marks;
  if (first === undefined || marks.some((mark) => mark.instancePath !== first.instancePath)) return undefined;
  const values = marks.flatMap(({ keyword, schema }) => (keyword === 'enum' ? (schema as unknown[]) : [schema]));
  return [{ ...first, keyword: 'enum', parentSchema: { enum: [...new Set(values)] } }];
}
