import { Injectable } from '@nestjs/common';
import { Annotations, McpTool } from 'nestjs-mcp-gate';
import { Checkout } from './checkout.service.js';
import { OrderBook } from './order-book.service.js';
import { OrderListQuery } from './order-list.query.js';
import { OrderRequest } from './order.request.js';

@Injectable()
export class OrderTools {
  constructor(
    private readonly checkout: Checkout,
    private readonly book: OrderBook,
  ) {}

  @McpTool({
    name: 'shop_order_create',
    title: 'Place an order',
    description:
      'Places an order for a customer and takes the goods off the stock: all lines or none. When a line asks for more ' +
      'than there is, nothing is ordered and the answer says how many are left. Give an idempotencyKey of your own, ' +
      'and repeat it when you repeat the call: the same key never orders twice.',
  })
  @Annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false })
  create(request: OrderRequest) {
    return this.checkout.place(request);
  }

  @McpTool({
    name: 'shop_export',
    title: 'Export orders',
    description:
      'All orders with their lines, the oldest first; prices in cents. Too many to read come as a summary: narrow them ' +
      'by customer or by a first day ("since").',
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  export(query: OrderListQuery) {
    return this.book.list(query);
  }
}
