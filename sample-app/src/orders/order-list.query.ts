import { IsISO8601, IsOptional, Matches } from 'class-validator';
import { CUSTOMER_PATTERN } from './order.js';

export class OrderListQuery {
  @IsOptional()
  @Matches(CUSTOMER_PATTERN)
  customer?: string;

  @IsOptional()
  @IsISO8601()
  since?: string;
}
