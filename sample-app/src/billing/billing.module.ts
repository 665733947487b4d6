import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { InvoiceService } from './invoice.service.js';
import { InvoiceTools } from './invoice.tools.js';
import { RefundService } from './refund.service.js';
import { RefundTools } from './refund.tools.js';

@Module({
  imports: [DatabaseModule, OrdersModule],
  providers: [InvoiceService, InvoiceTools, RefundService, RefundTools],
})
export class BillingModule {}
