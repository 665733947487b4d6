/**
 * Declarations, checked: a bad one is discarded with its reason and never interpreted (T4).
 */
import { fieldFault, nameFault } from './declaration-checks.js';
import { takeDeclarations, type McpToolFault } from './declarations.js';
import { McpDeclaredTool, type McpToolReading } from './declared-tool.js';
import { readHeaderParameters } from './header-parameters.js';
import { schemaFault } from './schemas/json-schema.js';
import { describeStandardSchema, isStandardSchema } from './schemas/standard.js';
import type { JsonSchema, McpTool, McpToolEntry } from './tool.js';
import { McpToolIndex } from './tool-index.js';

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
  const { report, builtIn = false, taken: existing } = options;
  const tools = takeDeclarations<McpToolEntry, McpDeclaredTool>(entries, {
    check(entry) {
      const reading = readDeclaration(entry.tool, builtIn || entry.own === true);
      return typeof reading === 'string' ? reading : new McpDeclaredTool(entry, reading);
    },
    named: ({ tool }) => (typeof tool?.name === 'string' ? { name: tool.name } : {}),
    taken: ({ origin }) => `the name is taken by ${origin}, which keeps it: choose another.`,
    ...(existing && { existing: (name: string) => existing.get(name) }),
    report,
  });
  return new McpToolIndex(tools);
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
