import { jest } from '@jest/globals';
import { type OfficialStdioClient, STDIO_CLIENTS } from '../../../test/e2e/official-stdio-clients.js';
import { StdioChild } from '../../../test/stdio/child.js';
import { wordsFor } from '../../../test/support/compiled.js';
import { newShopFile } from '../shop-on-file.js';

jest.setTimeout(120_000); // processes start slowly on a busy machine

const MAIN = wordsFor(new URL('../../src/main.stdio.ts', import.meta.url));

describe.each(STDIO_CLIENTS)('npm run start:stdio, as the server of the $name', ({ connect }) => {
  const { file, clear } = newShopFile();
  let client: OfficialStdioClient;

  beforeAll(async () => {
    const env = { SHOP_DB: file, SHOP_BATCH_MS: '20', NO_COLOR: '1' };
    client = await connect({ command: process.execPath, args: MAIN, env });
  });

  afterAll(async () => {
    await client?.close();
    clear();
  });

  it('lists the tools of the open gate, without those that wait for a token, which it counts (S3, A3)', async () => {
    expect((await client.list()).map(({ name }) => name).toSorted()).toEqual([
      'shop_export',
      'shop_order_create',
      'shop_reindex',
      'shop_search',
      'shop_stock',
    ]);
    expect(client.instructions()).toMatch(/4 more tools are available with authorization\.$/);
  });

  it('calls them: results, business failures, and unknown tools', async () => {
    const stock = await client.call('shop_stock', { sku: 'A-002' });
    expect(JSON.parse(stock.content[0]?.text ?? '')).toMatchObject({ name: 'Oak cutting board', stock: 30 });
    expect(await client.call('shop_stock', { sku: 'B-012' })).toMatchObject({ isError: true });
    await expect(client.call('shop_refund')).rejects.toMatchObject({
      code: -32602,
      message: /Unknown tool: shop_refund$/,
    });
  });

  it('receives progress, then the result (P10)', async () => {
    const seen: number[] = [];
    const answer = await client.call('shop_reindex', {}, { onprogress: ({ progress }) => seen.push(progress) });
    expect(answer.content[0]?.text).toBe('The search index holds 60 products now.');
    expect(seen.length).toBeGreaterThan(2);
    const sent = client.progress();
    expect(sent).toEqual(sent.toSorted((a, b) => a - b));
    expect(sent.at(-1)).toBe(25);
    // The v2 client hands progress on later than an answer, and loses what comes in one chunk with it.
    expect(seen).toEqual(sent.slice(0, seen.length));
  });

  it('cancels: the index is free again, and the call is never answered (R1, S4)', async () => {
    const controller = new AbortController();
    const call = client.call(
      'shop_reindex',
      {},
      { signal: controller.signal, onprogress: () => controller.abort('enough') },
    );
    await expect(call).rejects.toThrow(/enough/);
    const again = await client.call('shop_reindex', {});
    expect(again.content[0]?.text).toBe('The search index holds 60 products now.');
  });

  it('asks a hundred times at once, and each answer is the one to its question', async () => {
    const skus = Array.from({ length: 100 }, (_, at) => `A-${String((at % 60) + 1).padStart(3, '0')}`);
    const answers = await Promise.all(skus.map((sku) => client.call('shop_stock', { sku })));
    expect(answers.map(({ content }) => (JSON.parse(content[0]?.text ?? '') as { sku: string }).sku)).toEqual(skus);
  });

  it('finds nothing but messages on standard output, logs on standard error, and closes it with code 0 (S2, S4)', async () => {
    expect(client.checked()).toBeGreaterThan(100);
    expect(client.errors()).toContain('LOG [McpGate] shop: 9 tools, 2 resources, 1 prompt, 4 reserved');
    await client.close();
    expect(client.ended()).toEqual([0, null]);
  });
});

describe('npm run start:stdio', () => {
  it('frees the index and closes the database when its client leaves in the middle of a call (S4)', async () => {
    const { file, clear } = newShopFile();
    const child = new StdioChild(MAIN, { env: { SHOP_DB: file, SHOP_BATCH_MS: '1000' } }).read();
    try {
      child.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'shop_reindex', _meta: { progressToken: 'p' } },
      });
      await child.until(() => child.lines[0]);
      child.child.stdin!.end();
      expect(await child.exited).toEqual([0, null]);
      expect(child.messages.map(({ method }) => method as string)).toEqual(['notifications/progress']);
      const { default: Database } = await import('libsql');
      const database = new Database(file);
      expect(database.prepare('SELECT * FROM search_build').all([])).toEqual([]);
      database.close();
    } finally {
      child.kill();
      clear();
    }
  });
});
