/**
 * A tool is a plain object. Everything upstream (decorators, providers, settings) makes one; nothing downstream can tell
 * where it came from.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { McpCaller } from '../caller.js';
import type { McpRun } from '../runs/run.js';
import type { McpReservation, McpVisibilityQuestion } from './visibility.js';

/** A JSON Schema object; 2020-12 unless its `$schema` says draft-07. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Hints for the client's user. Published only when declared, and never an authorization. */
export interface McpAnnotations {
  title?: string;
  /** The tool does not modify anything. The specification assumes `false`. */
  readOnlyHint?: boolean;
  /** A write may destroy or overwrite. Meaningful on tools that write. The specification assumes `true`. */
  destructiveHint?: boolean;
  /** Calling again with the same arguments changes nothing more. Meaningful on tools that write. */
  idempotentHint?: boolean;
  /** The tool reaches things outside the application. The specification assumes `true`. */
  openWorldHint?: boolean;
}

/** An icon that a client may show for a tool. */
export interface McpIcon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** A tool: what is published of it, who may have it, and what it does. */
export interface McpTool<Args = Record<string, unknown>> extends McpReservation {
  /** 1 to 64 of `a-z A-Z 0-9 _ -`: the set that every model vendor accepts. */
  readonly name: string;
  /** A name for people. */
  readonly title?: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** The arguments: a JSON Schema whose root is an object, or a Standard Schema that can describe itself as one. */
  readonly inputSchema: JsonSchema | StandardSchemaV1;
  /** The result. Values are checked against it and sent as `structuredContent`. */
  readonly outputSchema?: JsonSchema | StandardSchemaV1;
  readonly annotations?: McpAnnotations;
  readonly icons?: readonly McpIcon[];
  /** Published as it is. */
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Scopes that a caller needs, ALL of them; without them the tool does not exist for it. */
  readonly scopes?: readonly string[];
  /** Only an authenticated caller has this tool. */
  readonly requiresAuth?: boolean;
  /** Scopes that THIS call needs besides `scopes`. Pure and synchronous; if it fails the call is refused. */
  scopesFor?(args: Args): readonly string[];
  /**
   * Asks the user before each call, by this text or by what the function says of the call's arguments; the tool runs only once
   * they have agreed. A client that cannot ask gets a refusal. What the client says of its user's answer is not proven.
   */
  readonly confirm?: string | ((args: Args) => string | Promise<string>);
  /** Runs as the account behind the token. Needs `scopes`. */
  readonly actsForUser?: boolean;
  /** Does the work. May return a value, a promise, an async iterable or an Observable. */
  handler(args: Args, caller: McpCaller, run: McpRun): unknown;
}

/** The question that an entry's own rule (in Nest: the guards on class and method) answers. */
export interface McpAdmission extends McpVisibilityQuestion {
  readonly tool: McpTool;
}

/** A tool, where it was declared, and the rule that its place of declaration adds. */
export interface McpToolEntry {
  readonly tool: McpTool;
  /** For the log: `StockTools.read`, `settings.tools[2]`. */
  readonly origin: string;
  /** One of this package's own tools, which may have the reserved prefix. @internal */
  readonly own?: true;
  /** Decides whether the tool exists for this caller. `false`, or an exception, withholds it. */
  admits?(admission: McpAdmission): boolean | Promise<boolean>;
}
