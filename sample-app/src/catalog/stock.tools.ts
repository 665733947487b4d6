import { Injectable } from '@nestjs/common';
import { Annotations, McpTool } from 'nestjs-mcp-gate';
import { StockQuery } from './stock.query.js';
import { StockService } from './stock.service.js';

@Injectable()
export class StockTools {
  constructor(private readonly stock: StockService) {}

  @McpTool({
    name: 'shop_stock',
    title: 'Stock of a product',
    description:
      'Price and stock of one product, read from the database at this moment. Use it before proposing an order. ' +
      'When only a name is known, find the SKU with shop_search first.',
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  read({ sku }: StockQuery) {
    return this.stock.find(sku);
  }
}
