import { nearSkus } from '../src/catalog/near-skus.js';
import { newShopFile, openShop, type OpenShop } from './shop-on-file.js';

const { file, clear } = newShopFile();
let shop: OpenShop;
beforeAll(async () => (shop = await openShop(file)));
afterAll(() => {
  shop.database.close();
  clear();
});

describe('Reading the stock', () => {
  it('gives the product with its price in cents, its stock and its tags', () => {
    expect(shop.stock.find('A-001')).toEqual({
      sku: 'A-001',
      name: "Chef's knife",
      category: 'kitchen',
      priceCents: 6900,
      stock: 12,
      tags: ['cooking', 'steel'],
    });
  });

  it('names an unknown SKU and proposes near ones', () => {
    expect(() => shop.stock.find('B-012')).toThrow(
      'There is no product B-012. Did you mean A-012, A-002, A-010? Find others by their name.',
    );
  });
});

describe('Near SKUs', () => {
  it('are those that differ in the fewest characters, in their order', () => {
    expect(nearSkus('A-099', ['A-001', 'B-099', 'A-019', 'A-009', 'C-777'])).toEqual(['A-009', 'A-019', 'B-099']);
  });

  it('exist for a SKU of another length and for a shop with few products', () => {
    expect(nearSkus('A-1', ['A-001', 'A-100'])).toEqual(['A-100', 'A-001']);
    expect(nearSkus('A-1', [])).toEqual([]);
  });
});
