import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { Checkout } from './checkout.service.js';
import { MyOrders } from './my-orders.service.js';
import { MyOrdersTools } from './my-orders.tools.js';
import { OrderBook } from './order-book.service.js';
import { OrderPrompts } from './order.prompts.js';
import { OrderTools } from './order.tools.js';

@Module({
  imports: [DatabaseModule, CatalogModule],
  providers: [OrderBook, Checkout, OrderTools, OrderPrompts, MyOrders, MyOrdersTools],
  exports: [OrderBook],
})
export class OrdersModule {}
