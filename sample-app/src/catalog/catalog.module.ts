import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { StockService } from './stock.service.js';

@Module({ imports: [DatabaseModule], providers: [StockService], exports: [StockService] })
export class CatalogModule {}
