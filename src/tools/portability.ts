/**
 * Whether clients and model vendors in use can handle a tool. All of it is allowed by the specification, and each of it is
 * mishandled by somebody: a request is refused as a whole, a tool vanishes, an argument loses its shape.
 */
import { SCHEMA_FACTS, type SchemaFact } from './portability.facts.js';
import { schemaFault } from './schemas/json-schema.js';
import { describeStandardSchema, isStandardSchema } from './schemas/standard.js';
import { subschemas } from './schemas/walk.js';
import type { JsonSchema, McpTool } from './tool.js';

/** The part of a tool that the check looks at; a published tool will do as well. */
export type McpPortableTool = Pick<McpTool, 'name' | 'description' | 'inputSchema' | 'outputSchema'>;

/** What a tool meets outside of its own declaration. */
export interface McpPortabilityOptions {
  /** What clients call the server that the tool is of; most put it before the tool's name. @default any 15 characters */
  readonly server?: string;
}

/**
 * What some client or vendor mishandles about a tool, each a sentence that names who it is, what happens, and the way out;
 * empty when nothing is known. For tests; nothing is said of it at boot. Knows what was public when this version was
 * released, and does NOT know which clients yours are: a sentence about a client that nobody uses may be left.
 */
export function checkMcpPortability(tool: McpPortableTool, options: McpPortabilityOptions = {}): string[] {
  const faults = [
    ...nameFaults(tool.name, options.server),
    ...descriptionFaults(tool.description),
    ...schemaFaults(tool.inputSchema, 'input'),
    ...(tool.outputSchema === undefined ? [] : schemaFaults(tool.outputSchema, 'output')),
  ];
  return faults.map((fault) => `Tool "${tool.name}": ${fault}`);
}

const ANY_SERVER = 15;
/** Cursor's, the shortest in use: the names of server and tool together. */
const MOST_NAME = 59;

function nameFaults(name: string, server: string | undefined): string[] {
  const faults: string[] = [];
  const length = name.length + (server?.length ?? ANY_SERVER);
  if (length > MOST_NAME) {
    const whose = server === undefined ? `that of a server of ${ANY_SERVER} characters` : `"${server}"`;
    faults.push(
      `its name and ${whose} are ${length} characters together. Cursor leaves a tool out from ${MOST_NAME + 1} on, and ` +
        'vendors refuse names above 64 with what clients put before them: shorten it.',
    );
  }
  if (!/^[a-z_]/i.test(name)) faults.push('Gemini refuses a name that begins with no letter or "_": begin with one.');
  return faults;
}

/** In characters. */
const CUT_DESCRIPTION = 2_048;
const MOST_DESCRIPTION = 1_024;

function descriptionFaults(description: string | undefined): string[] {
  const length = description?.trim().length ?? 0;
  if (length === 0)
    return ['it has no description: a model has nothing else to choose it by. Say what it does and when.'];
  if (length <= MOST_DESCRIPTION) return [];
  const cut = length > CUT_DESCRIPTION ? `, and Claude Code cuts it at ${CUT_DESCRIPTION} without a word` : '';
  return [
    `its description has ${length} characters: Azure OpenAI and other services refuse a request with more than ` +
      `${MOST_DESCRIPTION}${cut}. Shorten it, or move what is for one argument into that argument's description.`,
  ];
}

function schemaFaults(given: McpTool['inputSchema'], kind: 'input' | 'output'): string[] {
  const schema = readable(given, kind);
  if (schema === undefined) return [];
  const places = [...placesOf(schema)];
  return SCHEMA_FACTS.filter(({ of }) => of.includes(kind)).flatMap((fact) => factFaults(fact, places, kind));
}

/** The schema as it is published; `undefined` for one with which a tool is not served at all. */
function readable(schema: McpTool['inputSchema'], kind: 'input' | 'output'): JsonSchema | undefined {
  if (!isStandardSchema(schema)) return schemaFault(schema, kind) === undefined ? schema : undefined;
  const described = describeStandardSchema(schema, kind);
  return 'schema' in described ? described.schema : undefined;
}

/** A schema within a schema, and the way to it in the words of who sends a value: `lines[].sku`. */
interface SchemaPlace {
  readonly schema: JsonSchema;
  /** Empty for the root. */
  readonly path: string;
}

function* placesOf(schema: JsonSchema, path = ''): Generator<SchemaPlace> {
  yield { schema, path };
  for (const [[keyword, key], inner] of subschemas(schema)) {
    if (typeof inner === 'object') yield* placesOf(inner, pathBelow(path, keyword, key));
  }
}

function pathBelow(path: string, keyword: string, key: string | number | undefined): string {
  if (keyword === 'properties') return path === '' ? String(key) : `${path}.${key}`;
  if (keyword === 'items' && key === undefined) return `${path}[]`;
  if (keyword === 'items' || keyword === 'prefixItems') return `${path}[${key}]`;
  if (keyword === '$defs' || keyword === 'definitions') return `${keyword}.${key}`;
  return path; // of the same value, or of what has no name
}

const MOST_PLACES = 3;

function factFaults(
  { what, finds, says }: SchemaFact,
  [root, ...inner]: readonly SchemaPlace[],
  kind: string,
): string[] {
  const found = [
    ...finds(root!.schema, true).map((detail) => detail || 'the root'),
    ...inner.flatMap(({ schema, path }) =>
      finds(schema, false).map((detail) => [path, detail].filter((part) => part !== '').join(': ')),
    ),
  ];
  const distinct = [...new Set(found)];
  if (distinct.length === 0) return [];
  const more = distinct.length - MOST_PLACES;
  const shown = distinct.slice(0, MOST_PLACES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return [`its ${kind} schema has ${what} (${shown}): ${says}`];
}
