import { Controller, Get, Injectable, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Annotations,
  McpDeclarationError,
  McpGates,
  McpModule,
  McpRequestContext,
  McpSettingsError,
  McpTool,
  RequireScopes,
  type McpGateSettings,
  type McpGateSettingsFactory,
} from 'nestjs-mcp-gate';
import { PLATFORMS, served, type Served } from './serve.js';

const READS = { readOnlyHint: true, openWorldHint: false };
const plain = (name: string) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  annotations: READS,
  handler: () => `I am ${name}`,
});

@Injectable()
class StockTools {
  @McpTool({ name: 'stock', description: 'Stock.' })
  @Annotations(READS)
  stock() {
    return 'stock';
  }
}

@Injectable()
class InvoiceTools {
  @McpTool({ name: 'invoice', description: 'Invoices.' })
  @Annotations(READS)
  invoice() {
    return 'invoice';
  }
}

@Controller('billing')
class BillingController {
  @Get()
  @McpTool({ name: 'billing', description: 'The bill.' })
  @Annotations(READS)
  bill() {
    return 'bill';
  }

  @McpTool({ name: 'billing_all', description: 'All bills.' })
  @Annotations(READS)
  @RequireScopes('billing:read')
  all() {}
}

@Module({ providers: [InvoiceTools], controllers: [BillingController], imports: [] })
class BillingModule {}

describe.each(PLATFORMS)('several gates in one application on %s', (platform) => {
  test('serve their own tools under their own names and paths, and never mix (G9)', async () => {
    const imports = [
      McpModule.forRoot({ name: 'all' }),
      McpModule.forRoot({ name: 'shop', path: '/shop', tools: [plain('extra'), StockTools] }),
      McpModule.forRoot({ name: 'billing', path: '/billing/mcp', allowRemote: true, tools: [BillingModule] }),
      McpModule.forRoot({ name: 'off', path: '/off', enabled: false }),
      BillingModule,
    ];
    await served({ imports, providers: [StockTools] }, { platform }, async (gate) => {
      expect(await gate.list()).toEqual(['stock', 'invoice', 'billing']);
      expect(await gate.list({ path: '/shop' })).toEqual(['extra', 'stock']);
      expect(await gate.list({ path: '/billing/mcp' })).toEqual(['invoice', 'billing']);
      expect((await gate.rpc('tools/list', {}, { path: '/off' })).status).toBe(404);
      expect(await gate.text('extra', {}, { path: '/shop' })).toBe('I am extra');
      expect((await gate.call('extra')).error.message).toBe('Unknown tool: extra');
      expect((await gate.call('stock', {}, { path: '/billing/mcp' })).error.message).toBe('Unknown tool: stock');
      const named = await gate.rpc(
        'initialize',
        {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '0' },
        },
        { path: '/shop' },
      );
      expect(named.body.result.serverInfo.name).toBe('shop');
      expect(gate.log.of('log').toSorted()).toEqual([
        'all: 4 tools at POST /mcp, 1 reserved',
        'billing: 3 tools at POST /billing/mcp, 1 reserved',
        'off: disabled',
        'shop: 2 tools at POST /shop',
      ]);
    });
  });

  test('take their settings from a factory, a class or a provider, the path too', async () => {
    @Injectable()
    class Config implements McpGateSettingsFactory {
      readonly stage = 'stage';

      async createMcpGateSettings(): Promise<McpGateSettings> {
        await new Promise((done) => setTimeout(done, 5));
        return { name: 'existing', path: '/existing', bodyLimit: 300 };
      }
    }
    class Fixed implements McpGateSettingsFactory {
      createMcpGateSettings(): McpGateSettings {
        return { name: 'made', path: '/made' };
      }
    }
    @Module({ providers: [Config], exports: [Config] })
    class ConfigModule {}
    const late = {
      imports: [ConfigModule],
      inject: [Config],
      useFactory: async ({ stage }: Config): Promise<McpGateSettings> => ({ name: stage, path: `/${stage}/mcp` }),
      route: { version: '1' },
    };
    const imports = [
      McpModule.forRootAsync(late),
      McpModule.forRootAsync({ useClass: Fixed }),
      McpModule.forRootAsync({ imports: [ConfigModule], useExisting: Config }),
    ];
    await served({ imports, providers: [StockTools] }, { platform }, async (gate) => {
      expect(await gate.list({ path: '/stage/mcp' })).toEqual(['stock']);
      expect(await gate.list({ path: '/made' })).toEqual(['stock']);
      expect(await gate.list({ path: '/existing' })).toEqual(['stock']);
      const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(300) } });
      expect((await gate.send({ path: '/existing', body: large })).status).toBe(413);
      expect((await gate.send({ path: '/made', body: large })).status).toBe(200);
      expect(await gate.send({ path: '/mcp', body: '{}' }).then(({ status }) => status)).toBe(404);
    });
  });

  test('abort what runs when the application closes, which then closes at once (R1)', async () => {
    let aborted: (reason: string) => void = () => undefined;
    const reason = new Promise<string>((done) => (aborted = done));
    let started: () => void = () => undefined;
    const running = new Promise<void>((done) => (started = done));
    class Long {
      @McpTool({ name: 'long', description: 'Runs until it is told to stop.' })
      @Annotations(READS)
      async long() {
        const signal = McpRequestContext.signal()!;
        started();
        await new Promise((done) => signal.addEventListener('abort', done));
        aborted((signal.reason as Error).message);
      }
    }
    await served({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Long] }, { platform }, async (gate) => {
      const call = gate.call('long', {}, { headers: { connection: 'close' } });
      await running;
      await gate.app.close();
      expect(await reason).toMatch(/shutting down/);
      expect((await call).error.message).toMatch(/shutting down/);
    });
  });
});

