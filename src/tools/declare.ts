/**
 * Declarations, checked: a bad one is discarded with its reason and never interpreted (T4).
 */
import { McpDeclaredTool, type McpToolReading } from './declared-tool.js';
import { readHeaderParameters } from './header-parameters.js';
import { schemaFault } from './schemas/json-schema.js';
import { describeStandardSchema, isStandardSchema } from './schemas/standard.js';
import { isScopeList } from './scopes.js';
import { thrownMessage } from './thrown.js';
import type { JsonSchema, McpTool, McpToolEntry } from './tool.js';

/** The prefix of this package's own tools. */
const MCP_RESERVED_PREFIX = 'nest_';

/** Why a declaration was discarded. */
export interface McpToolFault {
  /** Where it stands: class and method, or the place in a list. */
  readonly origin: string;
  readonly name?: string;
  /** What is wrong and the way out. */
  readonly reason: string;
}

/** A list of tools that was written down by hand holds a bad declaration. */
export class McpDeclarationError extends Error {
  override readonly name = 'McpDeclarationError';

  constructor(readonly fault: McpToolFault) {
    super(`${fault.origin}${fault.name === undefined ? '' : ` (tool "${fault.name}")`}: ${fault.reason}`);
  }
}

/** How declarations are taken. */
export interface McpDeclareOptions {
  /** Hears of each fault. Absent: the first fault is thrown as McpDeclarationError. */
  readonly report?: (fault: McpToolFault) => void;
  /** The tools are this package's own and may use its prefix. */
  readonly builtIn?: boolean;
  /** Tools that exist already and keep their names. */
  readonly taken?: McpToolIndex;
}

/** Checked tools, in the order of their declaration and by name. */
export class McpToolIndex {
  static readonly EMPTY = new McpToolIndex([]);
  private readonly byName: ReadonlyMap<string, McpDeclaredTool>;

  constructor(readonly entries: readonly McpDeclaredTool[]) {
    this.byName = new Map(entries.map((entry) => [entry.tool.name, entry]));
  }

  get(name: string): McpDeclaredTool | undefined {
    return this.byName.get(name);
  }

  /** One index of several; of two tools with one name the earlier index's stays. */
  static join(...indexes: readonly McpToolIndex[]): McpToolIndex {
    const entries = new Map<string, McpDeclaredTool>();
    for (const index of indexes) {
      for (const entry of index.entries) if (!entries.has(entry.tool.name)) entries.set(entry.tool.name, entry);
    }
    return new McpToolIndex([...entries.values()]);
  }
}

/**
 * Takes the declarations that pass every check; of two with one name the first stays.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function declareMcpTools(entries: readonly McpToolEntry[], options: McpDeclareOptions = {}): McpToolIndex {
  const { report, builtIn = false, taken } = options;
  const accepted = new Map<string, McpDeclaredTool>();
  for (const entry of entries) {
    const { name, outcome } = readEntry(entry, builtIn);
    const earlier = name === undefined ? undefined : (taken?.get(name) ?? accepted.get(name));
    const reason =
      typeof outcome === 'string'
        ? outcome
        : earlier && `the name is taken by ${earlier.origin}, which keeps it: choose another.`;
    if (reason === undefined) accepted.set(name!, new McpDeclaredTool(entry, outcome as McpToolReading));
    else {
      const fault = { origin: entry.origin, ...(name !== undefined && { name }), reason };
      if (report === undefined) throw new McpDeclarationError(fault);
      report(fault);
    }
  }
  return new McpToolIndex([...accepted.values()]);
}

/** A declaration may be an object of anybody's making: one that throws when it is read takes nothing from the others. */
function readEntry({ tool }: McpToolEntry, builtIn: boolean): { name?: string; outcome: McpToolReading | string } {
  try {
    const outcome = readDeclaration(tool, builtIn);
    return { ...(typeof tool?.name === 'string' && { name: tool.name }), outcome };
  } catch (error) {
    return { outcome: `it cannot be read, something in it threw: ${thrownMessage(error)}` };
  }
}

