/**
 * The arguments of a tool that a client must mirror in HTTP headers: properties that carry `x-mcp-header`
 * (2026-07-28, Streamable HTTP, custom headers from tool parameters).
 */
import type { JsonSchema } from './tool.js';

/** A property that is mirrored in a header. */
export interface McpHeaderParameter {
  /** The part after `Mcp-Param-`, as declared. */
  readonly header: string;
  /** The chain of `properties` keys that leads to the value. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

const KEYWORD = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The header parameters of an input schema, or the sentence that says why one of them is not allowed: clients must drop
 * a tool that has a wrong one.
 */
export function readHeaderParameters(
  schema: JsonSchema,
): { parameters: readonly McpHeaderParameter[] } | { fault: string } {
  const parameters: McpHeaderParameter[] = [];
  const fault = collect(schema, [], parameters) ?? firstDuplicate(parameters) ?? misplaced(schema, parameters.length);
  return fault === undefined ? { parameters } : { fault };
}

function collect(schema: JsonSchema, path: readonly string[], into: McpHeaderParameter[]): string | undefined {
  for (const [key, property] of Object.entries(asObject(schema['properties']) ?? {})) {
    const child = asObject(property);
    if (child === undefined) continue;
    const at = [...path, key];
    if (Object.hasOwn(child, KEYWORD)) {
      const header = child[KEYWORD];
      const type = child['type'];
      const name = at.join('.');
      if (typeof header !== 'string' || !TOKEN.test(header)) {
        return `${KEYWORD} of "${name}" is not the name of a header: use letters, digits and hyphens.`;
      }
      if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
        return `${KEYWORD} stands on "${name}", which is not of type string, integer or boolean: only these fit a header.`;
      }
      into.push({ header, path: at, type });
    }
    const fault = collect(child, at, into);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function firstDuplicate(parameters: readonly McpHeaderParameter[]): string | undefined {
  const seen = new Set<string>();
  for (const { header } of parameters) {
    if (seen.has(header.toLowerCase()))
      return `${KEYWORD} "${header}" is used twice: each header mirrors one argument.`;
    seen.add(header.toLowerCase());
  }
  return undefined;
}

/** Anywhere but on a chain of `properties` the keyword is invalid, so every occurrence must have been collected. */
function misplaced(schema: JsonSchema, collected: number): string | undefined {
  return countKeyword(schema) > collected
    ? `${KEYWORD} stands where no header can reach it: put it on a property that only "properties" lead to.`
    : undefined;
}

function countKeyword(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + countKeyword(item), 0);
  const object = asObject(node);
  if (object === undefined) return 0;
  let count = 0;
  for (const [key, value] of Object.entries(object)) {
    if (key === KEYWORD) count += 1;
    else if (key === 'properties')
      for (const child of Object.values(asObject(value) ?? {})) count += countKeyword(child);
    else if (key !== 'const' && key !== 'enum' && key !== 'default' && key !== 'examples') count += countKeyword(value);
  }
  return count;
}

function asObject(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}
