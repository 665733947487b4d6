import { Matches } from 'class-validator';
import { SKU_PATTERN } from './product.js';

export class StockQuery {
  @Matches(SKU_PATTERN)
  sku!: string;
}
