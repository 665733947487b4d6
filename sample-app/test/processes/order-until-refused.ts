/**
 * One of several processes that open the same file at once and order one piece of a product each time until the shop
 * refuses. Starts when something arrives on its input; writes how many pieces it got.
 */
import { once } from 'node:events';
import { StockService } from '../../src/catalog/stock.service.js';
import { ShopDatabase } from '../../src/database/shop.database.js';
import { Checkout } from '../../src/orders/checkout.service.js';
import { OrderBook } from '../../src/orders/order-book.service.js';

const [, , file, sku] = process.argv as [string, string, string, string];
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();

const database = await ShopDatabase.open(file);
const checkout = new Checkout(database, new StockService(database), new OrderBook(database));
let got = 0;
try {
  for (;;) {
    checkout.place({ customer: 'C-001', lines: [{ sku, quantity: 1 }] });
    got++;
  }
} catch (refusal) {
  process.stdout.write(JSON.stringify({ got, refusal: (refusal as Error).message }));
} finally {
  database.close();
}
