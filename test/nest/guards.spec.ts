import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  Scope,
  SetMetadata,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { Annotations, McpExecutionContext, McpModule, McpTool, type McpToolProvider } from 'nestjs-mcp-gate';
import { PLATFORMS, served } from './serve.js';

const imports = [McpModule.forRoot({ name: 'shop' })];
const FREE = { type: 'object', additionalProperties: true };
const READS = { readOnlyHint: true, openWorldHint: false };

interface Request {
  headers: Record<string, string | undefined>;
  user?: string;
}

const asked: string[] = [];
beforeEach(() => asked.splice(0));

/** As a guard for routes is written: reads the HTTP request and its own metadata, has a dependency. */
@Injectable()
class Doors {
  readonly keys = new Set(['brass']);
}

@Injectable()
class KeyGuard implements CanActivate {
  constructor(
    private readonly doors: Doors,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const tool = McpExecutionContext.of(context);
    asked.push(
      `${context.getType()} ${context.getClass().name}.${context.getHandler().name} ${tool?.tool?.name ?? 'route'}`,
    );
    const wanted = this.reflector.get<string | undefined>('key', context.getHandler());
    const key = request.headers['x-key'] ?? '';
    if (key === 'broken') throw new ForbiddenException('a broken key');
    return this.doors.keys.has(key) && (wanted === undefined || wanted === key);
  }
}

const withKey = (key: string) => ({ headers: { 'x-key': key } });

describe.each(PLATFORMS)('guards of a tool on %s', (platform) => {
  @Injectable()
  @UseGuards(KeyGuard)
  class Vault {
    @McpTool({ name: 'vault_open', description: 'Guarded by its class.' })
    @Annotations(READS)
    open() {
      return 'open';
    }

    @McpTool({ name: 'vault_gold', description: 'Wants a golden key too.' })
    @Annotations(READS)
    @SetMetadata('key', 'gold')
    gold() {
      return 'gold';
    }
  }

  @Controller('safe')
  class SafeController {
    @Get()
    @UseGuards(KeyGuard)
    @McpTool({ name: 'safe', description: 'Guarded by its method.' })
    @Annotations(READS)
    open() {
      return 'safe';
    }

    @McpTool({ name: 'free', description: 'Guarded by nobody.' })
    @Annotations(READS)
    free() {
      return 'free';
    }
  }

  const app = { imports, providers: [Vault, Doors], controllers: [SafeController] };

  test('decide what is listed and what can be called, with the HTTP request and their dependencies (A2)', async () => {
    await served(app, { platform }, async (gate) => {
      expect(await gate.list()).toEqual(['free']);
      expect(await gate.list(withKey('brass'))).toEqual(['vault_open', 'safe', 'free']);
      expect(await gate.text('vault_open', {}, withKey('brass'))).toBe('open');
      expect(await gate.text('safe', {}, withKey('brass'))).toBe('safe');
      for (const key of ['', 'iron', 'broken']) {
        const refused = await gate.call('vault_open', {}, withKey(key));
        expect(refused.error).toEqual({ code: -32602, message: 'Unknown tool: vault_open' });
        expect(await gate.list(withKey(key))).toEqual(['free']);
      }
    });
  });

  test('are asked once for a call, about the named tool alone', async () => {
    await served(app, { platform }, async (gate) => {
      await gate.text('vault_open', {}, withKey('brass'));
      expect(asked).toEqual(['mcp Vault.open vault_open']);
      asked.splice(0);
      await gate.list();
      expect(asked.toSorted()).toEqual([
        'mcp SafeController.open safe',
        'mcp Vault.gold vault_gold',
        'mcp Vault.open vault_open',
      ]);
    });
  });

  test('still guard the route of a method that is both', async () => {
    await served(app, { platform }, async (gate) => {
      expect((await gate.send({ method: 'GET', path: '/safe' })).status).toBe(403);
      expect((await gate.send({ method: 'GET', path: '/safe', headers: { 'x-key': 'brass' } })).text).toBe('safe');
      expect(asked).toEqual(['http SafeController.open route', 'http SafeController.open route']);
    });
  });
});

