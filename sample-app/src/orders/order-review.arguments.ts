import { ApiProperty } from '@nestjs/swagger';
import { IsEnum, IsOptional, Matches } from 'class-validator';
import { ORDER_PATTERN } from './order.js';

/** What a review looks at first. */
export enum ReviewFocus {
  Delivery = 'delivery',
  Prices = 'prices',
  Fraud = 'fraud',
}

export class OrderReview {
  @ApiProperty({ description: 'The order, such as O-00001.' })
  @Matches(ORDER_PATTERN)
  order!: string;

  @ApiProperty({ description: 'What to look at first: delivery, prices or fraud.', required: false, enum: ReviewFocus })
  @IsEnum(ReviewFocus)
  @IsOptional()
  focus?: ReviewFocus;
}
