/**
 * Lists are sent in one page: some clients read only the first.
 */
import { McpProtocolError } from './errors.js';
import type { McpCall } from './read.js';

/** @throws McpProtocolError `-32602` for a cursor: none was ever given. */
export function refuseCursor(call: McpCall, what: string): void {
  if (call.params['cursor'] === undefined) return;
  throw McpProtocolError.invalidParams(`Invalid cursor: this server gives none, all ${what} are on the first page.`);
}
