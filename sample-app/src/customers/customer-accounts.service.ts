/**
 * The customers as accounts: whom the subject of a token stands for, as they are at this moment.
 */
import { Injectable } from '@nestjs/common';
import type { McpAccount } from 'nestjs-mcp-gate';
import { ShopDatabase } from '../database/shop.database.js';

@Injectable()
export class CustomerAccounts {
  constructor(private readonly database: ShopDatabase) {}

  /** `undefined` for an id that is no customer's. A disabled customer is found, and not active. */
  find(id: string): McpAccount | undefined {
    const customer = this.database.row<{ disabled: number }>('SELECT disabled FROM customers WHERE id = ?', id);
    return customer && { id, roles: ['customer'], active: customer.disabled === 0 };
  }
}
