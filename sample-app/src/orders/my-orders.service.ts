/**
 * The orders of the customer in whose name a tool runs. Whose they are is never an argument: an agent could fill in
 * somebody else.
 */
import { Injectable } from '@nestjs/common';
import { McpRequestContext } from 'nestjs-mcp-gate';
import type { Order } from './order.js';
import { OrderBook } from './order-book.service.js';

@Injectable()
export class MyOrders {
  constructor(private readonly book: OrderBook) {}

  /** The oldest first. @throws Error when no tool that acts for a user is running. */
  list(since?: string): Order[] {
    const account = McpRequestContext.account();
    if (account === undefined) throw new Error('MyOrders has no customer: call it below a tool with @ActsForUser().');
    return this.book.list({ customer: account.id, ...(since !== undefined && { since }) });
  }
}
