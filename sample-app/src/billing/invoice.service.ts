/** Makes the invoice of an order. Prices are net; the tax is added to their sum. */
import { Injectable } from '@nestjs/common';
import { ShopDatabase } from '../database/shop.database.js';
import type { OrderLine } from '../orders/order.js';
import { OrderBook } from '../orders/order-book.service.js';

interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly country: string;
}

export interface Invoice {
  readonly number: string;
  readonly order: string;
  readonly date: string;
  readonly customer: Customer;
  readonly lines: readonly OrderLine[];
  readonly netCents: number;
  readonly taxCents: number;
  readonly totalCents: number;
}

const CUSTOMER = 'SELECT id, name, email, country FROM customers';
const TAX_PERCENT = 20;

@Injectable()
export class InvoiceService {
  constructor(
    private readonly database: ShopDatabase,
    private readonly book: OrderBook,
  ) {}

  /** @throws NotFoundException when there is no such order. */
  invoice(orderId: string): Invoice {
    const order = this.book.find(orderId);
    const taxCents = Math.round((order.totalCents * TAX_PERCENT) / 100);
    return {
      number: order.id.replace('O-', 'INV-'),
      order: order.id,
      date: order.placedAt.slice(0, 10),
      customer: this.database.row<Customer>(`${CUSTOMER} WHERE id = ?`, order.customer)!,
      lines: order.lines,
      netCents: order.totalCents,
      taxCents,
      totalCents: order.totalCents + taxCents,
    };
  }
}