/** What a sound declaration says, or the reason why it is not one. */
function readDeclaration(tool: McpTool, builtIn: boolean): McpToolReading | string {
  if (typeof tool !== 'object' || tool === null)
    return 'a tool is an object with name, description, inputSchema, handler.';
  const reason = nameFault(tool.name, builtIn) ?? fieldFault(tool);
  if (reason !== undefined) return reason;
  const input = readSchema(tool.inputSchema, 'input');
  if ('fault' in input) return `inputSchema: ${input.fault}`;
  const mirrored = readHeaderParameters(input.schema);
  if ('fault' in mirrored) return `inputSchema: ${mirrored.fault}`;
  const reading = { inputSchema: input.schema, headerParameters: mirrored.parameters };
  if (tool.outputSchema === undefined) return reading;
  const output = readSchema(tool.outputSchema, 'output');
  return 'fault' in output ? `outputSchema: ${output.fault}` : { ...reading, outputSchema: output.schema };
}

function readSchema(schema: unknown, kind: 'input' | 'output'): { schema: JsonSchema } | { fault: string } {
  if (isStandardSchema(schema)) return describeStandardSchema(schema, kind);
  const fault = schemaFault(schema, kind);
  return fault === undefined ? { schema: schema as JsonSchema } : { fault };
}

function nameFault(name: unknown, builtIn: boolean): string | undefined {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    return 'its name must be 1 to 64 letters, digits, "_" or "-": the set that every model vendor accepts.';
  }
  if (!builtIn && name.startsWith(MCP_RESERVED_PREFIX)) {
    return `the prefix "${MCP_RESERVED_PREFIX}" is kept for this package's own tools: choose another name.`;
  }
  return undefined;
}

/** Checks of single fields: the first that fails is the reason. */
const FIELD_CHECKS: readonly (readonly [(tool: McpTool) => boolean, string])[] = [
  [(tool) => typeof tool.handler !== 'function', 'it has no handler: give it a function.'],
  [
    (tool) => typeof tool.description !== 'string' || tool.description.trim() === '',
    'its description is missing or empty: say what it does and when to use it, an agent has nothing else.',
  ],
  [(tool) => !optional(tool.title, 'string'), 'its title must be a string.'],
  [(tool) => tool.scopes !== undefined && !isScopeList(tool.scopes), 'its scopes must be an array of strings.'],
  [(tool) => !optional(tool.requiresAuth, 'boolean'), 'requiresAuth must be true or false.'],
  [
    (tool) => tool.scopesFor !== undefined && typeof tool.scopesFor !== 'function',
    'scopesFor must be a function that returns an array of strings.',
  ],
  [(tool) => !optional(tool.actsForUser, 'boolean'), 'actsForUser must be true or false.'],
  [
    (tool) => tool.actsForUser === true && (tool.scopes ?? []).length === 0,
    'it acts for a user without scopes: say in scopes what a token must grant for that.',
  ],
  [
    (tool) => tool.icons !== undefined && !(Array.isArray(tool.icons) && isSendable(tool.icons)),
    'its icons must be an array that JSON can carry.',
  ],
  [
    (tool) => !optional(tool._meta, 'object') || !isSendable(tool._meta),
    '_meta must be an object that JSON can carry: no BigInt, and nothing that holds itself.',
  ],
  [
    (tool) => !soundAnnotations(tool.annotations),
    'its annotations must be an object: hints true or false, a title text.',
  ],
];

function fieldFault(tool: McpTool): string | undefined {
  return FIELD_CHECKS.find(([fails]) => fails(tool))?.[1];
}

/** One that is not would take the whole list of tools with it. */
function isSendable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function optional(value: unknown, type: 'string' | 'boolean' | 'object'): boolean {
  return value === undefined || (typeof value === type && value !== null && !Array.isArray(value));
}

function soundAnnotations(annotations: unknown): boolean {
  if (annotations === undefined) return true;
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) return false;
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations as Record<
    string,
    unknown
  >;
  const hints = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
  return optional(title, 'string') && hints.every((hint) => optional(hint, 'boolean'));
}
