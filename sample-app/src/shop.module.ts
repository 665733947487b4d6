import { Module } from '@nestjs/common';
import { BillingModule } from './billing/billing.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SearchModule } from './search/search.module.js';

/** All that the shop can do. Its tools classes are ordinary providers of these modules. */
@Module({ imports: [CatalogModule, SearchModule, OrdersModule, BillingModule, ReportsModule] })
export class ShopModule {}
