/**
 * Whether every `$ref` of a schema leads somewhere inside it. Nothing is ever fetched.
 */
import type { JsonSchema } from '../tool.js';
import { cut } from './paths.js';
import { at, inPlace, isPointer, isSubschema, own, subschemas, type Subschema } from './walk.js';

/** The steps that only the dialect can do. */
export interface ReferenceTools {
  metaFault(schema: JsonSchema): string | undefined;
  /** Throws when a reference by `$id` or anchor leads nowhere. */
  compile(): unknown;
}

const NAMING = ['$anchor', '$dynamicAnchor', '$dynamicRef'];

/** The first reference that leads nowhere, or round in a circle; with the way out. */
export function findReferenceFault(root: JsonSchema, tools: ReferenceTools): string | undefined {
  const seen = new Set<Subschema>();
  const queue: JsonSchema[] = [root];
  let named = false; // by $id or anchor: resolving those is left to ajv
  for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    const ref = own(schema, '$ref');
    named ||= NAMING.some((keyword) => own(schema, keyword) !== undefined);
    named ||= (schema !== root && own(schema, '$id') !== undefined) || (typeof ref === 'string' && !isPointer(ref));
    if (typeof ref === 'string' && isPointer(ref) && !named) {
      const target = at(root, ref);
      if (!isSubschema(target)) return dangling(ref);
      if (typeof target === 'object' && !seen.has(target)) {
        const fault = tools.metaFault(target); // it may stand where the meta-schema sees no schema
        if (fault !== undefined) return fault;
        queue.push(target);
      }
    }
    for (const [, subschema] of subschemas(schema)) if (typeof subschema === 'object') queue.push(subschema);
  }
  return named ? compileFault(tools) : circleFault(root, seen);
}

function dangling(ref: string): string {
  return `its $ref ${cut(JSON.stringify(ref), 120)} leads nowhere inside the schema (nothing is fetched): put what it means under $defs.`;
}

function compileFault(tools: ReferenceTools): string | undefined {
  try {
    tools.compile();
    return undefined;
  } catch (error) {
    const { missingRef, message } = error as { missingRef?: string; message?: string };
    return missingRef === undefined ? `it does not compile: ${cut(String(message), 200)}.` : dangling(missingRef);
  }
}

/** A reference that comes back to itself without going down into the value would be followed forever. */
function circleFault(root: JsonSchema, schemas: ReadonlySet<Subschema>): string | undefined {
  const open = new Set<Subschema>();
  const done = new Set<Subschema>();
  const circles = (schema: Subschema): boolean => {
    if (typeof schema === 'boolean' || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    for (const inner of inPlace(schema, root)) if (circles(inner)) return true;
    open.delete(schema);
    done.add(schema);
    return false;
  };
  for (const schema of schemas) {
    if (circles(schema))
      return 'a $ref comes back to itself without going down into the value: no value could be checked.';
  }
  return undefined;
}
