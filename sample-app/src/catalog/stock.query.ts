import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { SKU_PATTERN } from './product.js';

export class StockQuery {
  @ApiProperty({ description: 'The product, such as A-001.' })
  @Matches(SKU_PATTERN)
  sku!: string;
}
