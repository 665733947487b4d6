/**
 * The arguments of a tool that a client must mirror in HTTP headers: properties that carry `x-mcp-header`
 * (2026-07-28, tools, `x-mcp-header`). A client drops a tool that has a wrong one, so it is found where its author reads it.
 */
import { isPlainSchema } from './schemas/plain-schema.js';
import { HELD_BY_NAME } from './schemas/walk.js';
import type { JsonSchema } from './tool.js';

/** The keyword, beside the type of the property that it stands on. */
export const MCP_HEADER_KEYWORD = 'x-mcp-header';

/** A property that is mirrored in a header. */
export interface McpHeaderParameter {
  /** The part after `Mcp-Param-`, as declared. */
  readonly header: string;
  /** The chain of `properties` keys that leads to the value. */
  readonly path: readonly string[];
}

/** A field name (RFC 9110, section 5.1). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What comes before the name in any case: with it there, clients would send `Mcp-Param-Mcp-Param-Region`. */
const PREFIX = /^mcp-param-/i;
const TYPES = new Set<unknown>(['string', 'integer', 'boolean']);
/** Keywords that hold values and no schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples', MCP_HEADER_KEYWORD]);

/** The header parameters of an input schema, or the sentence that says why one of them is not allowed. */
export function readHeaderParameters(
  schema: JsonSchema,
): { parameters: readonly McpHeaderParameter[] } | { fault: string } {
  if (isPlainSchema(schema)) return { parameters: [] }; // the keyword is none of everyday
  const reading = new Reading();
  const fault = reading.visit(schema, [], true);
  return fault === undefined ? { parameters: reading.parameters } : { fault };
}

class Reading {
  readonly parameters: McpHeaderParameter[] = [];
  /** Header names in lower case, with the property that has each. */
  private readonly taken = new Map<string, string>();

  /** @param onChain whether nothing but `properties` leads here, so that every client finds the value */
  visit(node: unknown, path: readonly string[], onChain: boolean): string | undefined {
    if (typeof node !== 'object' || node === null) return undefined;
    const schema = node as JsonSchema;
    const fault = Object.hasOwn(schema, MCP_HEADER_KEYWORD) ? this.take(schema, path, onChain) : undefined;
    if (fault !== undefined) return fault;
    for (const [keyword, value] of Object.entries(schema)) {
      if (DATA.has(keyword)) continue;
      const inner = HELD_BY_NAME.includes(keyword)
        ? this.visitNamed(
            value,
            keyword === 'properties' ? path : [...path, keyword],
            onChain && keyword === 'properties',
          )
        : this.visit(value, [...path, keyword], false);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }

  private visitNamed(schemas: unknown, path: readonly string[], onChain: boolean): string | undefined {
    for (const [name, schema] of Object.entries(schemas ?? {})) {
      const fault = this.visit(schema, [...path, name], onChain);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  private take(schema: JsonSchema, path: readonly string[], onChain: boolean): string | undefined {
    const header = schema[MCP_HEADER_KEYWORD];
    const name = path.join('.');
    if (!onChain || path.length === 0) {
      const place = path.length === 0 ? 'at the root' : `at "${name}"`;
      return `${MCP_HEADER_KEYWORD} stands ${place}, where no header can reach it: put it on a property that only "properties" lead to.`;
    }
    if (typeof header !== 'string' || !TOKEN.test(header)) {
      return `${MCP_HEADER_KEYWORD} of "${name}" is not the name of a header: use letters, digits and hyphens.`;
    }
    if (PREFIX.test(header)) {
      return `${MCP_HEADER_KEYWORD} of "${name}" says "${header}", but the header gets its "Mcp-Param-" by itself: say ${wayOut(header)}.`;
    }
    if (!TYPES.has(schema['type'])) {
      return `${MCP_HEADER_KEYWORD} stands on "${name}", which is not of type string, integer or boolean: only these fit a header (and what may be null is left out instead).`;
    }
    if (holdsUnsafeInteger(schema)) {
      return `${MCP_HEADER_KEYWORD} stands on "${name}", which takes integers beyond 2^53 - 1: no header mirrors them exactly, make it a string.`;
    }
    const other = this.taken.get(header.toLowerCase());
    if (other !== undefined) {
      return `${MCP_HEADER_KEYWORD} "${header}" of "${name}" is used twice, also by "${other}" (case does not count): each header mirrors one argument.`;
    }
    this.taken.set(header.toLowerCase(), name);
    this.parameters.push({ header, path });
    return undefined;
  }
}

function wayOut(header: string): string {
  const rest = header.replace(PREFIX, '');
  return rest === '' ? 'what comes behind it' : `"${rest}"`;
}

/** Whether a schema lists integers that two clients may read differently. */
function holdsUnsafeInteger({ const: only, enum: values }: JsonSchema): boolean {
  return [only, ...(Array.isArray(values) ? values : [])].some(
    (value) => Number.isInteger(value) && !Number.isSafeInteger(value),
  );
}
