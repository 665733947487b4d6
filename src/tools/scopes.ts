/**
 * What a tool asks of its caller, in OAuth scopes: always (`scopes`) and for one call (`scopesFor`).
 */
import type { McpCaller } from '../caller.js';
import { isOwnTool } from './own-tool.js';
import type { McpTool } from './tool.js';

/** The sorted union of the scopes that declarations ask for. What `scopesFor` adds is not known before a call and not in it. */
export function mcpDeclaredScopes(declared: readonly Pick<McpTool, 'scopes'>[]): string[] {
  return [...new Set(declared.flatMap(({ scopes }) => scopes ?? []))].toSorted();
}

/**
 * Every scope of one call: the tool's own and those that `scopesFor` adds for these arguments.
 *
 * @throws what `scopesFor` throws, and a TypeError when it gives anything but an array of strings: a call whose scopes
 * are not known is refused, never served unbounded (A4).
 */
export function mcpCallScopes(tool: McpTool, args: Record<string, unknown>): readonly string[] {
  const own = tool.scopes ?? [];
  if (tool.scopesFor === undefined) return own;
  const added: unknown = tool.scopesFor(args);
  if (!isScopeList(added)) {
    Promise.resolve(added).catch(() => undefined); // a promise that rejects must not end the process as well
    throw new TypeError(
      `scopesFor of tool "${tool.name}" must return an array of strings, at once and not by a promise.`,
    );
  }
  return [...new Set([...own, ...added])];
}

/**
 * The scopes of a tool, or of one call of it, that the caller lacks; of what else is offered, without a tool. What the package's own reading tools declare is the
 * local operator's; no application's tool is, whatever its scopes are called (S3).
 */
export function missingScopes(
  scopes: readonly string[],
  tool: McpTool | undefined,
  caller: McpCaller,
): readonly string[] {
  const isOperators =
    tool !== undefined && caller.operator === true && isOwnTool(tool) && tool.annotations?.readOnlyHint === true;
  const granted = isOperators ? [...caller.scopes, ...(tool.scopes ?? [])] : caller.scopes;
  return scopes.filter((scope) => !granted.includes(scope));
}

/** What an agent reads when its token does not reach for a call. */
export function insufficientScopeMessage(toolName: string, scopes: readonly string[]): string {
  return `Tool ${toolName} needs more authorization for this call: the scopes ${scopes.join(', ')}.`;
}

/** What can stand in a challenge's `scope`, where spaces part one from the next (RFC 6749, section 3.3). */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Whether a value is an array of non-empty strings. */
export function isScopeList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((scope) => typeof scope === 'string' && scope !== '');
}

/** Whether a value is an array of scopes that a challenge can name: another could never be asked for. */
export function isAskable(value: unknown): boolean {
  return isScopeList(value) && value.every((scope) => SCOPE_TOKEN.test(scope));
}
