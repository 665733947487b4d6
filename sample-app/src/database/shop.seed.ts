/**
 * The shop on its first day: the same products, customers and past orders on every machine.
 */
import { CATEGORIES } from '../catalog/product.js';
import { PRODUCT_SEED } from './products.seed.js';

/** What seeding needs of a database. */
export interface SeedTarget {
  run(sql: string, ...values: (string | number)[]): number;
}

const ORDERS = 120;
const CUSTOMERS = [
  ['Ada Berg', 'SE'],
  ['Bruno Costa', 'PT'],
  ['Chloé Martin', 'FR'],
  ['Dilan Kaya', 'TR'],
  ['Emil Novak', 'CZ'],
  ['Freya Olsen', 'DK'],
  ['Gina Rossi', 'IT'],
  ['Hugo Peeters', 'BE'],
  ['Irene Papas', 'GR'],
  ['Jan de Vries', 'NL'],
  ['Kaisa Laine', 'FI'],
  ['Luis Romero', 'ES'],
] as const;

/** Fills empty tables. Call it inside the transaction that created them. */
export function seedShop(target: SeedTarget): void {
  const prices = seedProducts(target);
  CUSTOMERS.forEach(([name, country], at) => {
    const email = `${name
      .split(' ')[0]!
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase()}@example.com`;
    const columns = 'INSERT INTO customers (id, name, email, country)';
    target.run(`${columns} VALUES (?, ?, ?, ?)`, `C-${padded(at + 1)}`, name, email, country);
  });
  seedOrders(target, prices);
}

function seedProducts(target: SeedTarget): readonly number[] {
  const products = CATEGORIES.flatMap((category) => PRODUCT_SEED[category].map((seed) => ({ category, seed })));
  products.forEach(({ category, seed: [name, priceCents, stock, tags] }, at) => {
    const sku = `A-${padded(at + 1)}`;
    target.run('INSERT INTO products VALUES (?, ?, ?, ?, ?)', sku, name, category, priceCents, stock);
    for (const tag of tags.split(' ')) target.run('INSERT INTO product_tags VALUES (?, ?)', sku, tag);
  });
  return products.map(({ seed }) => seed[1]);
}

function seedOrders(target: SeedTarget, prices: readonly number[]): void {
  const dice = fixedDice(20_260_728);
  const firstDay = Date.UTC(2026, 0, 5, 9);
  for (let id = 1; id <= ORDERS; id++) {
    const placedAt = new Date(firstDay + id * 86_400_000).toISOString();
    const customer = `C-${padded(1 + dice(CUSTOMERS.length))}`;
    target.run('INSERT INTO orders (id, customer, placed_at) VALUES (?, ?, ?)', id, customer, placedAt);
    const places = new Set(Array.from({ length: 2 + dice(4) }, () => dice(prices.length)));
    for (const at of places) {
      const line = [id, `A-${padded(at + 1)}`, 1 + dice(5), prices[at]!];
      target.run('INSERT INTO order_lines VALUES (?, ?, ?, ?)', ...line);
    }
  }
}

const padded = (number: number): string => String(number).padStart(3, '0');

/** A linear congruential generator: as good as chance for a sample, and the same everywhere. */
function fixedDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
