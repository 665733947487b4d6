/**
 * Finds products: one WHERE clause made of the parts of the question, one page of the answer, and how much is left.
 */
import { BadRequestException, Injectable } from '@nestjs/common';
import { PRODUCT_COLUMNS, readProduct, type Product, type ProductRow } from '../catalog/product.js';
import { ShopDatabase, type SqlValue } from '../database/shop.database.js';
import { SearchIndex } from './search-index.service.js';
import { SearchPage, SortKey, SortOrder, type SearchQuery, type SearchSort } from './search.query.js';
import { fullTextExpression, searchWords } from './search-words.js';

export interface SearchAnswer {
  /** How many products match, on all pages. */
  readonly found: number;
  readonly page: number;
  readonly pages: number;
  /** How many matching products come after this page. */
  readonly more: number;
  /** Whether the text was looked up in the full-text index. */
  readonly indexed: boolean;
  readonly products: readonly Product[];
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const COLUMN: Readonly<Record<Exclude<SortKey, SortKey.Relevance>, string>> = {
  [SortKey.Name]: 'p.name COLLATE NOCASE',
  [SortKey.Price]: 'p.price_cents',
  [SortKey.Stock]: 'p.stock',
};

@Injectable()
export class SearchService {
  constructor(
    private readonly database: ShopDatabase,
    private readonly index: SearchIndex,
  ) {}

  /** @throws BadRequestException when the question contradicts itself. */
  search(query: SearchQuery): SearchAnswer {
    const words = wordsOf(query.text);
    const indexed = words.length > 0 && this.index.exists();
    const conditions = [...(indexed ? [inIndex(words)] : words.map(inTable)), ...filters(query)];
    const source = `FROM products p ${indexed ? 'JOIN product_text ON product_text.sku = p.sku' : ''}
      WHERE ${['1', ...conditions.map((condition) => condition.sql)].join(' AND ')}`;
    const values = conditions.flatMap((condition) => condition.values);
    const { number, size } = query.page ?? new SearchPage();
    const skipped = (number - 1) * size;

    const { found } = this.database.row<{ found: number }>(`SELECT count(*) AS found ${source}`, ...values)!;
    const rows = this.database.rows<ProductRow>(
      `SELECT ${PRODUCT_COLUMNS} ${source} ORDER BY ${order(query.sort, indexed)} LIMIT ? OFFSET ?`,
      ...values,
      size,
      skipped,
    );
    const more = Math.max(0, found - skipped - rows.length);
    return { found, page: number, pages: Math.ceil(found / size), more, indexed, products: rows.map(readProduct) };
  }
}

function wordsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const words = searchWords(text);
  if (words.length > 0) return words;
  throw new BadRequestException('text holds no letter and no digit: give words to look for, or leave it out.');
}

const inIndex = (words: readonly string[]): Condition => ({
  sql: 'product_text MATCH ?',
  values: [fullTextExpression(words)],
});

const inTable = (word: string): Condition => ({
  sql: `(p.name || ' ' || p.category || ' ' ||
    (SELECT group_concat(t.tag, ' ') FROM product_tags t WHERE t.sku = p.sku)) LIKE ?`,
  values: [`%${word}%`],
});

function filters({ categories, price, tags }: SearchQuery): Condition[] {
  const { min, max } = price ?? {};
  if (min !== undefined && max !== undefined && min > max) {
    throw new BadRequestException(`price.min (${min}) is above price.max (${max}): no price is both. Exchange them.`);
  }
  const wanted = [...new Set(tags)];
  const conditions: (Condition | undefined)[] = [
    categories?.length
      ? { sql: 'p.category IN (SELECT value FROM json_each(?))', values: [JSON.stringify(categories)] }
      : undefined,
    min === undefined ? undefined : { sql: 'p.price_cents >= ?', values: [min] },
    max === undefined ? undefined : { sql: 'p.price_cents <= ?', values: [max] },
    ...wanted.map((tag) => ({
      sql: 'EXISTS (SELECT 1 FROM product_tags t WHERE t.sku = p.sku AND t.tag = ?)',
      values: [tag],
    })),
  ];
  return conditions.filter((condition) => condition !== undefined);
}

/** Ties, and answers without an order of their own, follow the SKU: the same question gives the same pages. */
function order(sort: SearchSort | undefined, indexed: boolean): string {
  const by = sort?.by ?? SortKey.Relevance;
  if (by === SortKey.Relevance) return indexed ? 'product_text.rank, p.sku' : 'p.sku';
  return `${COLUMN[by]} ${sort?.order === SortOrder.Descending ? 'DESC' : 'ASC'}, p.sku`;
}
