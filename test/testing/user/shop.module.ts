/** An application as the README shows one. */
import { Injectable, Module } from '@nestjs/common';
import { Matches } from 'class-validator';
import { Annotations, McpModule, McpProgress, McpTool, RequireScopes, ScopesFor } from 'nestjs-mcp-gate';
import { concat, map, of, range, type Observable } from 'rxjs';

class StockQuery {
  @Matches(/^A-\d{3}$/) sku!: string;
}

@Injectable()
class ShopTools {
  @McpTool({ name: 'shop_stock', description: 'Stock of a product. Use it before proposing an order.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  stock(query: StockQuery) {
    return `12 pieces of ${query.sku}`;
  }

  @McpTool({ name: 'shop_reindex', description: 'Rebuilds the search index, batch by batch.' })
  @Annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  @RequireScopes('shop:write')
  reindex(): Observable<McpProgress | string> {
    return concat(range(1, 3).pipe(map((batch) => new McpProgress(batch, 3))), of('The index is rebuilt.'));
  }

  @McpTool({
    name: 'shop_report',
    description: 'Sales of the last days.',
    inputSchema: { type: 'object', properties: { publish: { type: 'boolean' } } },
  })
  @Annotations({ readOnlyHint: false, destructiveHint: false, openWorldHint: false })
  @ScopesFor((args) => (args['publish'] === true ? ['shop:write'] : []))
  report() {
    return 'The report.';
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      name: 'shop',
      authorization: { publicUrl: 'https://shop.example/mcp', issuers: ['https://id.example'], anonymous: true },
    }),
  ],
  providers: [ShopTools],
})
export class AppModule {}
