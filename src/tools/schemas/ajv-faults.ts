/**
 * Ways round two faults of ajv 8, for schemas that are otherwise sound.
 */
import type { JsonSchema } from '../tool.js';
import { COMPOSING, declaredNames, mapSchemas, own } from './walk.js';

const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** An equal schema that ajv understands. */
export function avoidAjvFaults(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const hasPatterns = text.includes('"patternProperties"') && !text.includes('/patternProperties/');
  const isSealed = text.includes('"unevaluatedProperties":false');
  if (!hasPatterns && !isSealed) return schema;
  return mapSchemas(schema, (part) => refuseInheritedNames(hasPatterns ? separatePatterns(part) : part, schema));
}

/** Beside composition, `patternProperties` notes what it evaluated in a variable that is not there yet, and throws. */
function separatePatterns(part: JsonSchema): JsonSchema {
  const { patternProperties, allOf = [], ...rest } = part;
  const isApart = patternProperties === undefined || !Object.keys(part).some((keyword) => COMPOSING.has(keyword));
  return isApart ? part : { ...rest, allOf: [...(allOf as unknown[]), { patternProperties }] };
}

/** `unevaluatedProperties` takes `toString` for evaluated, because the object in which that is noted inherits one. */
function refuseInheritedNames(part: JsonSchema, root: JsonSchema): JsonSchema {
  if (own(part, 'unevaluatedProperties') !== false) return part;
  const declared = declaredNames(part, root);
  const refused = { not: { enum: INHERITED.filter((name) => !declared.has(name)) } };
  const names = own(part, 'propertyNames');
  return { ...part, propertyNames: names === undefined ? refused : { allOf: [names, refused] } };
}

/** Whether a name was refused because every object inherits it. */
export function isInheritedName(name: unknown): boolean {
  return typeof name === 'string' && INHERITED.includes(name);
}
