/**
 * Places orders: everything is checked and written in one transaction, so that nothing is ever sold twice.
 */
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { StockService } from '../catalog/stock.service.js';
import { ShopDatabase } from '../database/shop.database.js';
import { type Order, orderId } from './order.js';
import { OrderBook } from './order-book.service.js';
import type { OrderRequest, OrderRequestLine } from './order.request.js';

interface Shelf {
  readonly name: string;
  readonly stock: number;
  readonly priceCents: number;
}

@Injectable()
export class Checkout {
  constructor(
    private readonly database: ShopDatabase,
    private readonly stock: StockService,
    private readonly book: OrderBook,
  ) {}

  /**
   * Takes the goods off the shelf and writes the order. The same idempotency key gives the order that it gave first.
   * @throws NotFoundException for an unknown customer or product
   * @throws ConflictException when a line asks for more than is left, or the key belongs to another request
   */
  place(request: OrderRequest): Order {
    const lines = merged(request.lines);
    const wanted = JSON.stringify([request.customer, lines]);
    return this.database.transaction(() => {
      const earlier = this.placedUnder(request.idempotencyKey, wanted);
      if (earlier !== undefined) return this.book.find(earlier);
      this.checkCustomer(request.customer);
      const shelves = this.checkLines(lines);
      return this.book.find(this.write(request, wanted, lines, shelves));
    });
  }

  private placedUnder(key: string | undefined, wanted: string): string | undefined {
    if (key === undefined) return undefined;
    const earlier = this.database.row<{ id: number; wanted: string }>(
      'SELECT id, wanted FROM orders WHERE idempotency_key = ?',
      key,
    );
    if (!earlier || earlier.wanted === wanted) return earlier && orderId(earlier.id);
    throw new ConflictException(
      `The idempotency key ${key} belongs to order ${orderId(earlier.id)}, which asked for something else. ` +
        'Use a new key for a new order.',
    );
  }

  private checkCustomer(id: string): void {
    if (this.database.row('SELECT 1 FROM customers WHERE id = ?', id)) return;
    const known = this.database.row<{ first: string; last: string }>(
      'SELECT min(id) AS first, max(id) AS last FROM customers',
    )!;
    throw new NotFoundException(`There is no customer ${id}. They run from ${known.first} to ${known.last}.`);
  }

  private checkLines(lines: readonly OrderRequestLine[]): readonly Shelf[] {
    const shelves = lines.map(({ sku }) =>
      this.database.row<Shelf>('SELECT name, stock, price_cents AS priceCents FROM products WHERE sku = ?', sku),
    );
    const unknown = lines.filter((_, at) => !shelves[at]).map(({ sku }) => this.stock.unknown(sku));
    if (unknown.length > 0) throw new NotFoundException(`Nothing was ordered. ${unknown.join(' ')}`);
    const known = shelves as readonly Shelf[];
    const short = lines.flatMap(({ sku, quantity }, at) => {
      const { name, stock } = known[at]!;
      return quantity > stock ? [`${sku} (${name}): ${quantity} wanted, ${stock} left`] : [];
    });
    if (short.length > 0)
      throw new ConflictException(`Nothing was ordered: the stock is too small. ${short.join('; ')}.`);
    return known;
  }

  private write(
    { customer, idempotencyKey }: OrderRequest,
    wanted: string,
    lines: readonly OrderRequestLine[],
    shelves: readonly Shelf[],
  ): string {
    const { id } = this.database.row<{ id: number }>(
      'INSERT INTO orders (customer, placed_at, idempotency_key, wanted) VALUES (?, ?, ?, ?) RETURNING id',
      customer,
      new Date().toISOString(),
      idempotencyKey ?? null,
      wanted,
    )!;
    lines.forEach(({ sku, quantity }, at) => {
      this.database.run('INSERT INTO order_lines VALUES (?, ?, ?, ?)', id, sku, quantity, shelves[at]!.priceCents);
      this.database.run('UPDATE products SET stock = stock - ? WHERE sku = ?', quantity, sku);
    });
    return orderId(id);
  }
}

/** Two lines of one product are one line of their sum: neither may hide behind the other. */
function merged(lines: readonly OrderRequestLine[]): OrderRequestLine[] {
  const quantities = new Map<string, number>();
  for (const { sku, quantity } of lines) quantities.set(sku, (quantities.get(sku) ?? 0) + quantity);
  return [...quantities].toSorted(([a], [b]) => a.localeCompare(b)).map(([sku, quantity]) => ({ sku, quantity }));
}
