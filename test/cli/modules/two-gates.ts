import { Controller, Module } from '@nestjs/common';
import { Annotations, McpModule, McpTool } from 'nestjs-mcp-gate';

@Controller()
class StockTools {
  @McpTool({ name: 'shop_stock', description: 'The stock.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  stock(): string {
    return 'twelve';
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'shop' }), McpModule.forRoot({ name: 'billing', path: '/billing', tools: [] })],
  controllers: [StockTools],
})
export class AppModule {}
