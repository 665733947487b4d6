/**
 * The shop's tables. Prices are whole cents; the constraints hold even when a query is wrong: no stock below zero, no
 * order of an unknown product.
 */
import { CATEGORIES } from '../catalog/product.js';

/** Written into the file (`PRAGMA user_version`); raised with each change of the tables. */
export const SCHEMA_VERSION = 1;

export const SCHEMA = `
  CREATE TABLE products (
    sku         TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    category    TEXT NOT NULL CHECK (category IN (${CATEGORIES.map((category) => `'${category}'`).join(', ')})),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    stock       INTEGER NOT NULL CHECK (stock >= 0)
  ) STRICT;

  CREATE TABLE product_tags (
    sku TEXT NOT NULL REFERENCES products,
    tag TEXT NOT NULL,
    PRIMARY KEY (sku, tag)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE customers (
    id      TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    email   TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL
  ) STRICT;

  CREATE TABLE orders (
    id              INTEGER PRIMARY KEY,
    customer        TEXT NOT NULL REFERENCES customers,
    placed_at       TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    wanted          TEXT
  ) STRICT;

  CREATE TABLE order_lines (
    order_id   INTEGER NOT NULL REFERENCES orders,
    sku        TEXT NOT NULL REFERENCES products,
    quantity   INTEGER NOT NULL CHECK (quantity > 0),
    unit_cents INTEGER NOT NULL CHECK (unit_cents > 0),
    PRIMARY KEY (order_id, sku)
  ) STRICT, WITHOUT ROWID;

  -- At most one row: who rebuilds the search index, and until when its claim holds.
  CREATE TABLE search_build (
    slot       INTEGER PRIMARY KEY CHECK (slot = 1),
    owner      TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
`;
