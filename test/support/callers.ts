/** Callers that tests ask as. */
import { establishCaller, type McpCaller } from '../../src/caller.js';

/** An account whose token grants `scopes`. */
export function account(subject: string, ...scopes: string[]): McpCaller {
  return establishCaller({ authenticated: true, subject, scopes });
}
