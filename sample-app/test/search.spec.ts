import { lastValueFrom } from 'rxjs';
import { Category } from '../src/catalog/product.js';
import { type SearchQuery, SortKey, SortOrder } from '../src/search/search.query.js';
import { newShopFile, openShop, type OpenShop } from './shop-on-file.js';

const bare = newShopFile();
const indexed = newShopFile();
let withoutIndex: OpenShop;
let withIndex: OpenShop;

beforeAll(async () => {
  withoutIndex = await openShop(bare.file);
  withIndex = await openShop(indexed.file);
  await lastValueFrom(withIndex.index.rebuild());
});

afterAll(() => {
  [withoutIndex, withIndex].forEach(({ database }) => database.close());
  [bare, indexed].forEach(({ clear }) => clear());
});

const names = (shop: OpenShop, query: SearchQuery): string[] =>
  shop.search.search(query).products.map((product) => product.name);

describe.each([
  ['without a full-text index', () => withoutIndex, false],
  ['with the full-text index', () => withIndex, true],
])('Searching %s', (_, shop, usesIndex) => {
  it('finds the products that hold every word, in any case, in name, category or tags', () => {
    const answer = shop().search.search({ text: 'STEEL garden' });

    expect(answer.indexed).toBe(usesIndex);
    expect(answer.products.map(({ name }) => name).toSorted()).toEqual([
      'Garden fork',
      'Hand trowel',
      'Pruning shears',
    ]);
  });

  it('finds the beginning of a word', () => {
    expect(names(shop(), { text: 'trow' })).toEqual(['Hand trowel']);
  });

  it('finds nothing for a word that no product holds', () => {
    expect(shop().search.search({ text: 'spaceship' })).toMatchObject({ found: 0, more: 0, pages: 0, products: [] });
  });

  it.each([
    ['"'],
    ["'; DROP TABLE products; --"],
    ['name:knife'],
    ['knife*'],
    ['NEAR(knife steel, 2)'],
    ['knife AND'],
    ['OR NOT ^knife'],
    ['(knife'],
    ['{name tags}: knife'],
    ['50% _off_ \\ %'],
    ['knife\u0000steel'],
    ['−knife –steel +oak'],
  ])('takes %j for words, never for syntax', (text) => {
    try {
      expect(shop().search.search({ text }).found).toBeGreaterThanOrEqual(0);
    } catch (refusal) {
      expect((refusal as Error).message).toBe(
        'text holds no letter and no digit: give words to look for, or leave it out.',
      );
    }
    expect(shop().stock.count()).toBe(60);
  });

  it('narrows by category, price, and tags that a product must ALL carry', () => {
    const query: SearchQuery = {
      categories: [Category.Kitchen, Category.Outdoor],
      price: { min: 2000, max: 6000 },
      tags: ['cooking', 'camping'],
    };

    expect(names(shop(), query)).toEqual(['Camping stove']);
  });

  it('gives pages that together hold each product once, and says how many more there are', () => {
    const page = (number: number) =>
      shop().search.search({ sort: { by: SortKey.Stock, order: SortOrder.Ascending }, page: { number, size: 25 } });
    const pages = [page(1), page(2), page(3)];

    expect(pages.map(({ found, page, pages, more }) => ({ found, page, pages, more }))).toEqual([
      { found: 60, page: 1, pages: 3, more: 35 },
      { found: 60, page: 2, pages: 3, more: 10 },
      { found: 60, page: 3, pages: 3, more: 0 },
    ]);
    expect(new Set(pages.flatMap(({ products }) => products.map(({ sku }) => sku))).size).toBe(60);
    expect(page(4)).toMatchObject({ found: 60, more: 0, products: [] });
  });

  it.each([
    [SortKey.Price, SortOrder.Descending, 'Walnut desk'],
    [SortKey.Price, SortOrder.Ascending, 'Seed tray'],
    [SortKey.Name, SortOrder.Ascending, 'Apron'],
    [SortKey.Name, SortOrder.Descending, 'Wool throw'],
    [SortKey.Stock, SortOrder.Descending, 'Seed tray'],
    [SortKey.Relevance, SortOrder.Descending, "Chef's knife"],
  ])('sorts by %s, %s', (by, order, first) => {
    expect(names(shop(), { sort: { by, order } })[0]).toBe(first);
  });
});

describe('A search', () => {
  it('ranks by relevance when the index is there, and ignores accents', () => {
    expect(names(withIndex, { text: 'cafe' })).toEqual(['Café press']);
    expect(names(withIndex, { text: 'light' })[0]).toMatch(/light/i);
  });

  it('refuses a price range that no price is in, naming both ends', () => {
    expect(() => withIndex.search.search({ price: { min: 900, max: 100 } })).toThrow(
      'price.min (900) is above price.max (100): no price is both. Exchange them.',
    );
  });
});
