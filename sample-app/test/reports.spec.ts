import { newShopFile, openShop, type OpenShop } from './shop-on-file.js';

const { file, clear } = newShopFile();
let shop: OpenShop;
beforeAll(async () => (shop = await openShop(file)));
afterAll(() => {
  shop.database.close();
  clear();
});

describe('The report of a month', () => {
  it('counts its orders and adds up what was sold in each category, the best-selling first', () => {
    const report = shop.reports.of('2026-03');
    const orders = shop.book.list({ since: '2026-03-01' }).filter(({ placedAt }) => placedAt < '2026-04-01');

    expect(report).toMatchObject({ month: '2026-03', orders: 31 });
    expect(orders).toHaveLength(31);
    expect(report.totalCents).toBe(orders.reduce((sum, { totalCents }) => sum + totalCents, 0));
    expect(report.byCategory.map(({ totalCents }) => totalCents)).toEqual(
      report.byCategory.map(({ totalCents }) => totalCents).toSorted((a, b) => b - a),
    );
  });

  it('is empty for a month without orders', () => {
    expect(shop.reports.of('2020-01')).toEqual({ month: '2020-01', orders: 0, totalCents: 0, byCategory: [] });
  });

  it('says since when it is published, and a second publication changes nothing', () => {
    expect(shop.reports.of('2026-02').publishedAt).toBeUndefined();
    const { publishedAt } = shop.reports.publish('2026-02');

    expect(publishedAt).toMatch(/^\d{4}-/);
    expect(shop.reports.publish('2026-02').publishedAt).toBe(publishedAt);
    expect(shop.reports.of('2026-02').publishedAt).toBe(publishedAt);
    expect(shop.reports.of('2026-03').publishedAt).toBeUndefined();
  });
});
