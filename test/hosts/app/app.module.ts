import { Injectable, Module } from '@nestjs/common';
import { IsInt, IsString, Matches, Min } from 'class-validator';
import { Annotations, McpModule, McpProgress, McpTool } from 'nestjs-mcp-gate';
import { McpDevkitModule } from 'nestjs-mcp-gate/devkit';
import { concat, from, map, type Observable, of } from 'rxjs';
import { BackgroundModule } from './background.js';

export class StockQuery {
  @IsString()
  @Matches(/^A-\d{3}$/)
  sku!: string;
}

export class CountTo {
  @IsInt()
  @Min(1)
  limit!: number;
}

@Injectable()
export class Stock {
  find(sku: string) {
    return { sku, quantity: 7 };
  }
}

@Injectable()
export class StockTools {
  constructor(private readonly stock: Stock) {}

  @McpTool({ name: 'host_stock', description: 'Stock of a product.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  read(query: StockQuery) {
    return query instanceof StockQuery ? this.stock.find(query.sku) : 'not an instance of the DTO';
  }

  @McpTool({ name: 'host_count', description: 'Counts, and says how far it has come.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  count({ limit }: CountTo): Observable<McpProgress | string> {
    const steps = Array.from({ length: limit }, (_, step) => step + 1);
    return concat(from(steps).pipe(map((step) => new McpProgress(step, limit))), of('counted'));
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'host', version: '1.0.0' }), McpDevkitModule.forRoot(), BackgroundModule],
  providers: [Stock, StockTools],
})
export class AppModule {}
