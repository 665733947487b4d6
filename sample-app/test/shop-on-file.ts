/**
 * A shop of its own for each test: the services as the modules would put them together, on a file of their own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvoiceService } from '../src/billing/invoice.service.js';
import { RefundService } from '../src/billing/refund.service.js';
import { StockService } from '../src/catalog/stock.service.js';
import { CustomerAccounts } from '../src/customers/customer-accounts.service.js';
import { ShopDatabase } from '../src/database/shop.database.js';
import { Checkout } from '../src/orders/checkout.service.js';
import { MyOrders } from '../src/orders/my-orders.service.js';
import { OrderBook } from '../src/orders/order-book.service.js';
import { ReportService } from '../src/reports/report.service.js';
import { SearchIndex } from '../src/search/search-index.service.js';
import { SearchService } from '../src/search/search.service.js';
import { ShopSettings } from '../src/settings/shop.settings.js';

/** A path in a new folder, which `clear` removes. */
export function newShopFile(): { readonly file: string; readonly clear: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
  return { file: join(folder, 'shop.db'), clear: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function openShop(file: string, batchMs = 0) {
  const database = await ShopDatabase.open(file);
  const stock = new StockService(database);
  const index = new SearchIndex(database, new ShopSettings(file, 0, batchMs));
  const book = new OrderBook(database);
  const invoices = new InvoiceService(database, book);
  return {
    database,
    stock,
    index,
    search: new SearchService(database, index),
    book,
    checkout: new Checkout(database, stock, book),
    myOrders: new MyOrders(book),
    invoices,
    refunds: new RefundService(database, invoices),
    reports: new ReportService(database),
    accounts: new CustomerAccounts(database),
  };
}

export type OpenShop = Awaited<ReturnType<typeof openShop>>;
