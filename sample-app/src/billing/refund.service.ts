/** Gives back what an order cost, tax included, and no order twice. */
import { ConflictException, Injectable } from '@nestjs/common';
import { ShopDatabase } from '../database/shop.database.js';
import { orderNumber } from '../orders/order.js';
import { InvoiceService } from './invoice.service.js';

export interface Refund {
  readonly order: string;
  readonly refundedCents: number;
  readonly refundedAt: string;
}

@Injectable()
export class RefundService {
  constructor(
    private readonly database: ShopDatabase,
    private readonly invoices: InvoiceService,
  ) {}

  /**
   * @throws NotFoundException when there is no such order
   * @throws ConflictException when it was refunded before
   */
  refund(orderId: string): Refund {
    return this.database.transaction(() => {
      const { order, totalCents } = this.invoices.invoice(orderId);
      const earlier = this.database.row<{ refundedAt: string }>(
        'SELECT refunded_at AS refundedAt FROM refunds WHERE order_id = ?',
        orderNumber(order),
      );
      if (earlier)
        throw new ConflictException(`Order ${order} was refunded on ${earlier.refundedAt}: nothing was paid.`);
      const refundedAt = new Date().toISOString();
      this.database.run('INSERT INTO refunds VALUES (?, ?, ?)', orderNumber(order), totalCents, refundedAt);
      return { order, refundedCents: totalCents, refundedAt };
    });
  }
}
