import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { CatalogueResources } from './catalogue.resources.js';
import { StockService } from './stock.service.js';
import { StockTools } from './stock.tools.js';

@Module({
  imports: [DatabaseModule],
  providers: [StockService, StockTools, CatalogueResources],
  exports: [StockService],
})
export class CatalogModule {}
