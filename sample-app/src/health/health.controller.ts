/** An ordinary route beside the gate: the application stays what it was before agents could call it. */
import { Controller, Get } from '@nestjs/common';
import { SearchIndex } from '../search/search-index.service.js';
import { StockService } from '../catalog/stock.service.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly stock: StockService,
    private readonly index: SearchIndex,
  ) {}

  @Get()
  read() {
    return { status: 'ok', products: this.stock.count(), searchIndex: this.index.exists() ? 'built' : 'missing' };
  }
}
