import { createServer } from 'node:net';
import { jest } from '@jest/globals';
import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type ModuleMetadata,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, REQUEST } from '@nestjs/core';
import {
  Annotations,
  McpExecutionContext,
  McpModule,
  McpTool,
  RequireScopes,
  type McpGateSettings,
} from 'nestjs-mcp-gate';
import { serveApplication, type McpStdioApplication, type McpStdioOptions } from '../../src/nest/stdio.js';
import { FakeProcess } from '../support/fake-process.js';

const READS = { readOnlyHint: true, openWorldHint: false };
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const LIST = { jsonrpc: '2.0', id: 0, method: 'tools/list' };
const gate = (settings: McpGateSettings) => McpModule.forRoot(settings);

function moduleWith(metadata: ModuleMetadata): Type {
  @Module({ ...metadata, imports: [...(metadata.imports ?? [gate({ name: 'shop' })])] })
  class AppModule {}
  return AppModule;
}

/** Serves an application to the end of its input, on which these messages stand. */
async function serve(
  application: McpStdioApplication,
  messages: readonly object[] = [],
  options: McpStdioOptions = {},
): Promise<{ code: number; process: FakeProcess; answers: Record<string, any>[] }> {
  const process = new FakeProcess();
  const served = serveApplication(application, { logger: false, ...options }, process.asProcess());
  process.send(...messages);
  const requests = messages.filter((message) => 'id' in message).length;
  const answers = requests === 0 ? [] : await process.answers(requests);
  process.stdin.end();
  return { code: await served, process, answers };
}

const textOf = (answers: Record<string, any>[], id: number): unknown =>
  answers.find((answer) => answer['id'] === id)?.['result'].content[0].text;

@Injectable({ scope: Scope.REQUEST })
class Visit {
  readonly said: string[] = [];
  constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, unknown> }) {}
  get names(): number {
    return Object.keys(this.request.headers).length;
  }
}

@Injectable()
class VisitGuard implements CanActivate {
  constructor(private readonly visit: Visit) {}
  canActivate(context: ExecutionContext): boolean {
    const tool = McpExecutionContext.of(context);
    this.visit.said.push(`${tool?.tool?.name} for ${tool?.caller.operator === true ? 'the operator' : 'somebody'}`);
    return context.switchToHttp().getRequest<{ headers: object }>().headers !== undefined;
  }
}

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['authorization'] === 'yes';
  }
}

@Controller('stock')
class StockController {
  @McpTool({ name: 'shop_stock', description: 'On a controller.' })
  @Annotations(READS)
  stock(): string {
    return 'twelve';
  }
}

@Injectable()
class VisitTools {
  constructor(private readonly visit: Visit) {}

  @McpTool({ name: 'shop_visit', description: 'Request-scoped.' })
  @Annotations(READS)
  @UseGuards(VisitGuard)
  visited(): string {
    return `${this.visit.said.join()}, ${this.visit.names} headers`;
  }

  @McpTool({ name: 'shop_secret', description: 'Behind a guard that looks for a header.' })
  @Annotations(READS)
  @UseGuards(TokenGuard)
  secret(): string {
    return 'never';
  }

  @McpTool({ name: 'shop_scoped', description: 'Waits for a scope.' })
  @Annotations(READS)
  @RequireScopes('shop:read')
  scoped(): string {
    return 'never';
  }
}

