/**
 * A prompt whose declaration was checked: its schema is read once, and compiled when it is first needed.
 */
import type { Awaitable } from '../awaitable.js';
import { McpArgumentFault, type ArgumentFault } from '../tools/failure.js';
import { argumentsValidator } from '../tools/schemas/json-schema.js';
import { isStandardSchema, parseStandard } from '../tools/schemas/standard.js';
import type { JsonSchema, McpIcon } from '../tools/tool.js';
import type { McpReservation, McpVisible, McpVisibilityQuestion } from '../tools/visibility.js';
import { promptArguments, readTexts, type McpPromptArgument } from './arguments.js';
import type { McpPrompt, McpPromptEntry } from './prompt.js';

/** A prompt in `prompts/list`, in the newest revision's shape. */
export interface McpPublishedPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly McpPromptArgument[];
  readonly icons?: readonly McpIcon[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A checked prompt. */
export class McpDeclaredPrompt implements McpVisible {
  readonly kind = 'prompt';
  readonly name: string;
  readonly reservation: McpReservation;
  readonly prompt: McpPrompt;
  readonly origin: string;
  readonly admits?: (question: McpVisibilityQuestion) => boolean | Promise<boolean>;
  private refuse?: (args: Record<string, unknown>) => readonly ArgumentFault[] | undefined;
  private projection?: McpPublishedPrompt;

  constructor(
    entry: McpPromptEntry,
    /** The arguments as JSON Schema. */
    readonly schema: JsonSchema,
  ) {
    const { prompt } = entry;
    this.prompt = this.reservation = prompt;
    this.name = prompt.name;
    this.origin = entry.origin;
    if (entry.admits !== undefined) {
      this.admits = ({ caller, request, args }) => entry.admits!({ prompt, caller, request, args });
    }
  }

  /** What a client may know of the prompt: an explicit projection (T11). */
  get published(): McpPublishedPrompt {
    return (this.projection ??= publish(this.prompt, promptArguments(this.schema)));
  }

  /**
   * The arguments, read from a client's texts and checked.
   *
   * @throws McpArgumentFault that names every fault.
   */
  checkArguments(given: Readonly<Record<string, unknown>>): Awaitable<Record<string, unknown>> {
    const args = readTexts(this.schema, given);
    const faults = (this.refuse ??= argumentsValidator(this.schema))(args);
    if (faults !== undefined) throw new McpArgumentFault(faults);
    const { inputSchema } = this.prompt;
    if (inputSchema === undefined || !isStandardSchema(inputSchema)) return args;
    return parseStandard(inputSchema, args) as Promise<Record<string, unknown>>;
  }
}

function publish(prompt: McpPrompt, args: readonly McpPromptArgument[]): McpPublishedPrompt {
  const { name, title, description, icons, _meta } = prompt;
  return Object.freeze({
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(args.length > 0 && { arguments: args }),
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  });
}

const published = new WeakMap<readonly McpDeclaredPrompt[], readonly McpPublishedPrompt[]>();

/** The projections of prompts, in their order: the same array for the same array. */
export function publishMcpPrompts(prompts: readonly McpDeclaredPrompt[]): readonly McpPublishedPrompt[] {
  let list = published.get(prompts);
  if (list === undefined) published.set(prompts, (list = Object.freeze(prompts.map((prompt) => prompt.published))));
  return list;
}
