import { Injectable } from '@nestjs/common';
import { Annotations, McpModule, McpTool, type McpToolProvider } from 'nestjs-mcp-gate';
import { expectAnnotated } from 'nestjs-mcp-gate/testing';
import { compiled, HOSTS, READS, shop, started } from './shop.js';

@Injectable()
class Careless {
  @McpTool({ name: 'silent', description: 'Says nothing of itself.' })
  silent() {}

  @McpTool({ name: 'half', description: 'Says half.' })
  @Annotations({ readOnlyHint: false, openWorldHint: false })
  half() {}

  @McpTool({ name: 'sound', description: 'Says it all.' })
  @Annotations(READS)
  sound() {}
}

@Injectable()
class CarelessCatalogue implements McpToolProvider {
  getMcpTools() {
    const inputSchema = { type: 'object' };
    return [{ name: 'given', description: 'Given anew.', inputSchema, annotations: {}, handler: () => 'given' }];
  }
}

describe('expectAnnotated', () => {
  test.each(HOSTS)('is content when every tool says what a client must know, on %s', async (host) => {
    await started(shop({ name: 'shop' }), async (app) => expect(await expectAnnotated(app)).toBeUndefined(), host);
  });

  test('throws one error with every fault of every gate, and where it was declared', async () => {
    const gates = [{ name: 'a' }, { name: 'b', path: '/b', tools: [CarelessCatalogue, Careless] }];
    const providers = [Careless, CarelessCatalogue];
    await started({ imports: gates.map((gate) => McpModule.forRoot(gate)), providers }, async (app) => {
      const { message } = (await expectAnnotated(app).catch((error: unknown) => error)) as Error;
      const [heading, ...lines] = message.split('\n');
      expect(heading).toContain('Mend them with @Annotations()');
      expect(lines.map((line) => line.split(': say')[0])).toEqual([
        '- Careless.silent: Tool "silent"',
        '- Careless.silent: Tool "silent"',
        expect.stringContaining('- Careless.half: Tool "half": it writes'),
        '- CarelessCatalogue.getMcpTools: Tool "given"',
        '- CarelessCatalogue.getMcpTools: Tool "given"',
      ]);
    });
  });

  test('needs an application that has started', async () => {
    const { app } = await compiled(shop({ name: 'shop' }));
    await expect(expectAnnotated(app)).rejects.toThrow('await app.init()');
    await app.close();
  });
});