describe('an application of Nest over standard input and output (S1)', () => {
  it('serves the tools of controllers and of request-scoped providers, and asks the guards of tools, without HTTP', async () => {
    const AppModule = moduleWith({ controllers: [StockController], providers: [Visit, VisitTools] });
    const { answers, code } = await serve(AppModule, [
      LIST,
      call(1, 'shop_stock'),
      call(2, 'shop_visit'),
      call(3, 'shop_visit'),
    ]);
    const listed = answers.find(({ id }) => id === 0)!['result'].tools as { name: string }[];
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['shop_stock', 'shop_visit']);
    expect(textOf(answers, 1)).toBe('twelve');
    // Guard and tool have met in one request-scoped provider, and two calls have not.
    expect(textOf(answers, 2)).toBe('shop_visit for the operator, 0 headers');
    expect(textOf(answers, 3)).toBe('shop_visit for the operator, 0 headers');
    expect(code).toBe(0);
  });

  it('opens no port, also of a gate that others may reach (S5)', async () => {
    const listen = jest.spyOn(Object.getPrototypeOf(createServer()) as { listen(): unknown }, 'listen');
    let adapter: unknown = 'not asked';
    @Injectable()
    class Look implements OnModuleInit {
      constructor(private readonly host: HttpAdapterHost) {}
      onModuleInit(): void {
        adapter = this.host.httpAdapter;
      }
    }
    const AppModule = moduleWith({
      imports: [gate({ name: 'shop', allowRemote: true, tools: [StockController] })],
      controllers: [StockController],
      providers: [Look],
    });
    const { answers } = await serve(AppModule, [call(1, 'shop_stock')]);
    expect(textOf(answers, 1)).toBe('twelve');
    expect([adapter, listen.mock.calls]).toEqual([null, []]);
    listen.mockRestore();
  });

  it('is named by its module, by a dynamic module, or by a function that imports either when it is time', async () => {
    const AppModule = moduleWith({ controllers: [StockController] });
    const dynamic = {
      module: class DynamicModule {},
      imports: [gate({ name: 'shop' })],
      controllers: [StockController],
    };
    for (const application of [
      AppModule,
      dynamic,
      () => Promise.resolve({ AppModule, bootstrap: () => undefined }),
      () => Promise.resolve(AppModule),
      async function load() {
        return { default: AppModule };
      },
    ] satisfies McpStdioApplication[]) {
      const { answers, code } = await serve(application, [call(1, 'shop_stock')]);
      expect([textOf(answers, 1), code]).toEqual(['twelve', 0]);
    }
  });

  const two = moduleWith({
    imports: [
      gate({ name: 'shop' }),
      gate({ name: 'billing', path: '/billing', tools: [] }),
      gate({ name: 'off', path: '/off', enabled: false }),
    ],
    controllers: [StockController],
  });

  it('serves one of several gates, by its name', async () => {
    expect(textOf((await serve(two, [call(1, 'shop_stock')], { gate: 'shop' })).answers, 1)).toBe('twelve');
    const { answers } = await serve(two, [call(1, 'shop_stock')], { gate: 'billing' });
    expect(answers[0]!['error'].message).toBe('Unknown tool: shop_stock');
  });

  it.each([
    [
      'several gates and no word which',
      two,
      {},
      "The application has the gates shop, billing: say which one with { gate: '…' }, on the command line with --gate.",
    ],
    ['no gate of that name', two, { gate: 'shpo' }, 'No gate is called "shpo". The gates are: shop, billing, off.'],
    [
      'a gate that is not enabled',
      two,
      { gate: 'off' },
      'The gate "off" is not enabled: let its settings say enabled: true',
    ],
    [
      'no gate at all',
      moduleWith({ imports: [] }),
      {},
      'The application has no gate: import McpModule.forRoot() in one of its modules.',
    ],
    [
      'no module',
      () => Promise.resolve({ start: () => undefined }),
      {},
      /^The imported file exports no module of Nest, but start\./,
    ],
  ])('ends with code 1 and one sentence for %s', async (_, application, options, says) => {
    const { code, process } = await serve(application, [], options);
    expect(code).toBe(1);
    expect(process.real.stderr.text).toMatch(says);
    expect(process.real.stderr.text.split('\n')).toHaveLength(2);
    expect(process.real.stdout.text).toBe('');
  });

  it('ends with code 1 when a module cannot be imported or does not start, and says why', async () => {
    const failing = moduleWith({
      providers: [
        {
          provide: 'database',
          useFactory: () => {
            throw new Error('no database');
          },
        },
      ],
    });
    for (const application of [failing, () => Promise.reject(new Error('no database'))]) {
      const { code, process } = await serve(application);
      expect(code).toBe(1);
      expect(process.real.stderr.text).toMatch(/^Error: no database\n +at /);
    }
  });
});

describe('the end of an application over standard input and output (S4)', () => {
  const ends: unknown[] = [];
  @Injectable()
  class Hooks implements OnApplicationShutdown {
    onApplicationShutdown(signal?: string): void {
      ends.push(signal);
    }
  }
  beforeEach(() => ends.splice(0));

  it('runs the shutdown hooks, and tells them of a signal', async () => {
    const AppModule = moduleWith({ providers: [Hooks] });
    expect((await serve(AppModule)).code).toBe(0);
    const process = new FakeProcess();
    const served = serveApplication(AppModule, { logger: false }, process.asProcess());
    process.send(LIST);
    await process.answers(1);
    process.emit('SIGTERM');
    expect(await served).toBe(0);
    expect(ends).toEqual([undefined, 'SIGTERM']);
  });

  it('comes while it still starts, when a signal comes', async () => {
    const AppModule = moduleWith({ providers: [{ provide: 'slow', useFactory: () => new Promise(() => undefined) }] });
    const process = new FakeProcess();
    const served = serveApplication(AppModule, { logger: false }, process.asProcess());
    process.emit('SIGTERM');
    expect(await served).toBe(0);
  });

  it('does not wait for ever for a client that does not read its answers', async () => {
    const process = new FakeProcess();
    process.real.stdout.stuck = true;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const served = serveApplication(moduleWith({ providers: [Hooks] }), { logger: false }, process.asProcess());
      process.send(LIST, LIST);
      await process.answers(1);
      process.emit('SIGTERM');
      await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(1_000);
      expect(await served).toBe(0);
      expect(ends).toEqual(['SIGTERM']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('does not wait for ever for a hook that hangs', async () => {
    let hung: () => void = () => undefined;
    const hanging = new Promise<void>((resolve) => (hung = resolve));
    @Injectable()
    class Hanging implements OnApplicationShutdown {
      onApplicationShutdown(): Promise<void> {
        hung();
        return new Promise(() => undefined);
      }
    }
    const process = new FakeProcess();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const served = serveApplication(moduleWith({ providers: [Hanging] }), { logger: false }, process.asProcess());
      process.stdin.end();
      await hanging;
      jest.advanceTimersByTime(10_000);
      expect(await served).toBe(1);
      expect(process.real.stderr.text).toBe('The shutdown hooks took longer than 10 seconds.\n');
    } finally {
      jest.useRealTimers();
    }
  });
});
