import { jest } from '@jest/globals';
import type { Order } from '../../src/orders/order.js';
import type { Product } from '../../src/catalog/product.js';
import type { SearchAnswer } from '../../src/search/search.service.js';
import { type Agent, connectAgent } from './agent.js';
import { type ShopApp, startShopApp } from './shop-app.js';

jest.setTimeout(30_000);

describe.each([
  ['a modern client (2026-07-28)', '2026-07-28'],
  ['a client that shakes hands first', undefined],
])('To %s the shop', (_, revision) => {
  let app: ShopApp;
  let agent: Agent;

  beforeAll(async () => {
    app = await startShopApp({ batchMs: 20 });
    agent = await connectAgent(`${app.origin}/mcp`, revision);
  });

  afterAll(async () => {
    await agent?.client.close();
    await app?.close();
  });

  const health = async (): Promise<unknown> => (await fetch(`${app.origin}/health`)).json();
  const stockOf = async (sku: string): Promise<number> => (await agent.data<Product>('shop_stock', { sku })).stock;

  describe('lists its tools', () => {
    it('all with a description and the hints that matter, without the reserved ones (T11, A2)', async () => {
      const { tools } = await agent.client.listTools();

      expect(tools.map(({ name }) => name).toSorted()).toEqual([
        'shop_export',
        'shop_order_create',
        'shop_reindex',
        'shop_search',
        'shop_stock',
      ]);
      for (const { description, annotations = {} } of tools) {
        expect(description!.length).toBeGreaterThan(40);
        expect(annotations.openWorldHint).toBe(false);
        expect(annotations.readOnlyHint).toEqual(expect.any(Boolean));
        expect(annotations.destructiveHint).toBe(annotations.readOnlyHint === true ? undefined : false);
      }
    });

    it('with schemas that keep patterns, enums, arrays and nesting (T13)', async () => {
      const { tools } = await agent.client.listTools();
      const properties = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema.properties as any;

      expect(properties('shop_stock').sku).toMatchObject({ type: 'string', pattern: '^[A-Z]-\\d{3}$' });
      const { categories, price, sort } = properties('shop_search');
      expect(categories).toMatchObject({
        type: 'array',
        items: { enum: expect.arrayContaining(['kitchen', 'textile']) },
      });
      expect(price.properties).toMatchObject({ min: { type: 'integer', minimum: 0 }, max: { type: 'integer' } });
      expect(sort.properties.by.enum).toEqual(['relevance', 'name', 'price', 'stock']);
      expect(properties('shop_order_create').lines).toMatchObject({
        type: 'array',
        minItems: 1,
        items: { required: expect.arrayContaining(['sku', 'quantity']) },
      });
    });

    it('and answers for each reserved one as for one that does not exist (T12)', async () => {
      for (const tool of ['shop_invoice', 'shop_my_orders', 'shop_refund', 'shop_report', 'shop_nothing']) {
        await expect(agent.call(tool, { order: 'O-00001' })).rejects.toThrow(`Unknown tool: ${tool}`);
      }
    });

    it('and counts the reserved ones without naming them (A3)', () => {
      expect(agent.client.getInstructions()).toMatch(/4 more tools are available with authorization\.$/);
    });
  });

  describe('tells the stock', () => {
    it('of a product', async () => {
      expect(await agent.data('shop_stock', { sku: 'A-002' })).toMatchObject({ name: 'Oak cutting board', stock: 30 });
    });

    it('names an unknown SKU and near ones in a result that the agent can act on (T8)', async () => {
      expect(await agent.failure('shop_stock', { sku: 'B-012' })).toMatch(/no product B-012\. Did you mean A-012/);
    });

    it('and what is wrong with arguments (T6, T7)', async () => {
      expect(await agent.failure('shop_stock', { sku: 'knife' })).toContain('sku');
      expect(await agent.failure('shop_stock', {})).toContain('sku');
      expect(await agent.failure('shop_stock', { sku: 'A-001', colour: 'red' })).toContain('colour');
    });
  });

  describe('finds products', () => {
    it('by a nested question, and says how many more there are', async () => {
      const answer = await agent.data<SearchAnswer>('shop_search', {
        categories: ['kitchen', 'garden'],
        price: { min: 2000 },
        sort: { by: 'price', order: 'desc' },
        page: { number: 1, size: 3 },
      });

      expect(answer.products.map(({ name }) => name)).toEqual(['Compost bin', 'Hose reel', "Chef's knife"]);
      expect(answer).toMatchObject({ found: 14, more: 11, pages: 5 });
    });

    it('without any argument', async () => {
      expect(await agent.data('shop_search')).toMatchObject({ found: 60, more: 50, page: 1 });
    });

    it('and names the path of a wrong value deep inside (T7)', async () => {
      const failure = await agent.failure('shop_search', { categories: ['kitchen', 'toys'], page: { number: 'two' } });

      expect(failure).toMatch(/categories\[1\]/);
      expect(failure).toMatch(/page\.number/);
    });
  });

  describe('takes orders', () => {
    it('and the stock goes down', async () => {
      const order = await agent.data<Order>('shop_order_create', {
        customer: 'C-001',
        lines: [{ sku: 'A-003', quantity: 3 }],
      });

      expect(order).toMatchObject({ customer: 'C-001', totalCents: 3 * 5400 });
      expect(await stockOf('A-003')).toBe(5);
    });

    it('but never more than there is, and says for each line how many are left', async () => {
      const lines = [
        { sku: 'A-007', quantity: 1 },
        { sku: 'A-060', quantity: 3 },
      ];

      expect(await agent.failure('shop_order_create', { customer: 'C-002', lines })).toMatch(
        /A-007 \(Rolling pin\): 1 wanted, 0 left; A-060 \(Apron\): 3 wanted, 2 left/,
      );
      expect(await stockOf('A-060')).toBe(2);
    });

    it('of which only as many succeed at once as the stock allows', async () => {
      const question = { customer: 'C-003', lines: [{ sku: 'A-021', quantity: 1 }] };
      const answers = await Promise.all(Array.from({ length: 10 }, () => agent.call('shop_order_create', question)));

      expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(4);
      expect(await stockOf('A-021')).toBe(0);
    });

    it('and gives the same order for the same idempotency key', async () => {
      const question = { customer: 'C-001', lines: [{ sku: 'A-004', quantity: 1 }], idempotencyKey: 'once' };
      const [one, two] = await Promise.all([
        agent.data('shop_order_create', question),
        agent.data('shop_order_create', question),
      ]);

      expect(two).toEqual(one);
      expect(await stockOf('A-004')).toBe(24);
    });
  });

  describe('exports its orders', () => {
    it('as a summary that says how many there are, because they are too many to read (T9)', async () => {
      const text = await agent.text('shop_export');

      expect(text.length).toBeLessThan(32_000);
      const { summary, count } = JSON.parse(text) as { summary: string; count: number };
      expect(summary).toContain('SUMMARY');
      expect(count).toBeGreaterThanOrEqual(120);
    });

    it('and in full once the question is narrow', async () => {
      const orders = await agent.data<Order[]>('shop_export', { customer: 'C-001', since: '2026-04-01' });

      expect(orders.length).toBeGreaterThan(0);
      expect(orders.every(({ customer }) => customer === 'C-001')).toBe(true);
    });
  });

  describe('rebuilds its search index', () => {
    it('until the agent cancels: nothing of the new index is left, and it can start again (R1, R3)', async () => {
      const impatience = new AbortController();
      const cancelled = agent.call(
        'shop_reindex',
        {},
        { signal: impatience.signal, onprogress: () => impatience.abort() },
      );

      await expect(cancelled).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 1_000)); // twice as long as the rest would have taken
      expect(await health()).toMatchObject({ searchIndex: 'missing' });
      expect(await agent.text('shop_reindex')).toContain('60 products');
      expect(await health()).toMatchObject({ searchIndex: 'built' });
    });

    it('with progress that rises to the last of 25 batches, and a sentence at the end (P10, R3)', async () => {
      const seen: { progress: number; total?: number | undefined; message?: string | undefined }[] = [];

      const text = await agent.text('shop_reindex', {}, { onprogress: (progress) => seen.push(progress) });

      expect(text).toBe('The search index holds 60 products now.');
      expect(seen.length).toBeGreaterThan(2);
      expect(seen.map(({ progress }) => progress)).toEqual(
        seen.map(({ progress }) => progress).toSorted((a, b) => a - b),
      );
      expect(seen.at(-1)).toMatchObject({ progress: 25, total: 25, message: 'batch 25 of 25' });
      expect(await agent.data('shop_search', { text: 'cafe' })).toMatchObject({ indexed: true, found: 1 });
    });

    it('once at a time', async () => {
      let running: Promise<string> | undefined;
      await new Promise((underWay) => {
        running = agent.text('shop_reindex', {}, { onprogress: underWay });
      });

      expect(await agent.failure('shop_reindex')).toMatch(/being rebuilt already\. Wait/);
      expect(await running).toContain('60 products');
    });
  });

  it('is still an ordinary Nest application with routes of its own', async () => {
    expect(await health()).toMatchObject({ status: 'ok', products: 60 });
  });
});
