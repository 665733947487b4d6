import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, Matches } from 'class-validator';

export class ReportRequest {
  @ApiProperty({ description: 'The month, such as 2026-03.' })
  @Matches(/^\d{4}-(0[1-9]|1[0-2])$/)
  month!: string;

  @ApiPropertyOptional({ description: 'Publishes the report as well.', default: false })
  @IsOptional()
  @IsBoolean()
  publish?: boolean;
}
