import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { ORDER_PATTERN } from '../orders/order.js';

export class InvoiceQuery {
  @ApiProperty({ description: 'The order, such as O-00001.' })
  @Matches(ORDER_PATTERN)
  order!: string;
}
