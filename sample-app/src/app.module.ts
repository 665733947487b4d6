import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp-gate';
import { McpDevkitModule } from 'nestjs-mcp-gate/devkit';
import { HealthModule } from './health/health.module.js';
import { accountGate, mixedGate } from './protected.gates.js';
import { ShopModule } from './shop.module.js';

/** The open gate's name, for `McpGates`. */
export const GATE = 'shop';

/** An agent that works on the shop asks the running one, at /mcp/devkit. In production it is not there. */
const devkit = process.env['NODE_ENV'] === 'production' ? [] : [McpDevkitModule.forRoot()];

/**
 * One import opens a gate. The first is a local one, at /mcp, that serves every tool which the application declares to
 * everybody who needs no authorization for it; for the other two see `protected.gates.ts`.
 */
@Module({
  imports: [
    McpModule.forRoot({
      name: GATE,
      title: 'The sample shop',
      version: '1.0.0',
      instructions:
        'A shop of sixty products, SKUs A-001 to A-060, and customers C-001 to C-012. Find products with shop_search, ' +
        'read their stock with shop_stock, order with shop_order_create.',
    }),
    McpModule.forRootAsync(accountGate),
    McpModule.forRootAsync(mixedGate),
    ShopModule,
    HealthModule,
    ...devkit,
  ],
})
export class AppModule {}
