/**
 * The end of a request that is not used. A connection that closes with its answer must hear the client out first: what still
 * comes in would reset it, and the client would meet a broken pipe in place of the answer (RFC 9112, section 9.6).
 */
import type { IncomingMessage } from 'node:http';
import type { Awaitable } from '../awaitable.js';
import type { McpClock } from '../runs/clock.js';

/** A client that goes on for longer than this has its connection closed on it, in milliseconds. */
const LONGEST_MS = 2_000;

/** Waits until all has come in that is being dropped, where the connection closes with the answer. */
export function heardOut(req: IncomingMessage, clock: McpClock): Awaitable<void> {
  if (staysOpen(req) || req.complete || req.destroyed) return undefined;
  return new Promise((resolve) => {
    const cancel = clock.after(LONGEST_MS, done);
    function done(): void {
      cancel();
      req.off('end', done).off('close', done);
      resolve();
    }
    req.once('end', done).once('close', done).resume();
  });
}

function staysOpen({ headers, httpVersion }: IncomingMessage): boolean {
  const wish = headers.connection?.toLowerCase() ?? '';
  return httpVersion === '1.0' ? wish.includes('keep-alive') : !wish.includes('close');
}
