/** What a service says of its changes, and who hears of it: through Nest's modules, guards and life (A2, G8, G9, P13). */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type MiddlewareConsumer,
  type ModuleMetadata,
  type NestMiddleware,
  type NestModule,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import {
  createMcpEventBus,
  McpGates,
  McpModule,
  McpNotifier,
  McpPrompt,
  McpRequestContext,
  McpResource,
  McpTool,
  type McpEventBus,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { acknowledged, changed, ended, listen as listenAt, updated, type Listener } from '../support/listening.js';
import { settled } from '../support/news.js';
import { PLATFORMS, served, type Platform, type Served } from './serve.js';

const PING = 'shop://ping';
const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: [PING],
};
const reads = (name: string, handler: () => unknown = () => name) => ({
  name,
  description: `The tool ${name}.`,
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: { type: 'object' },
  handler,
});

/** Reports that come and go: a service that knows nothing of protocols but whom to tell. */
@Injectable()
class Reports implements McpToolProvider {
  private readonly names = ['sales'];

  constructor(private readonly notifier: McpNotifier) {
    notifier.toolsChanged(); // nobody is there yet
  }

  add(name: string): void {
    this.names.push(name);
    this.notifier.toolsChanged();
  }

  getMcpTools() {
    return this.names.map((name) => reads(`report_${name}`));
  }
}

@Module({ providers: [Reports], exports: [Reports] }) // imports nothing: the notifier is there
class ReportsModule {}

@Injectable()
class Ping {
  @McpResource({ uri: PING, name: 'ping' })
  ping() {
    return 'pong';
  }
}

/** An application, a client that listens to it, and what it was told before the next thing that it is told. */
async function listening(
  metadata: ModuleMetadata,
  platform: Platform,
  test: (around: {
    app: Served;
    notifier: McpNotifier;
    listen: (listener?: Listener, filter?: object) => ReturnType<typeof listenAt>;
    before: (...streams: Awaited<ReturnType<typeof listenAt>>[]) => Promise<unknown[][]>;
  }) => Promise<void>,
  configure?: Parameters<typeof served>[1]['configure'],
): Promise<void> {
  const { imports = [McpModule.forRoot({ name: 'shop' })], providers = [], ...rest } = metadata;
  const whole = { ...rest, imports, providers: [Ping, ...providers] };
  await served(whole, { platform, ...(configure && { configure }) }, async (app) => {
    const { port } = app.app.getHttpServer().address() as AddressInfo;
    const notifier = app.app.get(McpNotifier);
    await test({
      app,
      notifier,
      listen: (listener, filter = EVERYTHING) => listenAt(port, filter, listener),
      async before(...streams) {
        await settled();
        notifier.resourceUpdated(PING);
        return Promise.all(streams.map((stream) => stream.before(PING)));
      },
    });
  });
}

