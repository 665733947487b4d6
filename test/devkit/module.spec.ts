/** D, S3: where the devkit's tools are served, and where they are not. */
import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { join } from 'node:path';
import { resolveDevkitSettings } from '../../src/devkit/settings.js';
import { McpDevkitModule } from '../../src/devkit/index.js';
import {
  Annotations,
  checkMcpAnnotations,
  checkMcpPortability,
  McpGates,
  McpModule,
  McpTool,
} from '../../src/index.js';
import { McpTicketSessionModule, storedSessionFlow } from '../../src/ticket-session/index.js';
import { mcpTestClient } from '../../src/testing/index.js';
import { serve } from '../nest/serve.js';
import { serveDevkit } from './ask.js';

@Injectable()
class ShopTools {
  @McpTool({ name: 'shop_stock', description: 'Stock.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  stock() {
    return 12;
  }
}

const inProduction = { env: { NODE_ENV: 'production' }, cwd: () => process.cwd() };

describe('McpDevkitModule', () => {
  it('opens a local gate of its own at /mcp/devkit', async () => {
    const { app } = await serveDevkit({ providers: [ShopTools] });
    const { settings } = app.app.get(McpGates).get('devkit');
    const relayed = await app.rpc(
      'tools/list',
      {},
      { path: '/mcp/devkit', headers: { 'x-forwarded-for': '10.0.0.1' } },
    );
    expect([settings.path, settings.allowRemote, relayed.status]).toEqual(['/mcp/devkit', false, 403]);
    expect(await app.list({ path: '/mcp/devkit' })).toEqual(
      expect.arrayContaining(['nest_card', 'nest_inspect', 'nest_check']),
    );
    expect(await app.list({ path: '/mcp/devkit' })).not.toContain('shop_stock');
    await app.close();
  });

  it('adds nothing to a gate that serves what the application declares', async () => {
    const { app } = await serveDevkit({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [ShopTools] });
    expect(await app.list()).toEqual(['shop_stock']);
    await app.close();
  });

  it('adds its tools to a gate that lists it, and opens none of its own', async () => {
    const { app } = await serveDevkit(
      { imports: [McpModule.forRoot({ name: 'shop', tools: [ShopTools, McpDevkitModule] })], providers: [ShopTools] },
      { settings: { gate: false } },
    );
    expect(await app.list()).toEqual(expect.arrayContaining(['shop_stock', 'nest_card', 'nest_inspect', 'nest_check']));
    expect(app.app.get(McpGates).names).toEqual(['shop']);
    expect(JSON.parse(await app.text('nest_inspect', { subject: 'gates' })).total).toBe(1);
    await app.close();
  });

  it('is not taken for the gate of an application that has one: commands and tests go on as they did', async () => {
    const { app } = await serveDevkit({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [ShopTools] });
    expect(await mcpTestClient(app.app).list()).toHaveLength(1);
    await app.close();
  });

  it('counts no machinery, its own or that of Nest, among the modules of the card', async () => {
    const asked = await serveDevkit({
      imports: [
        McpModule.forRoot({ name: 'shop' }),
        DiscoveryModule,
        McpTicketSessionModule.forRoot({ factor: 'mcp-token', flow: storedSessionFlow(() => true) }),
      ],
    });
    expect(await asked.text('nest_card')).toMatch(/^1 module: RootTestModule$/m);
    await asked.app.close();
  });

  it('has tools that say what they do, in words that every client takes, and whose asking changes nothing', async () => {
    const { app } = await serveDevkit({});
    const { entries } = app.app.get(McpGates).source('devkit').fixed();
    const asking = entries.filter(({ name }) => ['nest_card', 'nest_inspect', 'nest_check'].includes(name));
    await app.close();
    expect(asking.map(({ tool }) => tool.annotations)).toEqual(
      Array.from({ length: 3 }, () => ({ readOnlyHint: true, openWorldHint: false })),
    );
    for (const { tool, published } of entries) {
      expect(checkMcpAnnotations(tool)).toEqual([]);
      expect(checkMcpPortability(published, { server: 'devkit' })).toEqual([]);
    }
  });

  it('refuses an application of somebody else the prefix of its tools (T4)', async () => {
    @Injectable()
    class Taking {
      @McpTool({ name: 'nest_card', description: 'Another card.' })
      card() {
        return 'forged';
      }
    }
    const asked = await serveDevkit({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Taking] });
    expect(await asked.app.list()).toEqual([]);
    expect(await asked.text('nest_card')).not.toContain('forged');
    await asked.app.close();
  });

  it('does not load in production, and says how it would', () => {
    expect(() => resolveDevkitSettings({}, inProduction)).toThrow(/NODE_ENV=production.*evenInProduction: true/s);
    expect(resolveDevkitSettings({ evenInProduction: true }, inProduction).project).toBe(process.cwd());
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      expect(() => McpDevkitModule.forRoot()).toThrow(/does not load with NODE_ENV=production/);
      expect(() => McpDevkitModule.forRoot({ evenInProduction: true })).not.toThrow();
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  it.each(['Production', 'PRODUCTION', ' production ', 'prod'])('does not load with NODE_ENV=%j either', (NODE_ENV) => {
    expect(() => resolveDevkitSettings({}, { ...inProduction, env: { NODE_ENV } })).toThrow(/does not load/);
  });

  it.each(['development', 'test', 'reproduction', 'non-production', ''])('loads with NODE_ENV=%j', (NODE_ENV) => {
    expect(() => resolveDevkitSettings({}, { ...inProduction, env: { NODE_ENV } })).not.toThrow();
  });

  it('does not start when only a file of the environment, read later, says that this is production', async () => {
    const before = process.env['NODE_ENV'];
    const readsItsFile = { provide: 'FILE', useFactory: () => (process.env['NODE_ENV'] = 'production') };
    try {
      await expect(serveDevkit({ providers: [readsItsFile] })).rejects.toThrow(
        /does not load with NODE_ENV=production/,
      );
      process.env['NODE_ENV'] = before;
      const told = await serveDevkit({ providers: [readsItsFile] }, { settings: { evenInProduction: true } });
      await told.app.close();
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });

  it.each([
    [{ gate: { allowRemote: true } }, /"allowRemote" is not a setting of the devkit's gate.*gate: false/],
    [{ gate: { allowedHosts: ['shop.example'] } }, /"allowedHosts" is not a setting of the devkit's gate/],
    [{ gate: { tools: [] } }, /"tools" is not a setting of the devkit's gate/],
    [{ gate: true }, /"gate" must be the settings of the devkit's gate, or false/],
    [{ gate: null }, /"gate" must be the settings of the devkit's gate, or false/],
    [{ evenInProduction: 'false' }, /"evenInProduction" must be true or false/],
    [
      { project: '/nowhere/at/all' },
      /"project" must be the folder of the project: there is none at "\/nowhere\/at\/all"/,
    ],
    [{ project: '' }, /"project" must be the folder/],
    [{ project: 'package.json' }, /"project" must be the folder/],
  ])('refuses %j, and says why', (settings, reason) => {
    expect(() => resolveDevkitSettings(settings as never)).toThrow(reason);
  });

  it('refuses settings that it does not know, and a number of requests that makes no sense', () => {
    expect(() => resolveDevkitSettings({ gates: false } as never)).toThrow('"gates" is not a setting of the devkit.');
    for (const remember of [0, 1.5, 100_001, '7' as never]) {
      expect(() => resolveDevkitSettings({ remember })).toThrow('"remember" must be');
    }
    expect(resolveDevkitSettings({ remember: 100_000 }).remember).toBe(100_000);
  });

  it('finds the folder of a project from where the process runs', () => {
    expect(resolveDevkitSettings({ project: 'src' }).project).toBe(join(process.cwd(), 'src'));
  });

  it('takes settings of its gate', async () => {
    const { app } = await serveDevkit({}, { settings: { gate: { path: '/agents', name: 'agents' } } });
    expect(await app.list({ path: '/agents' })).toContain('nest_card');
    await app.close();
  });

  it('leaves an application that does not import it as it was', async () => {
    @Module({ providers: [ShopTools] })
    class ShopModule {}
    const app = await serve({ imports: [McpModule.forRoot({ name: 'shop' }), ShopModule] });
    expect(app.app.get(McpGates).names).toEqual(['shop']);
    expect((await app.send({ path: '/mcp/devkit', body: '{}' })).status).toBe(404);
    await app.close();
  });
});
