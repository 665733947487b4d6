/**
 * Tickets that wait to be redeemed: few, short-lived, each good for one use. Only their hashes are kept, so that whoever
 * reads this memory (a heap dump, a debugger) finds nothing to present.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { McpClock } from '../runs/clock.js';

/** How long a ticket is good, in milliseconds. */
export const MCP_TICKET_TTL_MS = 10_000;
/** How many tickets may wait at a time. */
export const MCP_TICKETS_PENDING_MAX = 8;

const TICKET_BYTES = 32;

interface Waiting<T> {
  readonly hash: Buffer;
  readonly until: number;
  readonly good: T;
}

/** What each ticket is good for. */
export class TicketBook<T> {
  private waiting: readonly Waiting<T>[] = [];

  constructor(private readonly clock: Pick<McpClock, 'now'>) {}

  /** A new ticket, 256 random bits; `undefined` while eight wait already. */
  issue(good: T): string | undefined {
    this.dropExpired();
    if (this.waiting.length >= MCP_TICKETS_PENDING_MAX) return undefined;
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    this.waiting = [...this.waiting, { hash: hashOf(ticket), until: this.clock.now() + MCP_TICKET_TTL_MS, good }];
    return ticket;
  }

  /** What a ticket is good for, once; `undefined` for one that is unknown, used or expired. Takes as long for each. */
  redeem(ticket: string): T | undefined {
    this.dropExpired();
    const hash = hashOf(ticket);
    let found: Waiting<T> | undefined;
    // All are compared, and each to its end: the time says nothing about which of them a guess came near to.
    for (const one of this.waiting) if (timingSafeEqual(one.hash, hash)) found = one;
    this.waiting = this.waiting.filter((one) => one !== found);
    return found?.good;
  }

  private dropExpired(): void {
    const now = this.clock.now();
    this.waiting = this.waiting.filter(({ until }) => now < until);
  }
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
