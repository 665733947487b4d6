/**
 * How the application opens a session for somebody whom a ticket vouches for: its own login, without the password.
 */
import type { McpAccount } from '../account.js';

/** What a session is to be opened for. */
export interface McpSessionLogin {
  readonly account: McpAccount;
  /** How the account proved itself, for the application's own audit: the gate's `factor`. */
  readonly factor: string;
  /** The framework's request and response of the redemption, in which the session is opened. */
  readonly request: unknown;
  readonly response: unknown;
}

/** A session that stands. */
export interface McpOpenedSession {
  /**
   * Sent with each of its requests, where the application knows a session by a header: `{ authorization: 'Bearer …' }`. They
   * stay in this process.
   *
   * @default none: the session has the cookies that the login set
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends it at the server: its cookie or token opens nothing any more. */
  destroy(): void | Promise<void>;
}

/** The application's login flow. */
export interface McpSessionFlow {
  /**
   * Checks the account again, opens its session in `request` and writes it to the audit. `undefined`, or an exception, when
   * the account may not log in.
   */
  open(login: McpSessionLogin): McpOpenedSession | undefined | Promise<McpOpenedSession | undefined>;
}
