import { Matches } from 'class-validator';
import { ORDER_PATTERN } from '../orders/order.js';

export class InvoiceQuery {
  @Matches(ORDER_PATTERN)
  order!: string;
}
