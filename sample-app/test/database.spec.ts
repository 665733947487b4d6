import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { wordsFor } from '../../test/support/compiled.js';
import { ShopDatabase } from '../src/database/shop.database.js';
import { SCHEMA_VERSIONS } from '../src/database/shop.schema.js';

let folder: string;
let file: string;
const opened: ShopDatabase[] = [];

async function open(path = file): Promise<ShopDatabase> {
  const database = await ShopDatabase.open(path);
  opened.push(database);
  return database;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
  file = join(folder, 'shop.db');
});

afterEach(() => {
  opened.splice(0).forEach((database) => database.close());
  rmSync(folder, { recursive: true, force: true });
});

const everything = (database: ShopDatabase): unknown =>
  ['products', 'product_tags', 'customers', 'orders', 'order_lines'].map((table) =>
    database.rows(`SELECT * FROM ${table} ORDER BY 1, 2`),
  );

describe('The first start', () => {
  it('fills the shop with sixty products, A-001 to A-060, customers and orders with lines', async () => {
    const database = await open();

    const skus = database.rows<{ sku: string }>('SELECT sku FROM products ORDER BY sku').map(({ sku }) => sku);
    expect(skus).toEqual(Array.from({ length: 60 }, (_, at) => `A-${String(at + 1).padStart(3, '0')}`));
    expect(database.row('SELECT count(*) AS customers FROM customers')).toEqual({ customers: 12 });
    expect(database.row('SELECT count(*) AS orders FROM orders')).toEqual({ orders: 120 });
    expect(database.rows('SELECT id FROM orders WHERE id NOT IN (SELECT order_id FROM order_lines)')).toEqual([]);
  });

  it('gives the same shop on every machine', async () => {
    expect(everything(await open(join(folder, 'one.db')))).toEqual(everything(await open(join(folder, 'two.db'))));
  });

  it('makes the folder of the file', async () => {
    await expect(open(join(folder, 'a', 'b', 'shop.db'))).resolves.toBeInstanceOf(ShopDatabase);
  });
});

describe('A later start', () => {
  it('finds what was changed before', async () => {
    const first = await open();
    first.run("UPDATE products SET stock = 99 WHERE sku = 'A-001'");
    first.close();

    const second = await open();

    expect(second.row("SELECT stock FROM products WHERE sku = 'A-001'")).toEqual({ stock: 99 });
    expect(second.row('SELECT count(*) AS orders FROM orders')).toEqual({ orders: 120 });
  });

  it('brings a file of the first version up to date, and keeps what is in it', async () => {
    const old = new Database(file);
    old.exec(`${SCHEMA_VERSIONS[0]}; PRAGMA user_version = 1;
      INSERT INTO customers VALUES ('C-900', 'Nora Lind', 'nora@example.com', 'SE')`);
    old.close();

    const database = await open();

    expect(database.rows('SELECT id, name, disabled FROM customers')).toEqual([
      { id: 'C-900', name: 'Nora Lind', disabled: 0 },
    ]);
    expect(database.rows('SELECT * FROM refunds')).toEqual([]);
    database.close();
    await expect(open()).resolves.toBeInstanceOf(ShopDatabase);
  });

  it.each([
    ['is no database', () => writeFileSync(file, 'not a database, whatever its name says. '.repeat(100))],
    ['holds the tables of something else', () => new Database(file).exec('CREATE TABLE t (a)')],
    ['was written by a later version of the shop', () => new Database(file).exec('PRAGMA user_version = 7')],
  ])('refuses a file that %s, and says what to do', async (_, write) => {
    write();

    await expect(open()).rejects.toThrow(/shop\.db .* Name another file in SHOP_DB, or delete this one/);
  });

  it('names SHOP_DB when the file cannot be opened', async () => {
    await expect(open(folder)).rejects.toThrow(`The database ${folder} cannot be opened. Name a file`);
  });
});

describe('A transaction', () => {
  it('leaves nothing behind when it throws', async () => {
    const database = await open();

    expect(() =>
      database.transaction(() => {
        database.run('DELETE FROM product_tags');
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');

    expect(database.row('SELECT count(*) > 0 AS kept FROM product_tags')).toEqual({ kept: 1 });
    expect(database.transaction(() => 'the next one works')).toBe('the next one works');
  });

  it('cannot take a stock below zero nor order a product that does not exist', async () => {
    const database = await open();

    expect(() => database.run("UPDATE products SET stock = -1 WHERE sku = 'A-001'")).toThrow(/CHECK/);
    expect(() => database.run("INSERT INTO order_lines VALUES (1, 'Z-999', 1, 1)")).toThrow(/FOREIGN KEY/);
  });
});

describe('Several processes that start at once on a new file', () => {
  const program = wordsFor(new URL('processes/order-until-refused.ts', import.meta.url));

  async function prepare(): Promise<() => Promise<{ got: number; refusal: string }>> {
    const child = spawn(process.execPath, [...program, file, 'A-017'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const exited = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), exited]);
    return async () => {
      child.stdin.write('go\n');
      expect(await exited).toEqual([0, null]);
      return JSON.parse(output.replace('ready\n', '')) as { got: number; refusal: string };
    };
  }

  it('seed it once, and together sell exactly the stock of a product', async () => {
    const processes = await Promise.all([prepare(), prepare(), prepare()]);

    const ended = await Promise.all(processes.map((start) => start()));

    expect(ended.reduce((sum, { got }) => sum + got, 0)).toBe(200);
    for (const { refusal } of ended) expect(refusal).toContain('A-017 (Seed tray): 1 wanted, 0 left');
    const database = await open();
    expect(database.row("SELECT stock FROM products WHERE sku = 'A-017'")).toEqual({ stock: 0 });
    expect(database.row('SELECT count(*) AS orders FROM orders')).toEqual({ orders: 320 });
    expect(database.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  }, 120_000);
});
