import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
  @ApiProperty({ description: 'Who orders, such as C-001.' })
  @Matches(CUSTOMER_PATTERN)
  customer!: string;

  @ApiProperty({ description: 'Lines of one product are added up.' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => OrderRequestLine)
  lines!: OrderRequestLine[];

  @ApiPropertyOptional({ description: 'A text of your own; the same one gives the same order.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  idempotencyKey?: string;
}
