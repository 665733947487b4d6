/** One process, one module class, two applications: nothing of the one is the other's (G8, G9). */
import { Injectable, Module } from '@nestjs/common';
import { McpModule, McpTool } from '../../src/index.js';
import { PLATFORMS, serve } from '../nest/serve.js';

const request = (size: number) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }).padEnd(size);

@Injectable()
class Tools {
  @McpTool({ name: 'hello', description: 'Greets.', inputSchema: { type: 'object' } })
  hello() {
    return 'hello';
  }
}

describe.each(PLATFORMS)('on %s', (platform) => {
  it('each application has its own limit for a body, and tells of its own paths only', async () => {
    const limits = [10_000, 100];
    @Module({
      imports: [McpModule.forRootAsync({ useFactory: () => ({ name: 'shop', bodyLimit: limits.shift()! }) })],
      providers: [Tools],
    })
    class App {}
    const start = (prefix: string) =>
      serve({ imports: [App] }, { platform, configure: (app) => app.setGlobalPrefix(prefix) });
    const wide = await start('wide');
    const narrow = await start('narrow');
    try {
      const statuses = await Promise.all([
        wide.send({ path: '/wide/mcp', body: request(1_000) }),
        narrow.send({ path: '/narrow/mcp', body: request(1_000) }),
        narrow.send({ path: '/narrow/mcp', body: request(90) }),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([200, 413, 200]);
      expect(wide.log.of('log')).toEqual(['shop: 1 tool at POST /wide/mcp']);
      expect(narrow.log.of('log')).toEqual(['shop: 1 tool at POST /narrow/mcp']);
    } finally {
      await narrow.close();
      await wide.close();
    }
  });
});

it('refuses two gates whose paths differ in case or a slash: on Express the first would answer for both', async () => {
  const imports = [McpModule.forRoot({ name: 'open' }), McpModule.forRoot({ name: 'kept', path: '/MCP/' })];
  await expect(serve({ imports, providers: [Tools] })).rejects.toThrow('the gates "open" and "kept" have one path');
});