describe('gates', () => {
  const boot = async (...imports: (DynamicModule | typeof BillingModule)[]) => {
    const tried = served({ imports, providers: [StockTools] }, {}, async () => 'served');
    return tried.catch((error: Error) => error);
  };
  const open = (settings: Partial<McpGateSettings>) => McpModule.forRoot({ name: 'shop', ...settings });

  test('with one name or one path stop the boot', async () => {
    const sameName = await boot(open({}), open({ path: '/other' }));
    expect(sameName).toBeInstanceOf(McpSettingsError);
    expect((sameName as Error).message).toMatch(/two gates are called "shop"/);
    const samePath = await boot(open({}), open({ name: 'other' }));
    expect((samePath as Error).message).toMatch(/"shop" and "other" have one path/);
    const versions = [
      McpModule.forRoot({ name: 'one' }, { version: '1' }),
      McpModule.forRoot({ name: 'two' }, { version: '2' }),
    ];
    expect(await boot(...versions)).toBe('served');
  });

  test('refuse settings as the module is written, and those of a factory at boot (G1)', async () => {
    expect(() => open({ alowRemote: true } as object)).toThrow(/"alowRemote" is not a setting of a gate/);
    expect(() => open({ allowRemote: true })).toThrow(/"allowRemote" without an explicit "tools"/);
    const late = await boot(McpModule.forRootAsync({ useFactory: () => ({ name: '' }) }));
    expect(late).toBeInstanceOf(McpSettingsError);
    expect(() => McpModule.forRootAsync({})).toThrow(/one of useFactory, useClass and useExisting/);
  });

  test('that list their tools stop the boot at a bad one (T4)', async () => {
    class Careless {
      @McpTool({ name: 'has space', description: 'Bad name.' })
      bad() {}
    }
    class Forgetful {
      @Annotations(READS)
      forgotten() {}
    }
    @Module({ providers: [Careless, Forgetful] })
    class BadModule {}
    class Elsewhere {}
    const faults = await Promise.all(
      [
        boot(open({ tools: [{ ...plain('mute'), description: '' }] })),
        boot(open({ tools: [Careless] }), BadModule as never),
        boot(open({ tools: [Forgetful] }), BadModule as never),
        boot(open({ tools: [Elsewhere] })),
        boot(open({ tools: [StockTools, plain('stock')] })),
        boot(open({ tools: [InvoiceTools] })),
      ].map(async (tried) => {
        const fault = await tried;
        expect(fault).toBeInstanceOf(McpDeclarationError);
        return (fault as Error).message;
      }),
    );
    expect(faults).toEqual([
      expect.stringMatching(/^settings\.tools\[0\] \(tool "mute"\): its description is missing/),
      expect.stringMatching(/^Careless\.bad \(tool "has space"\): its name/),
      expect.stringMatching(/^Forgetful\.forgotten: .*no @McpTool\(\)/),
      expect.stringMatching(/^settings\.tools\[0\]: Elsewhere declares no tool/),
      expect.stringMatching(/^settings\.tools\[1\] \(tool "stock"\): the name is taken by StockTools\.stock/),
      expect.stringMatching(/^settings\.tools\[0\]: InvoiceTools declares no tool, or no module provides it/),
    ]);
  });

  test('a listed module stands for its own providers and controllers, not for those it imports', async () => {
    @Module({ imports: [BillingModule], providers: [StockTools] })
    class OuterModule {}
    const imports = [open({ tools: [OuterModule] }), OuterModule];
    await served({ imports }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['stock']);
    });
    @Module({ imports: [BillingModule] })
    class EmptyModule {}
    expect(((await boot(open({ tools: [EmptyModule] }), EmptyModule as never)) as Error).message).toMatch(
      /no provider or controller of the module EmptyModule/,
    );
  });

  test('the application reads what its gates serve', async () => {
    const imports = [open({}), BillingModule];
    await served({ imports }, {}, async (gate: Served) => {
      const gates = gate.app.get(McpGates);
      expect(gates.names).toEqual(['shop']);
      expect(gates.get('shop').settings.path).toBe('/mcp');
      expect(gates.tools('shop')).toEqual([
        { name: 'invoice', origin: 'InvoiceTools.invoice', reserved: false },
        { name: 'billing', origin: 'BillingController.bill', reserved: false },
        { name: 'billing_all', origin: 'BillingController.all', reserved: true },
      ]);
      expect(() => gates.get('shp')).toThrow('No gate is called "shp". The gates are: shop.');
    });
  });

  test('are told apart also when Nest compares modules by their text', async () => {
    @Module({ imports: [open({}), open({ name: 'other', path: '/other' })], providers: [StockTools] })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false, moduleIdGeneratorAlgorithm: 'deep-hash' });
    await app.init();
    expect(app.get(McpGates).names).toEqual(['shop', 'other']);
    await app.close();
  });

  test('know their tools in an application without a server', async () => {
    @Module({ imports: [open({})], providers: [StockTools] })
    class AppModule {}
    const context = await NestFactory.createApplicationContext(AppModule, { logger: false });
    expect(
      context
        .get(McpGates)
        .tools('shop')
        .map(({ name }) => name),
    ).toEqual(['stock']);
    await context.close();
  });

  test('are opened by forRoot alone: the bare module says so instead of opening nothing', async () => {
    @Module({ imports: [McpModule], providers: [StockTools] })
    class AppModule {}
    const opening = NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    await expect(opening).rejects.toThrow('McpModule itself opens no gate: import McpModule.forRoot({ name: … })');
  });
});
