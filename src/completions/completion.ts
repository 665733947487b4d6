/**
 * A completion is a plain object: what a client may propose while its user fills in one argument of a prompt or one
 * variable of a resource template.
 */
import type { McpCaller } from '../caller.js';
import type { McpRun } from '../runs/run.js';
import type { McpReservation, McpVisibilityQuestion } from '../tools/visibility.js';

/** What is completed. */
export type McpCompletionTarget =
  | { readonly prompt: string; readonly argument: string }
  | {
      /** The template's text. */
      readonly template: string;
      readonly variable: string;
    };

/** What is known while a value is filled in. */
export interface McpCompletionContext {
  /** The other arguments, as far as they are filled in. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** Proposes values. */
export type McpCompletion = McpCompletionTarget &
  McpReservation & {
    /**
     * Gives the values that fit what is typed so far, the best first: a list of strings, or `{ values, total }` where there
     * are more than were looked up. Clients are sent 100 at most.
     */
    complete(value: string, context: McpCompletionContext, caller: McpCaller, run: McpRun): unknown;
  };

/** The question that an entry's own rule answers. */
export interface McpCompletionAdmission extends McpVisibilityQuestion {
  readonly completion: McpCompletion;
}

/** A completion, where it was declared, and the rule that its place of declaration adds. */
export interface McpCompletionEntry {
  readonly completion: McpCompletion;
  /** For the log: `Catalogue.skus`, `settings.completions[2]`. */
  readonly origin: string;
  /** Decides whether it exists for this caller. `false`, or an exception, withholds it. */
  admits?(admission: McpCompletionAdmission): boolean | Promise<boolean>;
}
