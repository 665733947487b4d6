import { Injectable } from '@nestjs/common';
import { ActsForUser, Annotations, McpTool, RequireScopes } from 'nestjs-mcp-gate';
import { MyOrdersQuery } from './my-orders.query.js';
import { MyOrders } from './my-orders.service.js';

@Injectable()
export class MyOrdersTools {
  constructor(private readonly orders: MyOrders) {}

  @McpTool({
    name: 'shop_my_orders',
    title: 'My orders',
    description:
      'The orders of the customer who is signed in, the oldest first; prices in cents. Give a first day ("since") for ' +
      'the recent ones. It cannot read the orders of anybody else.',
  })
  @RequireScopes('shop:orders')
  @ActsForUser()
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  list({ since }: MyOrdersQuery) {
    return this.orders.list(since);
  }
}
