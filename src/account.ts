/**
 * In whose name a tool acts. Like the caller a word that every floor uses and none owns.
 */
import type { McpCaller } from './caller.js';

/** An account of the application, as it is at this moment. */
export interface McpAccount {
  readonly id: string;
  /** The account's own roles: a tool that acts for it has these and no others. */
  readonly roles: readonly string[];
  /** `false` for an account that is locked, disabled or not confirmed: nothing runs in its name. */
  readonly active: boolean;
  /** The application's own record, for the services below the tool. */
  readonly record?: unknown;
}

/** Finds the account behind an authenticated caller, anew for each call; `undefined` when there is none. */
export type McpAccountResolver = (caller: McpCaller) => McpAccount | undefined | Promise<McpAccount | undefined>;
