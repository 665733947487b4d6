/**
 * A prompt is a plain object, like a tool: messages that the client's user puts to a model, made for some arguments.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { McpCaller } from '../caller.js';
import type { McpRun } from '../runs/run.js';
import type { McpContentBlock } from '../tools/result.js';
import type { JsonSchema, McpIcon } from '../tools/tool.js';
import type { McpReservation, McpVisibilityQuestion } from '../tools/visibility.js';

/** One message of a prompt. */
export interface McpPromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: McpContentBlock;
}

/** What `prompts/get` gives back. */
export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly McpPromptMessage[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A prompt: what is published of it, who may have it, and its messages. */
export interface McpPrompt<Args = Record<string, unknown>> extends McpReservation {
  /** 1 to 64 of `a-z A-Z 0-9 _ -`. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** What it is for, for people who choose among prompts. */
  readonly description?: string;
  /**
   * The arguments: a JSON Schema whose root is an object, or a Standard Schema. Clients send texts: one for a number, an
   * integer or a boolean is read as such, and none can be an object or an array. @default no arguments
   */
  readonly inputSchema?: JsonSchema | StandardSchemaV1;
  readonly icons?: readonly McpIcon[];
  /** Published as it is. */
  readonly _meta?: Readonly<Record<string, unknown>>;
  /**
   * Gives a string or a content block (what the user says), `{ role, content }`, a list of those, a whole result, or a
   * promise of one.
   */
  handler(args: Args, caller: McpCaller, run: McpRun): unknown;
}

/** The question that an entry's own rule answers. */
export interface McpPromptAdmission extends McpVisibilityQuestion {
  readonly prompt: McpPrompt;
}

/** A prompt, where it was declared, and the rule that its place of declaration adds. */
export interface McpPromptEntry {
  readonly prompt: McpPrompt;
  /** For the log: `OrderPrompts.review`, `settings.prompts[2]`. */
  readonly origin: string;
  /** Decides whether it exists for this caller. `false`, or an exception, withholds it. */
  admits?(admission: McpPromptAdmission): boolean | Promise<boolean>;
}
