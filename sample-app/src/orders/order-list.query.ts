import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { CUSTOMER_PATTERN } from './order.js';

export class OrderListQuery {
  @ApiPropertyOptional({ description: 'Orders of this customer, such as C-001.' })
  @IsOptional()
  @Matches(CUSTOMER_PATTERN)
  customer?: string;

  @ApiPropertyOptional({ description: 'Orders from this day on (UTC), such as 2026-04-01.' })
  @IsOptional()
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  since?: string;
}
