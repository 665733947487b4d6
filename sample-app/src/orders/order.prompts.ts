import { Injectable } from '@nestjs/common';
import { mcpUri, McpPrompt } from 'nestjs-mcp-gate';
import { PRODUCT_URI } from '../catalog/catalogue.resources.js';
import { OrderReview, ReviewFocus } from './order-review.arguments.js';
import { OrderBook } from './order-book.service.js';

const QUESTIONS: Readonly<Record<ReviewFocus, string>> = {
  [ReviewFocus.Delivery]: 'Can all lines be delivered from the stock as it is now? Name those that cannot.',
  [ReviewFocus.Prices]: 'Do the prices of the lines differ from those of today? Say by how much, line by line.',
  [ReviewFocus.Fraud]: 'Is anything unusual about this order, beside the other orders of its customer (shop_export)?',
};

@Injectable()
export class OrderPrompts {
  constructor(private readonly book: OrderBook) {}

  @McpPrompt({
    name: 'shop_order_review',
    title: 'Review an order',
    description: 'Looks at one order with its products as they are now, and proposes what to do.',
  })
  review({ order: id, focus = ReviewFocus.Delivery }: OrderReview) {
    const order = this.book.find(id);
    const products = order.lines.map(({ sku, name }) => ({
      type: 'resource_link' as const,
      uri: mcpUri(PRODUCT_URI, { sku }),
      name,
      mimeType: 'application/json',
    }));
    const contents = { uri: `shop://orders/${id}`, mimeType: 'application/json', text: JSON.stringify(order) };
    return [
      `Review the order ${id} of our shop, prices in cents. ${QUESTIONS[focus]} Read its products first.`,
      { type: 'resource', resource: contents },
      ...products,
      'End with one proposal that I can accept or decline. Change nothing yourself.',
    ];
  }
}
