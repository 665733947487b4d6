/**
 * Who may have what is declared: the one rule for tools, resources, templates, prompts and completions. Listing and using
 * ask the same function, so what is not listed cannot be used (A2).
 */
import { allThere, whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpDeclaredSet } from './declared-set.js';
import { missingScopes } from './scopes.js';
import { thrownKind } from './thrown.js';
import type { McpTool } from './tool.js';

/** What a declaration asks of its callers. */
export interface McpReservation {
  /** Scopes that a caller needs, ALL of them; without them the declaration does not exist for it. */
  readonly scopes?: readonly string[];
  /** Only an authenticated caller has it. */
  readonly requiresAuth?: boolean;
  /** It works in the name of the account behind the token. */
  readonly actsForUser?: boolean;
}

/** What may be visible to a caller or not. */
export type McpVisibleKind = 'tool' | 'resource' | 'resource template' | 'prompt' | 'completion';

/** For whom, and in what request, it is decided. */
export interface McpVisibilityQuestion {
  readonly caller: McpCaller;
  /** What the transport's host knows of the request (in Nest: the HTTP request). Opaque here. */
  readonly request?: unknown;
  /** The arguments as they came, when the question is about one use; absent for a list. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A checked declaration, as the rule looks at it. */
export interface McpVisible {
  readonly kind: McpVisibleKind;
  /** The name of a tool or a prompt, the URI of a resource, the template of a template. */
  readonly name: string;
  readonly reservation: McpReservation;
  /** The rule that its place of declaration adds (in Nest: the guards on class and method). */
  readonly admits?: (question: McpVisibilityQuestion) => boolean | Promise<boolean>;
}

/** Whom a collection is for. */
export interface McpVisibilityOptions {
  readonly caller: McpCaller;
  /** What the transport's host knows of the request; entries' own rules may read it. */
  readonly request?: unknown;
  /** Hears of each declaration withheld, with the reason. For DEBUG: withholding is normal (A3). */
  readonly onWithheld?: (entry: McpVisible, reason: string) => void;
}

/** Whether the caller has a declaration. `args` when it is about to be used. */
export function isVisible(
  entry: McpVisible,
  options: McpVisibilityOptions,
  args?: Readonly<Record<string, unknown>>,
): Awaitable<boolean> {
  const { caller, request } = options;
  const reserved = reservedBecause(entry, caller);
  if (reserved !== undefined) return withhold(entry, reserved, options);
  if (entry.admits === undefined) return true;
  return whenThere(refusedBecause(entry.admits, { caller, request, args }), (refused) =>
    refused === undefined ? true : withhold(entry, refused, options),
  );
}

/** The entry if the caller has it. */
export function ifVisible<E extends McpVisible>(
  entry: E,
  options: McpVisibilityOptions,
  args?: Readonly<Record<string, unknown>>,
): Awaitable<E | undefined> {
  return whenThere(isVisible(entry, options, args), (visible) => (visible ? entry : undefined));
}

/** Every entry of a set that the caller has: the same array for the same entries. */
export function visibleOf<E extends McpVisible>(
  set: McpDeclaredSet<E>,
  options: McpVisibilityOptions,
): Awaitable<readonly E[]> {
  const decisions = allThere(set.entries.map((entry) => isVisible(entry, options)));
  return whenThere(decisions, (admitted) => set.subset(admitted));
}

/** How many wait for authorization: those withheld for scopes or for want of authentication. */
export function reservedAmong(entries: readonly McpVisible[], caller: McpCaller): number {
  return entries.filter((entry) => reservedBecause(entry, caller) !== undefined).length;
}

function withhold(entry: McpVisible, reason: string, { onWithheld }: McpVisibilityOptions): false {
  onWithheld?.(entry, reason);
  return false;
}

/** Why a declaration waits for authorization; `undefined` when its caller has enough. */
function reservedBecause({ kind, reservation }: McpVisible, caller: McpCaller): string | undefined {
  if ((reservation.requiresAuth === true || reservation.actsForUser === true) && !caller.authenticated) {
    return 'it needs an authenticated caller';
  }
  if (reservation.scopes === undefined) return undefined;
  const missing = missingScopes(reservation.scopes, kind === 'tool' ? (reservation as McpTool) : undefined, caller);
  return missing.length > 0 ? `it needs the scopes ${missing.join(', ')}` : undefined;
}

/** What an entry's own rule says, which may be any code. */
async function refusedBecause(
  admits: NonNullable<McpVisible['admits']>,
  question: McpVisibilityQuestion,
): Promise<string | undefined> {
  try {
    const answer: unknown = await admits(question); // from code that may not be typed
    return answer === true ? undefined : 'a guard refused it';
  } catch (error) {
    // The class alone: a message may hold what no log should.
    return `a guard refused it by an exception (${thrownKind(error)})`;
  }
}
