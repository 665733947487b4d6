import { newShopFile, openShop, type OpenShop } from './shop-on-file.js';

const { file, clear } = newShopFile();
let shop: OpenShop;
beforeAll(async () => (shop = await openShop(file)));
afterAll(() => {
  shop.database.close();
  clear();
});

describe('The account of a customer', () => {
  it('is found by the id that tokens carry', () => {
    expect(shop.accounts.find('C-001')).toEqual({ id: 'C-001', roles: ['customer'], active: true });
  });

  it('is not active once the customer is disabled, and active again afterwards', () => {
    shop.database.run("UPDATE customers SET disabled = 1 WHERE id = 'C-002'");
    expect(shop.accounts.find('C-002')).toMatchObject({ active: false });

    shop.database.run("UPDATE customers SET disabled = 0 WHERE id = 'C-002'");
    expect(shop.accounts.find('C-002')).toMatchObject({ active: true });
  });

  it.each([[''], ['C-999'], ["C-001' OR '1' = '1"], ['c-001']])('does not exist for %j', (id) => {
    expect(shop.accounts.find(id)).toBeUndefined();
  });
});
