/** The sample as its developers and its clients would look at it and call it from the command line. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../sample-app/src/app.module.js';
import { newShopFile } from '../../sample-app/test/shop-on-file.js';
import { LogBook, PLATFORMS } from '../nest/serve.js';
import { LocalIssuer } from '../oauth/local-issuer.js';
import { keep } from '../support/written.js';
import { runCommand, type Ended } from './run-command.js';

const MODULE = fileURLToPath(new URL('../../sample-app/src/app.module.ts', import.meta.url));
const { file, clear } = newShopFile();
let issuer: LocalIssuer;

beforeAll(async () => {
  issuer = await LocalIssuer.start();
  Object.assign(process.env, { SHOP_DB: file, SHOP_BATCH_MS: '20' });
});

afterEach(() => delete process.env['SHOP_ISSUER']);

afterAll(async () => {
  for (const name of ['SHOP_DB', 'SHOP_BATCH_MS']) delete process.env[name];
  await issuer.stop();
  clear();
});

const tokenFor = async (aud: string, scope: string) => keep(await issuer.sign({ aud, sub: 'C-001', scope }));
const REINDEXED = 'The search index holds 60 products now.\n';

/** What is expected of a call, whichever way it takes. */
async function shops(call: (words: readonly string[], around?: object) => Promise<Ended>): Promise<void> {
  const stock = await call(['shop_stock', '{"sku":"A-001"}']);
  expect(JSON.parse(stock.stdout)).toMatchObject({ sku: 'A-001', stock: expect.any(Number) });
  const wrong = await call(['shop_stock', '{"sku":"knife"}']);
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('sku')]);
  expect((await call(['shop_refund'])).stderr).toMatch(/^-32602: Unknown tool: shop_refund\n/m);
  const reindexed = await call(['shop_reindex']);
  expect([reindexed.code, reindexed.stdout]).toEqual([0, REINDEXED]);
  expect(reindexed.stderr.split('\n').at(-2)).toBe('100 % batch 25 of 25');

  const pressed = new AbortController();
  const err = (text: string) => (text.includes('batch') ? pressed.abort(new Error('Interrupted.')) : undefined);
  expect(await call(['shop_reindex'], { interrupted: pressed.signal, err })).toMatchObject({ code: 130, stdout: '' });
  // It was abandoned, or this one would be told that another is under way.
  expect((await call(['shop_reindex'])).stdout).toBe(REINDEXED);
}

describe('the catalogue of the sample (N2)', () => {
  const catalogue = (...words: string[]) => runCommand(['catalogue', MODULE, ...words]);

  it('is sound, and hides from a stranger what needs authorization', async () => {
    const { code, stdout, stderr } = await catalogue();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('The checks have nothing to say.');
    const hidden = [...stdout.matchAll(/^(\w+) .* hidden: (.*)$/gm)].map(([, name, reason]) => `${name}: ${reason}`);
    expect(hidden).toEqual([
      'shop_my_orders: it needs an authenticated caller',
      'shop_invoice: it needs the scopes shop:billing',
      'shop_refund: it needs the scopes shop:billing',
      'shop_report: it needs the scopes shop:read',
    ]);
  });

  it('is that of a customer at the gate for customers, by scopes and by a token of its issuer', async () => {
    process.env['SHOP_ISSUER'] = issuer.url;
    expect((await catalogue()).stderr).toMatch(/has the gates shop, shop-account, shop-mixed, devkit: .* --gate\.\n$/);
    const visible = (stdout: string) => [...stdout.matchAll(/^(\w+) .* visible/gm)].map(([, name]) => name);
    const scopes = await catalogue('--gate', 'shop-account', '--as', 'shop:read,shop:billing,shop:orders');
    const names = ['shop_stock', 'shop_search', 'shop_my_orders', 'shop_invoice', 'shop_refund', 'shop_report'];
    expect([scopes.code, visible(scopes.stdout)]).toEqual([0, names]);
    const url = 'http://127.0.0.1:3000/mcp/account';
    const words = ['catalogue', MODULE, '--gate', 'shop-account', '--token-env', 'T', '--resource', url];
    const bearer = await runCommand(words, { env: { T: await tokenFor(url, 'shop:orders shop:read') } });
    expect([bearer.code, bearer.stderr]).toEqual([0, '']);
    expect(visible(bearer.stdout)).toEqual(['shop_stock', 'shop_search', 'shop_my_orders', 'shop_report']);
    const mixed = await catalogue('--gate', 'shop-mixed');
    expect(visible(mixed.stdout)).toEqual(['shop_stock', 'shop_search']);
  });
});

describe('calls of the sample (N2)', () => {
  it('reach it in process, where they are seen to be cancelled', async () => {
    await shops((words, around) => runCommand(['call', ...words, '--module', MODULE], around));
  });

  it('act for the customer behind a token, in process', async () => {
    process.env['SHOP_ISSUER'] = issuer.url;
    const url = 'http://127.0.0.1:3000/mcp/account';
    const words = ['--module', MODULE, '--gate', 'shop-account', '--token-env', 'T', '--resource', url];
    const around = { env: { T: await tokenFor(url, 'shop:orders shop:read') } };
    const orders = await runCommand(['call', 'shop_my_orders', ...words], around);
    expect([orders.code, orders.stderr]).toEqual([0, '']);
    const publishing = await runCommand(
      ['call', 'shop_report', '{"month":"2026-03","publish":true}', ...words],
      around,
    );
    expect([publishing.code, publishing.stderr]).toEqual([
      1,
      '-32600: Tool shop_report needs more authorization for this call: the scopes shop:read, shop:write.\n',
    ]);
  });

  it.each(PLATFORMS)('reach it over HTTP on %s, open and protected', async (platform) => {
    process.env['SHOP_ISSUER'] = issuer.url;
    const testing = await Test.createTestingModule({ imports: [AppModule] })
      .setLogger(new LogBook())
      .compile();
    const adapter = platform === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
    const app = testing.createNestApplication<NestFastifyApplication>(adapter as FastifyAdapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      const { port } = app.getHttpServer().address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/mcp`;
      await shops((words, around) => runCommand(['call', ...words, '--url', url], around));

      const account = `${url}/account`;
      const stranger = await runCommand(['call', 'shop_my_orders', '--url', account]);
      expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringMatching(/^401.*\n.*--token-env\.\n$/)]);
      const around = { env: { T: await tokenFor(account, 'shop:orders shop:read') } };
      const call = (...words: string[]) => runCommand(['call', ...words, '--url', account, '--token-env', 'T'], around);
      const orders = await call('shop_my_orders');
      expect([orders.code, orders.stderr]).toEqual([0, '']);
      expect((await call('shop_report', '{"month":"2026-03","publish":true}')).stderr).toMatch(
        /^-32600: .* the scopes shop:read, shop:write\.\n$/,
      );
    } finally {
      await app.close();
    }
  });
});
