/**
 * Everything that a search may ask for. Each part is optional and narrows the answer.
 */
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
  @IsOptional()
  @IsInt()
  @Min(0)
  min?: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  max?: number;
}

export class SearchSort {
  @IsEnum(SortKey)
  by!: SortKey;

  @IsOptional()
  @IsEnum(SortOrder)
  order?: SortOrder;
}

export class SearchPage {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10_000)
  number?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  size?: number;
}

export class SearchQuery {
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  text?: string;

  @IsOptional()
  @IsArray()
  @IsEnum(Category, { each: true })
  categories?: Category[];

  @IsOptional()
  @ValidateNested()
  @Type(() => PriceRange)
  price?: PriceRange;

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
