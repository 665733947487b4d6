/** What was sold in a month, and which months are published. */
import { Injectable } from '@nestjs/common';
import type { Category } from '../catalog/product.js';
import { ShopDatabase } from '../database/shop.database.js';

interface CategorySales {
  readonly category: Category;
  readonly pieces: number;
  readonly totalCents: number;
}

export interface Report {
  readonly month: string;
  readonly orders: number;
  readonly totalCents: number;
  /** The best-selling first. */
  readonly byCategory: readonly CategorySales[];
  /** Absent as long as the month is not published. */
  readonly publishedAt?: string;
}

const SALES_BY_CATEGORY = `
  SELECT p.category, sum(l.quantity) AS pieces, sum(l.quantity * l.unit_cents) AS totalCents
  FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN products p ON p.sku = l.sku
  WHERE substr(o.placed_at, 1, 7) = ? GROUP BY p.category ORDER BY totalCents DESC, p.category`;
const ORDERS_OF_MONTH = 'SELECT count(*) AS orders FROM orders WHERE substr(placed_at, 1, 7) = ?';
const PUBLISHED = 'SELECT published_at AS publishedAt FROM published_reports WHERE month = ?';

@Injectable()
export class ReportService {
  constructor(private readonly database: ShopDatabase) {}

  of(month: string): Report {
    const byCategory = this.database.rows<CategorySales>(SALES_BY_CATEGORY, month);
    return {
      month,
      ...this.database.row<{ orders: number }>(ORDERS_OF_MONTH, month)!,
      totalCents: byCategory.reduce((sum, { totalCents }) => sum + totalCents, 0),
      byCategory,
      ...this.database.row<{ publishedAt: string }>(PUBLISHED, month),
    };
  }

  /** The report, published from now on; a month that is published already stays so since then. */
  publish(month: string): Report {
    const now = new Date().toISOString();
    this.database.run('INSERT INTO published_reports VALUES (?, ?) ON CONFLICT DO NOTHING', month, now);
    return this.of(month);
  }
}