describe.each(PLATFORMS)('an application on %s', (platform) => {
  it('tells of tools that a provider gives anew, from a service in any module, as soon as one listens', async () => {
    const imports = [McpModule.forRoot({ name: 'shop' }), ReportsModule];
    await listening({ imports }, platform, async ({ app, listen, before }) => {
      const stream = await listen();
      expect(await stream.next()).toEqual(
        acknowledged({ toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [PING] }),
      );
      app.app.get(Reports).add('stock');
      expect(await stream.next()).toEqual(changed());
      expect(await app.list()).toEqual(['report_sales', 'report_stock']);
      expect(await before(stream)).toEqual([[]]);
    });
  });

  it('tells its own tool what it has changed, on the stream of others, while the call goes on', async () => {
    @Injectable()
    class Editor {
      constructor(private readonly notifier: McpNotifier) {}

      @McpTool({ name: 'edit', description: 'Edits.', inputSchema: { type: 'object' } })
      edit() {
        this.notifier.resourceUpdated(PING);
        return 'edited';
      }
    }
    await listening({ providers: [Editor] }, platform, async ({ app, listen }) => {
      const stream = await listen();
      await stream.next();
      expect(await app.text('edit')).toBe('edited');
      expect(await stream.next()).toEqual(updated(PING));
    });
  });

  it('A2: tells each what its guards let it have, and asks them again, with the request that opened the stream', async () => {
    const keys = new Map([
      ['brass', new Set(['drawer'])],
      ['gold', new Set(['drawer', 'safe'])],
    ]);
    const asked: string[] = [];
    @Injectable()
    class KeyGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const key = context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-key']!;
        const place = context.getHandler().name;
        asked.push(`${key} ${place}`);
        return keys.get(key)?.has(place) ?? false;
      }
    }
    @Injectable()
    @UseGuards(KeyGuard)
    class Vault {
      @McpTool({ name: 'drawer', description: 'A drawer.', inputSchema: { type: 'object' } })
      drawer() {}

      @McpTool({ name: 'safe', description: 'A safe.', inputSchema: { type: 'object' } })
      safe() {}

      @McpPrompt({ name: 'safe_prompt' })
      @McpResource({ uri: 'shop://safe', name: 'safe' })
      contents() {
        return 'gold';
      }
    }
    keys.get('gold')!.add('contents');
    await listening({ providers: [Vault, KeyGuard] }, platform, async ({ notifier, listen, before }) => {
      const filter = { ...EVERYTHING, resourceSubscriptions: [PING, 'shop://safe'] };
      const brass = await listen({ headers: { 'x-key': 'brass' } }, filter);
      const gold = await listen({ headers: { 'x-key': 'gold' } }, filter);
      expect(await brass.next()).toEqual(acknowledged({ ...EVERYTHING, resourceSubscriptions: [PING] }));
      expect(await gold.next()).toEqual(acknowledged(filter));
      const all = () => {
        notifier.toolsChanged();
        notifier.promptsChanged();
        notifier.resourcesChanged();
        notifier.resourceUpdated('shop://safe');
      };
      all();
      expect(await before(brass, gold)).toEqual([[], [updated('shop://safe')]]);
      keys.get('gold')!.delete('safe');
      keys.get('gold')!.delete('contents');
      asked.splice(0);
      all();
      const [poor, rich] = await before(brass, gold);
      expect(poor).toEqual([]);
      expect(new Set(rich!.map((each) => JSON.stringify(each)))).toEqual(
        new Set([changed('tools'), changed('prompts'), changed('resources')].map((each) => JSON.stringify(each))),
      );
      expect(new Set(asked)).toEqual(
        new Set(['brass', 'gold'].flatMap((key) => ['drawer', 'safe', 'contents'].map((place) => `${key} ${place}`))),
      );
    });
  });

  it('A2: asks a request-scoped guard with providers of its own each time: what they kept is not kept on', async () => {
    let allowed = false;
    @Injectable({ scope: Scope.REQUEST })
    class Rights {
      private known: boolean | undefined;
      constructor(@Inject(REQUEST) readonly request: { headers: Record<string, string> }) {}
      get may(): boolean {
        return (this.known ??= allowed && this.request.headers['x-key'] === 'gold');
      }
    }
    @Injectable()
    class RightsGuard implements CanActivate {
      constructor(private readonly rights: Rights) {}
      canActivate(): boolean {
        return this.rights.may;
      }
    }
    @Injectable()
    @UseGuards(RightsGuard)
    class Safe {
      @McpTool({ name: 'safe', description: 'A safe.', inputSchema: { type: 'object' } })
      safe() {}
    }
    /** With these the request has a context of Nest before the gate sees it, above and below Fastify's own. */
    @Injectable({ scope: Scope.REQUEST })
    class EverywhereGuard implements CanActivate {
      constructor(private readonly rights: Rights) {}
      canActivate(): boolean {
        return !this.rights.may;
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class EverywhereMiddleware implements NestMiddleware {
      constructor(private readonly rights: Rights) {}
      use(_: unknown, __: unknown, next: () => void): void {
        if (!this.rights.may) next();
      }
    }
    @Module({ providers: [Rights, EverywhereMiddleware] })
    class MiddlewareModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply(EverywhereMiddleware).forRoutes('/mcp');
      }
    }
    const providers = [Safe, Rights, RightsGuard, { provide: APP_GUARD, useClass: EverywhereGuard }];
    const imports = [McpModule.forRoot({ name: 'shop' }), MiddlewareModule];
    await listening({ imports, providers }, platform, async ({ notifier, listen, before }) => {
      const streams = [await listen({ headers: { 'x-key': 'gold' } }), await listen({ headers: { 'x-key': 'brass' } })];
      for (const stream of streams) await stream.next();
      for (allowed of [true, false]) {
        notifier.toolsChanged();
        expect(await before(...streams)).toEqual([[changed()], []]);
      }
    });
  });

  it('A2: a guard that keeps something on the request, or writes a header, does so for each time alone', async () => {
    let name = 'ada';
    const seen: unknown[] = [];
    @Injectable()
    class HeaderGuard implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const http = context.switchToHttp();
        const request = http.getRequest<{ user?: string; url: string }>();
        http.getResponse<{ header(name: string, value: string): void }>().header('x-seen', 'yes');
        seen.push([(request.user ??= name), request.url]);
        return request.user === 'ada';
      }
    }
    @Injectable()
    @UseGuards(HeaderGuard)
    class Safe {
      @McpTool({ name: 'safe', description: 'A safe.', inputSchema: { type: 'object' } })
      safe() {}
    }
    await listening({ providers: [Safe, HeaderGuard] }, platform, async ({ notifier, listen, before }) => {
      const stream = await listen();
      await stream.next();
      notifier.toolsChanged();
      expect(await before(stream)).toEqual([[]]);
      name = 'eve';
      notifier.toolsChanged();
      expect(await before(stream)).toEqual([[changed()]]);
      expect(seen).toEqual(['ada', 'ada', 'eve'].map((user) => [user, '/mcp']));
    });
  });

  it('asks guards in the async context of who listens, and never of the tool that makes the change', async () => {
    const visitors = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    @Injectable()
    class WatchGuard implements CanActivate {
      canActivate(): boolean {
        return seen.push([visitors.getStore(), McpRequestContext.caller() !== undefined]) > 0;
      }
    }
    @Injectable()
    class Tools {
      constructor(private readonly notifier: McpNotifier) {}

      @UseGuards(WatchGuard)
      @McpTool({ name: 'watched', description: 'Watched.', inputSchema: { type: 'object' } })
      watched() {}

      @McpTool({ name: 'change', description: 'Changes.', inputSchema: { type: 'object' } })
      change() {
        seen.splice(0);
        this.notifier.toolsChanged();
        return visitors.getStore();
      }
    }
    await listening(
      { providers: [Tools, WatchGuard] },
      platform,
      async ({ app, listen, before }) => {
        const stream = await listen({ headers: { 'x-visitor': 'ada' } });
        await stream.next();
        expect(await app.text('change', {}, { headers: { 'x-visitor': 'eve' } })).toBe('eve');
        expect(await before(stream)).toEqual([[]]);
        expect(seen).toEqual([['ada', false]]);
      },
      (app) =>
        app.use((req: { headers: Record<string, string> }, _: unknown, next: () => void) =>
          visitors.run(req.headers['x-visitor'] ?? 'nobody', next),
        ),
    );
  });

  it('G9: tells the clients of each gate of what that serves, on whichever bus it listens', async () => {
    const said: unknown[] = [];
    const inner = createMcpEventBus();
    const bus: McpEventBus = {
      publish: (event) => {
        said.push(event);
        return inner.publish(event);
      },
      subscribe: (listener) => inner.subscribe(listener),
    };
    const imports = [
      McpModule.forRoot({ name: 'shop', tools: [Reports, Ping] }),
      McpModule.forRoot({ name: 'office', path: '/office', tools: [reads('desk'), Ping], events: bus }),
      McpModule.forRoot({ name: 'annexe', path: '/annexe', tools: [reads('chair'), Ping], events: bus }),
    ];
    await listening({ imports, providers: [Reports] }, platform, async ({ app, listen, before }) => {
      const streams = [await listen(), await listen({ path: '/office' }), await listen({ path: '/annexe' })];
      for (const stream of streams) await stream.next();
      app.app.get(Reports).add('stock');
      expect(await before(...streams)).toEqual([[changed()], [], []]);
      // Once in all: as the application started, for the tools, and for the ping.
      const events = [{ kind: 'tools' }, { kind: 'resource', uri: PING }];
      expect(said.slice(-2)).toEqual(events);
      expect(said.length).toBeLessThanOrEqual(3);
    });
  });

  it('goes on when a bus does not: who makes the change hears nothing of it, the log does', async () => {
    const events: McpEventBus = {
      publish: () => Promise.reject(new Error('the bus is down')),
      subscribe: () => () => undefined,
    };
    const imports = [
      McpModule.forRoot({ name: 'shop' }),
      McpModule.forRoot({ name: 'office', path: '/office', events }),
      ReportsModule,
    ];
    await listening({ imports }, platform, async ({ app, listen }) => {
      const stream = await listen();
      await stream.next();
      app.app.get(Reports).add('stock');
      expect(await stream.next()).toEqual(changed());
      await settled();
      expect(app.log.of('error').join()).toMatch(/A bus of events failed.*the bus is down/s);
    });
  });

  it('does not start when somebody provides a notifier of their own, which would tell nobody', async () => {
    const imports = [McpModule.forRoot({ name: 'shop' })];
    await expect(listening({ imports, providers: [McpNotifier] }, platform, async () => {})).rejects.toThrow(
      /McpNotifier comes with McpModule\.forRoot\(\).*take it out of your "providers"/,
    );
  });

  it('takes another notifier for a test, as any provider', async () => {
    const said: string[] = [];
    const spy = { toolsChanged: () => said.push('tools') };
    const shop = [McpModule.forRoot({ name: 'shop' }), McpModule.forRoot({ name: 'second', path: '/second' })];
    const override: Parameters<typeof served>[1]['override'] = (builder) =>
      builder.overrideProvider(McpNotifier).useValue(spy);
    await served({ imports: [...shop, ReportsModule] }, { platform, override }, async (gate) => {
      gate.app.get(Reports).add('stock');
      expect(said).toEqual(['tools', 'tools']);
    });
  });

  it('ends subscriptions with their results when it is closed, and is closed at once', async () => {
    let rest: Promise<unknown[]> | undefined;
    const gates: McpGates[] = [];
    await listening({}, platform, async ({ app, listen }) => {
      const stream = await listen();
      await stream.next();
      gates.push(app.app.get(McpGates));
      expect([gates[0]!.get('shop').openSubscriptions, gates[0]!.get('shop').liveRuns]).toEqual([1, 0]);
      rest = stream.rest();
    });
    expect(await rest).toEqual([ended()]);
    expect(gates[0]!.get('shop').openSubscriptions).toBe(0);
  });

  it('offers nobody a subscription when it says so', async () => {
    const imports = [McpModule.forRoot({ name: 'shop', subscriptions: { perCaller: 0 } })];
    await listening({ imports }, platform, async ({ listen, notifier }) => {
      notifier.toolsChanged();
      expect((await listen()).res.statusCode).toBe(404);
    });
  });
});
