import type { OrderRequest } from '../src/orders/order.request.js';
import { newShopFile, openShop, type OpenShop } from './shop-on-file.js';

let place: ReturnType<typeof newShopFile>;
let shop: OpenShop;

beforeEach(async () => {
  place = newShopFile();
  shop = await openShop(place.file);
});

afterEach(() => {
  shop.database.close();
  place.clear();
});

const stockOf = (sku: string): number => shop.stock.find(sku).stock;
const orders = (): unknown => shop.database.row('SELECT count(*) AS orders FROM orders');
const ask = (lines: [sku: string, quantity: number][], rest: Partial<OrderRequest> = {}): OrderRequest => ({
  customer: 'C-001',
  lines: lines.map(([sku, quantity]) => ({ sku, quantity })),
  ...rest,
});

describe('Placing an order', () => {
  it('takes the goods off the shelf and gives the order with its total', () => {
    const order = shop.checkout.place(
      ask([
        ['A-001', 2],
        ['A-002', 1],
      ]),
    );

    expect(order).toMatchObject({ id: 'O-00121', customer: 'C-001', totalCents: 2 * 6900 + 3450 });
    expect(order.lines).toEqual([
      { sku: 'A-001', name: "Chef's knife", quantity: 2, unitCents: 6900 },
      { sku: 'A-002', name: 'Oak cutting board', quantity: 1, unitCents: 3450 },
    ]);
    expect([stockOf('A-001'), stockOf('A-002')]).toEqual([10, 29]);
    expect(shop.book.find('O-00121')).toEqual(order);
  });

  it('refuses more than the stock, says for each line how many are left, and orders nothing', () => {
    expect(() =>
      shop.checkout.place(
        ask([
          ['A-001', 13],
          ['A-002', 1],
          ['A-007', 1],
        ]),
      ),
    ).toThrow(
      "Nothing was ordered: the stock is too small. A-001 (Chef's knife): 13 wanted, 12 left; " +
        'A-007 (Rolling pin): 1 wanted, 0 left.',
    );
    expect([stockOf('A-001'), stockOf('A-002')]).toEqual([12, 30]);
    expect(orders()).toEqual({ orders: 120 });
  });

  it('sells the last piece once', () => {
    shop.checkout.place(ask([['A-013', 1]]));

    expect(() => shop.checkout.place(ask([['A-013', 1]]))).toThrow('1 wanted, 0 left');
    expect(stockOf('A-013')).toBe(0);
  });

  it('adds up two lines of one product before it looks at the stock', () => {
    expect(() =>
      shop.checkout.place(
        ask([
          ['A-001', 7],
          ['A-001', 7],
        ]),
      ),
    ).toThrow('14 wanted, 12 left');
    expect(
      shop.checkout.place(
        ask([
          ['A-001', 6],
          ['A-001', 6],
        ]),
      ).lines,
    ).toMatchObject([{ sku: 'A-001', quantity: 12 }]);
  });

  it('names every product and the customer that do not exist, and the way out', () => {
    expect(() =>
      shop.checkout.place(
        ask([
          ['A-901', 1],
          ['A-902', 1],
        ]),
      ),
    ).toThrow(/A-901\. Did you mean .*A-902\. Did/);
    expect(() => shop.checkout.place(ask([['A-001', 1]], { customer: 'C-999' }))).toThrow(
      'There is no customer C-999. They run from C-001 to C-012.',
    );
    expect(orders()).toEqual({ orders: 120 });
  });

  it('keeps the price of the day', () => {
    const { id } = shop.checkout.place(ask([['A-001', 1]]));
    shop.database.run("UPDATE products SET price_cents = 1 WHERE sku = 'A-001'");

    expect(shop.book.find(id).totalCents).toBe(6900);
  });
});

