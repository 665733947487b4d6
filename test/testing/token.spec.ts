import { generateMcpKeys } from '../../src/oauth/mint.js';
import { mcpTestKeys, mcpTestToken } from 'nestjs-mcp-gate/testing';
import { PLATFORMS, served } from '../nest/serve.js';
import { MIXED, shop } from './shop.js';

const RESOURCE = 'https://shop.example/mcp';

function protectedShop(ownKeys = mcpTestKeys()) {
  return shop({ ...MIXED, authorization: { publicUrl: RESOURCE, ownKeys } });
}

async function bearer(request: Parameters<typeof mcpTestToken>[0]) {
  return { headers: { authorization: `Bearer ${await mcpTestToken(request)}` } };
}

describe.each(PLATFORMS)('a test token on %s', (platform) => {
  test('is taken by a gate that has the test keys for its own, with its account and scopes (A9)', async () => {
    await served(protectedShop(), { platform }, async (gate) => {
      const ann = await bearer({ account: 'ann', resource: RESOURCE, scopes: ['shop:read'] });
      expect(await gate.text('my_orders', {}, ann)).toBe('{"account":"account-ann","roles":["customer"]}');
      expect((await gate.rpc('tools/list')).status).toBe(401);
      const elsewhere = await bearer({ account: 'ann', resource: 'https://bank.example/mcp' });
      expect((await gate.rpc('tools/list', {}, elsewhere)).status).toBe(401);
    });
  });

  test('is nothing to a gate with other keys', async () => {
    await served(protectedShop(await generateMcpKeys()), { platform }, async (gate) => {
      const ann = await bearer({ account: 'ann', resource: RESOURCE });
      expect((await gate.rpc('tools/list', {}, ann)).status).toBe(401);
    });
  });
});

test('the test keys are made once', () => {
  expect(mcpTestKeys()).toBe(mcpTestKeys());
});
