/**
 * Declarations, checked: a bad one is discarded with its reason and never interpreted (T4).
 */
import { fieldFault, nameFault } from './declaration-checks.js';
import { McpDeclaredTool, type McpToolReading } from './declared-tool.js';
import { readHeaderParameters } from './header-parameters.js';
import { schemaFault } from './schemas/json-schema.js';
import { describeStandardSchema, isStandardSchema } from './schemas/standard.js';
import { thrownMessage } from './thrown.js';
import type { JsonSchema, McpTool, McpToolEntry } from './tool.js';
import { McpToolIndex } from './tool-index.js';
import type { McpVisibleKind } from './visibility.js';

/** Why a declaration was discarded. */
export interface McpToolFault {
  /** Where it stands: class and method, or the place in a list. */
  readonly origin: string;
  readonly name?: string;
  /** What was declared. @default 'tool' */
  readonly kind?: McpVisibleKind;
  /** What is wrong and the way out. */
  readonly reason: string;
}

/** A list of tools that was written down by hand holds a bad declaration. */
export class McpDeclarationError extends Error {
  override readonly name = 'McpDeclarationError';

  constructor(readonly fault: McpToolFault) {
    super(
      `${fault.origin}${fault.name === undefined ? '' : ` (${fault.kind ?? 'tool'} "${fault.name}")`}: ${fault.reason}`,
    );
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

/** A schema as JSON Schema, or what is wrong with it. */
export function readSchema(schema: unknown, kind: 'input' | 'output'): { schema: JsonSchema } | { fault: string } {
  if (isStandardSchema(schema)) return describeStandardSchema(schema, kind);
  const fault = schemaFault(schema, kind);
  return fault === undefined ? { schema: schema as JsonSchema } : { fault };
}
