/**
 * What a declaration must be in its plain fields, and the way out when it is not (T2, T4).
 */
import { MCP_RESERVED_PREFIX } from './own-tool.js';
import { isAskable } from './scopes.js';
import type { McpTool } from './tool.js';

/** What is wrong with a tool's name; only `builtIn` ones may have the reserved prefix. */
export function nameFault(name: unknown, builtIn: boolean): string | undefined {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    return 'its name must be 1 to 64 letters, digits, "_" or "-": the set that every model vendor accepts.';
  }
  if (!builtIn && name.startsWith(MCP_RESERVED_PREFIX)) {
    return `the prefix "${MCP_RESERVED_PREFIX}" is kept for this package's own tools: choose another name.`;
  }
  return undefined;
}

/** A check of a single field, and what is said where it fails. */
interface Check<T> {
  readonly fails: (declared: T) => boolean;
  readonly reason: string;
}

const FIELD_CHECKS: readonly Check<McpTool>[] = [
  { fails: (tool) => typeof tool.handler !== 'function', reason: 'it has no handler: give it a function.' },
  {
    fails: (tool) => typeof tool.description !== 'string' || tool.description.trim() === '',
    reason: 'its description is missing or empty: say what it does and when to use it, an agent has nothing else.',
  },
  { fails: (tool) => !isOptional(tool.title, 'string'), reason: 'its title must be a string.' },
  {
    fails: (tool) => tool.scopes !== undefined && !isAskable(tool.scopes),
    reason: 'its scopes must be an array of strings, one scope each: no spaces, quotes or backslashes (RFC 6749).',
  },
  { fails: (tool) => !isOptional(tool.requiresAuth, 'boolean'), reason: 'requiresAuth must be true or false.' },
  {
    fails: (tool) => tool.scopesFor !== undefined && typeof tool.scopesFor !== 'function',
    reason: 'scopesFor must be a function that returns an array of strings.',
  },
  {
    fails: (tool) => tool.confirm !== undefined && !isSaid(tool.confirm),
    reason: 'confirm must be a text that says what the user agrees to, or a function that returns one.',
  },
  { fails: (tool) => !isOptional(tool.actsForUser, 'boolean'), reason: 'actsForUser must be true or false.' },
  {
    fails: (tool) => tool.actsForUser === true && (tool.scopes ?? []).length === 0,
    reason:
      'it acts for a user without scopes: say in scopes, of a method by @RequireScopes(), what a token must grant for that.',
  },
  {
    fails: (tool) => tool.icons !== undefined && !(Array.isArray(tool.icons) && isSendable(tool.icons)),
    reason: 'its icons must be an array that JSON can carry.',
  },
  {
    fails: (tool) => !isOptional(tool._meta, 'object') || !isSendable(tool._meta),
    reason: '_meta must be an object that JSON can carry: no BigInt, and nothing that holds itself.',
  },
  {
    fails: (tool) => !soundAnnotations(tool.annotations),
    reason: 'its annotations must be an object: hints true or false, a title text.',
  },
];

/** What is wrong with the first field that is not as it must be. Schemas are not looked at. */
export function fieldFault(tool: McpTool): string | undefined {
  return FIELD_CHECKS.find(({ fails }) => fails(tool))?.reason;
}

/** The fields that resources and prompts have in common. */
type Offered = Partial<
  Pick<McpTool, 'title' | 'description' | 'scopes' | 'requiresAuth' | 'actsForUser' | 'icons' | '_meta'>
>;

const OFFERED_CHECKS: readonly Check<Offered>[] = [
  { fails: ({ title }) => !isOptional(title, 'string'), reason: 'its title must be a string.' },
  { fails: ({ description }) => !isOptional(description, 'string'), reason: 'its description must be a string.' },
  {
    fails: ({ scopes }) => scopes !== undefined && !isAskable(scopes),
    reason: 'its scopes must be an array of strings, one scope each: no spaces, quotes or backslashes (RFC 6749).',
  },
  { fails: ({ requiresAuth }) => !isOptional(requiresAuth, 'boolean'), reason: 'requiresAuth must be true or false.' },
  { fails: ({ actsForUser }) => Boolean(actsForUser), reason: 'only tools act for a user: leave actsForUser out.' },
  {
    fails: ({ icons }) => icons !== undefined && !(Array.isArray(icons) && isSendable(icons)),
    reason: 'its icons must be an array.',
  },
  {
    fails: ({ _meta }) => !isOptional(_meta, 'object') || !isSendable(_meta),
    reason: '_meta must be an object that JSON can carry: no BigInt, and nothing that holds itself.',
  },
];

/** What is wrong with the first field of a resource or a prompt that is not as it must be. */
export function offeredFault(declared: Offered): string | undefined {
  return OFFERED_CHECKS.find(({ fails }) => fails(declared))?.reason;
}

/** Whether a declaration says what to ask the user, or how to. */
export function isSaid(confirm: McpTool['confirm']): confirm is NonNullable<McpTool['confirm']> {
  return typeof confirm === 'function' || (typeof confirm === 'string' && confirm.trim() !== '');
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

/** Whether a field is left out or of its type. */
export function isOptional(value: unknown, type: 'string' | 'boolean' | 'object'): boolean {
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
  return isOptional(title, 'string') && hints.every((hint) => isOptional(hint, 'boolean'));
}
