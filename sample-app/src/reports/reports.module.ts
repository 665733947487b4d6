import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { ReportService } from './report.service.js';
import { ReportTools } from './report.tools.js';

@Module({ imports: [DatabaseModule], providers: [ReportService, ReportTools] })
export class ReportsModule {}