describe('guards of a tool', () => {
  test('see caller, tool and, for a call, the arguments as they came', async () => {
    const seen: unknown[] = [];
    const look: CanActivate = {
      canActivate(context) {
        const { caller, tool, args, run } = McpExecutionContext.of(context)!;
        seen.push([caller.authenticated, tool!.name, args, run]);
        return true;
      },
    };
    class Seen {
      @UseGuards(look)
      @McpTool({ name: 'seen', description: 'Seen.', inputSchema: FREE })
      @Annotations(READS)
      seen() {}
    }
    await served({ imports, providers: [Seen] }, {}, async (gate) => {
      await gate.list();
      await gate.call('seen', { sku: 'A1' });
      expect(seen).toEqual([
        [false, 'seen', undefined, undefined],
        [false, 'seen', { sku: 'A1' }, undefined],
      ]);
    });
  });

  test('may be asynchronous and request-scoped, and share their request with the tool', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visitor {
      name?: string;
    }
    @Injectable()
    class VisitorGuard implements CanActivate {
      constructor(private readonly visitor: Visitor) {}

      async canActivate(context: ExecutionContext) {
        await new Promise((done) => setTimeout(done, 5));
        this.visitor.name = context.switchToHttp().getRequest<Request>().headers['x-key'];
        return this.visitor.name !== undefined;
      }
    }
    @Injectable()
    class Visits {
      constructor(private readonly visitor: Visitor) {}

      @UseGuards(VisitorGuard)
      @McpTool({ name: 'visit', description: 'Says who visits.' })
      @Annotations(READS)
      visit() {
        return `hello ${this.visitor.name}`;
      }
    }
    await served({ imports, providers: [Visits, Visitor] }, {}, async (gate) => {
      const visits = ['ann', 'bob'].map((name) => gate.text('visit', {}, withKey(name)));
      expect(await Promise.all(visits)).toEqual(['hello ann', 'hello bob']);
      expect(await gate.list()).toEqual([]);
    });
  });

  test('may write headers of the response, as on a route', async () => {
    const counting: CanActivate = {
      canActivate(context) {
        const response = context.switchToHttp().getResponse<{ header(name: string, value: string): unknown }>();
        response.header('x-remaining', '3');
        return true;
      },
    };
    class Counted {
      @UseGuards(counting)
      @McpTool({ name: 'counted', description: 'Counted.' })
      @Annotations(READS)
      counted() {
        return 'counted';
      }
    }
    for (const platform of PLATFORMS) {
      await served({ imports, providers: [Counted] }, { platform }, async (gate) => {
        expect(await gate.text('counted')).toBe('counted');
      });
    }
  });

  test('on a provider of fresh tools decide over all of them', async () => {
    const fresh = {
      name: 'fresh',
      description: 'Fresh.',
      inputSchema: FREE,
      annotations: READS,
      handler: () => 'fresh',
    };
    @UseGuards(KeyGuard)
    class Market implements McpToolProvider {
      getMcpTools() {
        return [fresh];
      }
    }
    await served({ imports, providers: [Market, Doors] }, {}, async (gate) => {
      expect(await gate.list()).toEqual([]);
      expect((await gate.call('fresh')).error.message).toBe('Unknown tool: fresh');
      expect(await gate.text('fresh', {}, withKey('brass'))).toBe('fresh');
    });
  });

  test("the application's global guards run on the gate's route and not again for a tool", async () => {
    const ran: string[] = [];
    const global: CanActivate = { canActivate: (context) => ran.push(context.getType()) > 0 };
    class Plain {
      @McpTool({ name: 'plain', description: 'Plain.' })
      @Annotations(READS)
      plain() {
        return 'plain';
      }
    }
    const providers = [Plain, { provide: APP_GUARD, useValue: global }];
    await served({ imports, providers }, {}, async (gate) => {
      expect(await gate.text('plain')).toBe('plain');
      expect(ran).toEqual(['http']);
    });
  });
});
