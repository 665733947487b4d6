import { ShopSettings } from '../src/settings/shop.settings.js';

describe('The settings of the shop', () => {
  it('have defaults: port 3000, a tenth of a second between batches, a file under the temporary folder', () => {
    const settings = ShopSettings.from({});

    expect(settings).toMatchObject({ port: 3000, batchMs: 100 });
    expect(settings.file).toMatch(/nestjs-mcp-gate-shop-\w+.shop\.db$/);
  });

  it('are read from PORT, SHOP_BATCH_MS and SHOP_DB', () => {
    expect(ShopSettings.from({ PORT: '0', SHOP_BATCH_MS: '5', SHOP_DB: '/data/shop.db' })).toEqual({
      port: 0,
      batchMs: 5,
      file: '/data/shop.db',
    });
  });

  it.each([
    [{ PORT: 'http' }, 'PORT is "http": give a whole number from 0 to 65535, or leave it out for 3000.'],
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ SHOP_BATCH_MS: '1.5' }, 'SHOP_BATCH_MS is "1.5": give a whole number from 0 to 10000'],
  ])('refuse %j and say what is accepted', (env, message) => {
    expect(() => ShopSettings.from(env)).toThrow(message);
  });
});
