import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { authorizationMatrix, expectAnnotated, mcpTestClient } from 'nestjs-mcp-gate/testing';
import { AppModule } from './shop.module.js';

describe('the tools of the shop', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = module.createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  it('all say what a client must know of them', () => expectAnnotated(app));

  it('read the stock', async () => {
    const { text } = await mcpTestClient(app).call('shop_stock', { sku: 'A-001' });
    expect(text).toBe('12 pieces of A-001');
  });

  it('tell how far they have come', async () => {
    const writer = mcpTestClient(app, { caller: { subject: 'ann', scopes: ['shop:write'] } });
    const heard: number[] = [];
    await writer.call('shop_reindex', {}, { onProgress: ({ progress }) => heard.push(progress) });
    expect(heard.at(-1)).toBe(3);
  });

  it('are only for whom they are meant for', async () => {
    await expect(mcpTestClient(app).call('shop_reindex')).rejects.toMatchObject({ code: -32602 });
    const callers = { guest: {}, writer: { subject: 'ann', scopes: ['shop:write'] } };
    const matrix = await authorizationMatrix(app, callers, { arguments: { shop_report: { publish: true } } });
    expect(String(matrix)).toMatchInlineSnapshot(`
"tool         | guest                                  | writer
shop_reindex | hidden: it needs the scopes shop:write | calls
shop_report  | challenged: shop:write                 | calls
shop_stock   | calls                                  | calls"
`);
  });
});
