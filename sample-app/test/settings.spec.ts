import { portFault } from '../src/settings/port-fault.js';
import { ShopSettings } from '../src/settings/shop.settings.js';

describe('The settings of the shop', () => {
  it('have defaults: port 3000, a tenth of a second between batches, a file under the temporary folder', () => {
    const settings = ShopSettings.from({});

    expect(settings).toMatchObject({ port: 3000, batchMs: 100 });
    expect(settings.file).toMatch(/nestjs-mcp-gate-shop-\w+.shop\.db$/);
  });

  it('are read from PORT, SHOP_BATCH_MS, SHOP_DB and SHOP_ISSUER', () => {
    const issuer = 'http://127.0.0.1:3001';

    expect(ShopSettings.from({ PORT: '0', SHOP_BATCH_MS: '5', SHOP_DB: '/data/shop.db', SHOP_ISSUER: issuer })).toEqual(
      { port: 0, batchMs: 5, file: '/data/shop.db', issuer },
    );
  });

  it('name no issuer by default, also when the variable is empty', () => {
    expect(ShopSettings.from({}).issuer).toBeUndefined();
    expect(ShopSettings.from({ SHOP_ISSUER: '' }).issuer).toBeUndefined();
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

describe('A port that cannot be had', () => {
  const wanted = { host: '127.0.0.1', port: 80, variable: 'OAUTH_PORT', command: 'npm run start:oauth' };

  it.each([
    ['EADDRINUSE', 'Port 80 of 127.0.0.1 is taken. OAUTH_PORT=0 npm run start:oauth takes a free one.'],
    [
      'EACCES',
      'Port 80 needs rights that you do not have. Choose one from 1024 on: OAUTH_PORT=3000 npm run start:oauth',
    ],
    ['EADDRNOTAVAIL', 'Port 80 of 127.0.0.1 cannot be listened on: no such address'],
  ])('is named with the way out (%s)', (code, message) => {
    const fault = portFault(Object.assign(new Error('no such address'), { code }), wanted);

    expect(fault).toMatchObject({ name: 'StartFault', message });
  });
});