describe('An idempotency key', () => {
  it('gives the same order when the request is repeated, also when the stock has gone since', () => {
    const first = shop.checkout.place(ask([['A-013', 1]], { idempotencyKey: 'k-1' }));
    const again = shop.checkout.place(ask([['A-013', 1]], { idempotencyKey: 'k-1' }));

    expect(again).toEqual(first);
    expect(orders()).toEqual({ orders: 121 });
  });

  it('is refused for another request, naming the order that it belongs to', () => {
    shop.checkout.place(ask([['A-001', 1]], { idempotencyKey: 'k-1' }));

    expect(() => shop.checkout.place(ask([['A-001', 2]], { idempotencyKey: 'k-1' }))).toThrow(
      'The idempotency key k-1 belongs to order O-00121, which asked for something else.',
    );
    expect(stockOf('A-001')).toBe(11);
  });

  it('is not used up by a refused order', () => {
    expect(() => shop.checkout.place(ask([['A-007', 1]], { idempotencyKey: 'k-1' }))).toThrow('0 left');
    shop.database.run("UPDATE products SET stock = 1 WHERE sku = 'A-007'");

    expect(shop.checkout.place(ask([['A-007', 1]], { idempotencyKey: 'k-1' })).id).toBe('O-00121');
  });
});

describe('The order book', () => {
  it('lists all orders with their lines, the oldest first', () => {
    const all = shop.book.list({});

    expect(all).toHaveLength(120);
    expect(all[0]).toMatchObject({ id: 'O-00001', placedAt: '2026-01-06T09:00:00.000Z' });
    expect(all.every(({ lines, totalCents }) => lines.length > 0 && totalCents > 0)).toBe(true);
  });

  it('narrows to a customer and to a first day', () => {
    const { customer } = shop.book.find('O-00100');
    const narrowed = shop.book.list({ customer, since: '2026-04-01' });

    expect(narrowed.map(({ id }) => id)).toContain('O-00100');
    expect(narrowed.every((order) => order.customer === customer && order.placedAt >= '2026-04-01')).toBe(true);
    expect(shop.book.list({ since: '2026-05-05' }).map(({ id }) => id)).toEqual(['O-00120']);
  });

  it('names the order that does not exist and the last one that does', () => {
    expect(() => shop.book.find('O-99999')).toThrow('There is no order O-99999. The last one is O-00120.');
  });
});

describe('An invoice', () => {
  it('adds the tax to the order, for the customer who placed it', () => {
    shop.checkout.place(ask([['A-001', 1]]));

    expect(shop.invoices.invoice('O-00121')).toMatchObject({
      number: 'INV-00121',
      order: 'O-00121',
      customer: { id: 'C-001', name: 'Ada Berg', email: 'ada@example.com', country: 'SE' },
      netCents: 6900,
      taxCents: 1380,
      totalCents: 8280,
    });
  });
});

describe('A refund', () => {
  it('gives back what the order cost, tax included, and says when', () => {
    shop.checkout.place(ask([['A-001', 1]]));

    expect(shop.refunds.refund('O-00121')).toEqual({
      order: 'O-00121',
      refundedCents: 8280,
      refundedAt: expect.stringMatching(/^\d{4}-/),
    });
  });

  it('is given once', () => {
    const { refundedAt } = shop.refunds.refund('O-00001');

    expect(() => shop.refunds.refund('O-00001')).toThrow(
      `Order O-00001 was refunded on ${refundedAt}: nothing was paid.`,
    );
    expect(shop.database.row('SELECT count(*) AS refunds FROM refunds')).toEqual({ refunds: 1 });
  });

  it('needs an order', () => {
    expect(() => shop.refunds.refund('O-99999')).toThrow('There is no order O-99999.');
  });
});

describe('The orders of a customer', () => {
  it('are read below a tool that acts for one, and nowhere else (A5)', () => {
    expect(() => shop.myOrders.list()).toThrow('MyOrders has no customer: call it below a tool with @ActsForUser().');
  });
});
