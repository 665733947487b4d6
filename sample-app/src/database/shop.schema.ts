/**
 * The shop's tables, version by version. Prices are whole cents; the constraints hold even when a query is wrong: no
 * stock below zero, no order of an unknown product, no order refunded twice.
 */
import { CATEGORIES } from '../catalog/product.js';

const SHOP = `
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

const ACCOUNTS_REFUNDS_AND_REPORTS = `
  ALTER TABLE customers ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1));

  CREATE TABLE refunds (
    order_id    INTEGER PRIMARY KEY REFERENCES orders,
    cents       INTEGER NOT NULL CHECK (cents > 0),
    refunded_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE published_reports (
    month        TEXT PRIMARY KEY,
    published_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** What each version adds to the one before it. A file says in `PRAGMA user_version` how many it has. */
export const SCHEMA_VERSIONS: readonly string[] = [SHOP, ACCOUNTS_REFUNDS_AND_REPORTS];
