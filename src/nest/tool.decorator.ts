/**
 * Decorators that make a method a tool. Each writes its part of ONE object under ONE key, so their order does not matter
 * and the explorer reads one thing.
 */
import type { McpAnnotations, McpTool as McpToolObject } from '../tools/tool.js';
import { Decoration } from './decoration.js';

/** The tool's type and the decorator share their name: one says what a tool is, the other makes a method one. */
export type McpTool<Args = Record<string, unknown>> = McpToolObject<Args>;

/** What `@McpTool()` says of a method: the published part of a tool. */
export type McpToolDeclaration = Pick<
  McpToolObject,
  'name' | 'title' | 'description' | 'outputSchema' | 'icons' | '_meta'
> & {
  /**
   * The arguments: a JSON Schema or a Standard Schema (zod, valibot, arktype…). Without it the schema comes from the
   * type of the method's arguments parameter, a class with class-validator decorators; a method without parameters takes
   * no arguments. With both, this one is published and the class still validates and is still what the method receives.
   *
   * TypeScript does not hold the parameter's type against the schema: write it as the schema's own output type, for
   * instance `args: z.infer<typeof schema>`.
   */
  readonly inputSchema?: McpToolObject['inputSchema'];
};

/** Everything that decorators said of one method. */
export interface McpToolDecoration extends Partial<McpToolDeclaration> {
  readonly annotations?: McpAnnotations;
  readonly scopes?: readonly string[];
  readonly requiresAuth?: boolean;
  readonly scopesFor?: (args: Record<string, unknown>) => readonly string[];
  readonly actsForUser?: boolean;
  readonly confirm?: McpToolObject['confirm'];
}

const TOOL = new Decoration<McpToolDecoration>('nestjs-mcp-gate:tool', 'a tool');

/**
 * Makes a method of a provider or a controller a tool. It is called with `(args, caller, run)`, or with what its
 * parameters' decorators ask for: `@Args()`, `@Caller()`, `@Run()` and those of Nest.
 */
export function McpTool(declaration: McpToolDeclaration): MethodDecorator {
  const made = declaration as McpToolDeclaration | undefined;
  // Of a constant that is not made yet the name is missing, and not @McpTool().
  return decorate('@McpTool()', made ?? { name: undefined });
}

/** What the client's user should know of the tool. A hint is never an authorization. */
export function Annotations(annotations: McpAnnotations): MethodDecorator {
  return decorate('@Annotations()', { annotations });
}

/**
 * The tool (or resource) exists only for callers that were granted ALL of these OAuth scopes.
 *
 * @throws TypeError without a scope: everybody would have all of none.
 */
export function RequireScopes(...scopes: readonly string[]): MethodDecorator {
  const none = scopes.length === 0 ? NO_SCOPE : undefined;
  return TOOL.write('@RequireScopes()', { scopes }, none);
}

const NO_SCOPE =
  'it names no scope, so it would keep nobody out. Name one, or say @RequireAuth() for whoever is signed in.';

/** The tool (or resource) exists only for authenticated callers. */
export function RequireAuth(): MethodDecorator {
  return decorate('@RequireAuth()', { requiresAuth: true });
}

/**
 * Scopes that a single call needs besides those of `@RequireScopes()`. The function is pure and synchronous; if it
 * throws, the call is refused.
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- it lets the function name the type of its arguments
export function ScopesFor<Args = Record<string, unknown>>(
  scopesFor: (args: Args) => readonly string[],
): MethodDecorator {
  return decorate('@ScopesFor()', { scopesFor: given(scopesFor as McpToolDecoration['scopesFor']) });
}

/** The tool runs as the account behind the caller's token. Needs `@RequireScopes()`. */
export function ActsForUser(): MethodDecorator {
  return decorate('@ActsForUser()', { actsForUser: true });
}

/**
 * Asks the client's user before each call, by this text or by what the function makes of the arguments: an instance of their
 * class, checked, where they have one; pipes look at them later. The method runs only once the user has agreed; a client that
 * cannot ask gets a refusal. What the function says must be the same for the same arguments, or it is asked for ever.
 *
 * Does NOT prove that a person agreed: the client says so. It is for mistakes of an agent, scopes are for rights.
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- it lets the function name the type of its arguments
export function Confirm<Args = Record<string, unknown>>(
  message: string | ((args: Args) => string | Promise<string>),
): MethodDecorator {
  return decorate('@Confirm()', { confirm: given(message as McpToolDecoration['confirm']) });
}

/**
 * What an author has put into a decorator that keeps something from running. Nothing, as of a constant that a circle of imports
 * has not made yet, is not the same as no decorator: it is a fault of the declaration, and the tool is not there.
 */
function given<T>(value: T | undefined): T {
  return value ?? (null as T);
}

/** What decorators said of a method; `undefined` when none of this package's stands on it. */
export function readToolDecoration(method: object): McpToolDecoration | undefined {
  return TOOL.read(method);
}

function decorate(decorator: string, part: McpToolDecoration): MethodDecorator {
  return TOOL.write(decorator, part);
}

/** Why what stands on a method that is no tool makes no sense there; `undefined` when it does. */
export function toolsOnlyFault(decoration: McpToolDecoration | undefined): string | undefined {
  if (decoration === undefined || 'name' in decoration) return undefined;
  const { annotations, scopesFor, actsForUser, confirm } = decoration;
  if ([annotations, scopesFor, actsForUser, confirm].every((said) => said === undefined)) return undefined;
  return '@Annotations(), @ScopesFor(), @ActsForUser() and @Confirm() are for tools, and the method is none: remove them.';
}
