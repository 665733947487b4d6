/** What clients read of the shop, through both official clients in every mode, on Express and Fastify. */
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { CLIENTS, type OfficialClient } from '../../../test/e2e/official-clients.js';
import { startShopApp, type ShopApp } from './shop-app.js';

describe.each([
  ['Express', undefined],
  ['Fastify', () => new FastifyAdapter()],
])('The shop on %s', (_, adapter) => {
  let app: ShopApp;
  beforeAll(async () => {
    app = await startShopApp(adapter && { adapter: adapter() });
  });
  afterAll(() => app?.close());

  describe.each(CLIENTS)('shows the $name', ({ connect }) => {
    let client: OfficialClient;
    beforeAll(async () => {
      client = await connect(new URL(`${app.origin}/mcp`));
    });
    afterAll(async () => {
      client.checked();
      await client.close();
    });

    it('its catalogue, whose links can be read', async () => {
      expect(await client.resources()).toMatchObject([{ uri: 'shop://catalogue', mimeType: 'text/markdown' }]);
      const [catalogue] = await client.read('shop://catalogue');
      const links = Array.from(catalogue!.text!.matchAll(/\((shop:[^)]+)\)/g), ([, uri]) => uri!);
      expect(links).toHaveLength(60);
      const [product] = await client.read(links[1]!);
      expect(JSON.parse(product!.text!)).toMatchObject({ sku: 'A-002', name: 'Oak cutting board', stock: 30 });
    });

    it('a prompt that reviews an order, with the order in it and links to its products', async () => {
      expect(await client.prompts()).toMatchObject([
        { name: 'shop_order_review', arguments: [{ name: 'order', required: true }, { name: 'focus' }] },
      ]);
      const messages = await client.prompt('shop_order_review', { order: 'O-00001', focus: 'prices' });
      expect(messages.map(({ role }) => role)).toEqual(messages.map(() => 'user'));
      const contents = messages.map(({ content }) => content as { type: string; text?: string; uri?: string });
      expect(contents[0]!.text).toMatch(/O-00001.*prices of the lines/);
      expect(contents[1]).toMatchObject({ type: 'resource', resource: { uri: 'shop://orders/O-00001' } });
      const link = contents.find(({ type }) => type === 'resource_link');
      expect(JSON.parse((await client.read(link!.uri!))[0]!.text!)).toHaveProperty('stock');
      await expect(client.prompt('shop_order_review', { order: 'O-99999' })).rejects.toThrow(/no order O-99999/);
      await expect(client.prompt('shop_order_review', { focus: 'luck' })).rejects.toThrow(/order(.|\n)*focus/);
    });

    it('SKUs while one is typed, by their names too, and what a review may look at', async () => {
      const sku = { type: 'ref/resource', uri: 'shop://products/{sku}' } as const;
      expect(await client.complete(sku, { name: 'sku', value: 'a-01' })).toMatchObject({ total: 10, hasMore: false });
      expect(await client.complete(sku, { name: 'sku', value: 'cutting' })).toMatchObject({ values: ['A-002'] });
      const review = { type: 'ref/prompt', name: 'shop_order_review' } as const;
      expect(await client.complete(review, { name: 'focus', value: 'p' })).toMatchObject({ values: ['prices'] });
    });

    it('near products in place of one that is not there', async () => {
      expect(await client.templates()).toMatchObject([{ uriTemplate: 'shop://products/{sku}' }]);
      await expect(client.read('shop://products/B-012')).rejects.toThrow(/Did you mean A-012/);
      await expect(client.read('shop://products/knife')).rejects.toThrow(/sku/);
    });
  });
});
