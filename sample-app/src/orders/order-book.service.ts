/** Reads the orders that were placed. */
import { Injectable, NotFoundException } from '@nestjs/common';
import { ShopDatabase } from '../database/shop.database.js';
import { type Order, orderId, type OrderLine, orderNumber } from './order.js';
import type { OrderListQuery } from './order-list.query.js';

interface OrderRow {
  readonly id: number;
  readonly customer: string;
  readonly placedAt: string;
  readonly lines: string;
}

const ORDERS = `
  SELECT o.id, o.customer, o.placed_at AS placedAt, (
    SELECT json_group_array(json_object('sku', l.sku, 'name', p.name, 'quantity', l.quantity, 'unitCents', l.unit_cents))
    FROM order_lines l JOIN products p ON p.sku = l.sku WHERE l.order_id = o.id
  ) AS lines
  FROM orders o`;

@Injectable()
export class OrderBook {
  constructor(private readonly database: ShopDatabase) {}

  /** All orders that match, the oldest first. */
  list({ customer, since }: OrderListQuery): Order[] {
    return this.database
      .rows<OrderRow>(
        `${ORDERS} WHERE o.customer = coalesce(?, o.customer) AND o.placed_at >= coalesce(?, '') ORDER BY o.id`,
        customer ?? null,
        since ?? null,
      )
      .map(readOrder);
  }

  /** @throws NotFoundException */
  find(id: string): Order {
    const row = this.database.row<OrderRow>(`${ORDERS} WHERE o.id = ?`, orderNumber(id));
    if (row) return readOrder(row);
    const last = this.database.row<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM orders')!.id;
    throw new NotFoundException(`There is no order ${id}. The last one is ${orderId(last)}.`);
  }
}

function readOrder(row: OrderRow): Order {
  const lines = JSON.parse(row.lines) as OrderLine[];
  const totalCents = lines.reduce((sum, line) => sum + line.quantity * line.unitCents, 0);
  return { id: orderId(row.id), customer: row.customer, placedAt: row.placedAt, lines, totalCents };
}
