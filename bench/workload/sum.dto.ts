/**
 * The arguments of `add` as a class: what the gate makes its schema from, and what a Nest route validates.
 */
import { IsNumber } from 'class-validator';

export class SumDto {
  @IsNumber()
  a!: number;

  @IsNumber()
  b!: number;
}
