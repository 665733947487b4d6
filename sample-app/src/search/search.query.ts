/**
 * Everything that a search may ask for. Each part is optional and narrows the answer.
 */
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { Category } from '../catalog/product.js';

export enum SortKey {
  Relevance = 'relevance',
  Name = 'name',
  Price = 'price',
  Stock = 'stock',
}

export enum SortOrder {
  Ascending = 'asc',
  Descending = 'desc',
}

export class PriceRange {
  @ApiPropertyOptional({ description: 'The lowest price, in cents.' })
  @IsOptional()
  @IsInt()
  @Min(0)
  min?: number;

  @ApiPropertyOptional({ description: 'The highest price, in cents.' })
  @IsOptional()
  @IsInt()
  @Min(0)
  max?: number;
}

export class SearchSort {
  @ApiProperty({ description: 'Relevance comes best first, whatever the order.' })
  @IsEnum(SortKey)
  by!: SortKey;

  @IsEnum(SortOrder)
  order: SortOrder = SortOrder.Ascending;
}

export class SearchPage {
  @IsInt()
  @Min(1)
  @Max(10_000)
  number: number = 1;

  @ApiProperty({ description: 'Products on a page.' })
  @IsInt()
  @Min(1)
  @Max(50)
  size: number = 10;
}

export class SearchQuery {
  @ApiPropertyOptional({ description: 'Words that must all occur, at least as the beginning of one.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  text?: string;

  @ApiPropertyOptional({ description: 'Products of any of these.' })
  @IsOptional()
  @IsArray()
  @IsEnum(Category, { each: true })
  categories?: Category[];

  @IsOptional()
  @ValidateNested()
  @Type(() => PriceRange)
  price?: PriceRange;

  @ApiPropertyOptional({ description: 'Products that carry ALL of these, such as "wood" or "storage".' })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => SearchSort)
  sort?: SearchSort;

  @IsOptional()
  @ValidateNested()
  @Type(() => SearchPage)
  page?: SearchPage;
}
