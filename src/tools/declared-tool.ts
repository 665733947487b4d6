/**
 * A tool whose declaration was checked: its schemas are read once, and compiled when they are first needed.
 */
import { isStandardSchema, parseStandard } from './schemas/standard.js';
import { argumentsValidator, outputValidator } from './schemas/json-schema.js';
import { McpArgumentFault, type ArgumentFault } from './failure.js';
import type { McpHeaderParameter } from './header-parameters.js';
import { publishTool, type McpPublishedTool } from './publish.js';
import type { JsonSchema, McpTool, McpToolEntry } from './tool.js';
import type { McpReservation, McpVisible, McpVisibilityQuestion } from './visibility.js';

/** What the check of a declaration found out on the way. */
export interface McpToolReading {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly headerParameters: readonly McpHeaderParameter[];
}

/** A checked entry. */
export class McpDeclaredTool implements McpToolEntry, McpVisible {
  readonly kind = 'tool';
  readonly name: string;
  readonly reservation: McpReservation;
  readonly tool: McpTool;
  readonly origin: string;
  readonly headerParameters: readonly McpHeaderParameter[];
  readonly outputSchema?: JsonSchema;
  readonly admits?: (question: McpVisibilityQuestion) => boolean | Promise<boolean>;
  private readonly inputSchema: JsonSchema;
  private refuse?: (args: Record<string, unknown>) => readonly ArgumentFault[] | undefined;
  private projection?: McpPublishedTool;

  constructor(entry: McpToolEntry, reading: McpToolReading) {
    this.tool = this.reservation = entry.tool;
    this.name = entry.tool.name;
    this.origin = entry.origin;
    this.inputSchema = reading.inputSchema;
    this.outputSchema = reading.outputSchema;
    this.headerParameters = reading.headerParameters;
    if (entry.admits !== undefined) {
      this.admits = ({ caller, request, args }) => entry.admits!({ tool: entry.tool, caller, request, args });
    }
  }

  /** What a client may know of the tool. */
  get published(): McpPublishedTool {
    return (this.projection ??= publishTool(this.tool, this.inputSchema, this.outputSchema));
  }

  /**
   * The arguments, checked: what the handler may rely on.
   *
   * @throws McpArgumentFault that names every fault (T6, T7).
   */
  checkArguments(args: Record<string, unknown>): Record<string, unknown> | Promise<Record<string, unknown>> {
    const faults = (this.refuse ??= argumentsValidator(this.inputSchema))(args);
    if (faults !== undefined) throw new McpArgumentFault(faults);
    const { inputSchema } = this.tool;
    if (!isStandardSchema(inputSchema)) return args;
    return parseStandard(inputSchema, args) as Promise<Record<string, unknown>>;
  }

  /** What is wrong with a result's structured content; `undefined` when nothing is. */
  checkOutput(value: unknown): readonly ArgumentFault[] | undefined {
    return this.outputSchema && outputValidator(this.outputSchema)(value);
  }
}
