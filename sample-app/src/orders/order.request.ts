import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { SKU_PATTERN } from '../catalog/product.js';
import { CUSTOMER_PATTERN } from './order.js';

export class OrderRequestLine {
  @Matches(SKU_PATTERN)
  sku!: string;

  @IsInt()
  @Min(1)
  @Max(1_000)
  quantity!: number;
}

export class OrderRequest {
  @Matches(CUSTOMER_PATTERN)
  customer!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => OrderRequestLine)
  lines!: OrderRequestLine[];

  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  idempotencyKey?: string;
}
