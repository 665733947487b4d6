import {
  applyDecorators,
  Controller,
  Get,
  Inject,
  Injectable,
  mixin,
  Module,
  Scope,
  type Provider,
  type Type,
} from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import {
  Annotations,
  McpComplete,
  McpResource,
  McpGates,
  McpModule,
  McpPrompt,
  McpTool,
  RequireAuth,
  RequireScopes,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { PLATFORMS, served } from './serve.js';

const SHOP = McpModule.forRoot({ name: 'shop' });
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
  private readonly stock = new Map([['A1', 3]]);

  @McpTool({
    name: 'stock',
    description: 'Stock of a product.',
    inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
  })
  @Annotations(READS)
  read(args: { sku: string }) {
    return `${this.stock.get(args.sku) ?? 0} left`;
  }
}

/** Decorates a method by hand, its own or inherited. */
function decorate({ prototype }: Type, method: string, decorator: MethodDecorator): void {
  const value = (prototype as Record<string, unknown>)[method];
  decorator(prototype as object, method, { value, writable: true, configurable: true });
}

describe.each(PLATFORMS)('declaring tools on %s', (platform) => {
  test('a decorated method of a provider is listed and called as its instance (T1, T3)', async () => {
    await served({ imports: [SHOP], providers: [StockTools] }, { platform }, async (gate) => {
      expect(await gate.tool('stock')).toEqual({
        name: 'stock',
        description: 'Stock of a product.',
        annotations: READS,
        inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
      });
      expect(await gate.text('stock', { sku: 'A1' })).toBe('3 left');
    });
  });

  test('a method of a controller may be a route and a tool at once (T3)', async () => {
    @Controller('prices')
    class PriceController {
      @Get()
      @McpTool({ name: 'prices', description: 'All prices.' })
      @Annotations(READS)
      all() {
        return { apple: 2 };
      }

      @Get('secret')
      secret() {
        return 'a route and no tool';
      }
    }
    await served({ imports: [SHOP], controllers: [PriceController] }, { platform }, async (gate) => {
      expect(await gate.list()).toEqual(['prices']);
      expect(await gate.text('prices')).toBe('{"apple":2}');
      expect(await (await fetch(`${gate.url}/prices`)).json()).toEqual({ apple: 2 });
    });
  });
});

describe('declaring tools', () => {
  test('decorators write one object in any order (T1)', async () => {
    class Mixed {
      @RequireScopes('a', 'b')
      @Annotations(READS)
      @McpTool({ name: 'first', description: 'Decorated from below.' })
      first() {}

      @McpTool({ name: 'second', description: 'Decorated from above.' })
      @RequireAuth()
      @RequireScopes('a', 'b')
      @Annotations(READS)
      second() {}
    }
    await served({ imports: [SHOP], providers: [Mixed] }, {}, async (gate) => {
      expect(gate.app.get(McpGates).tools('shop')).toEqual([
        { name: 'first', origin: 'Mixed.first', reserved: true },
        { name: 'second', origin: 'Mixed.second', reserved: true },
      ]);
      expect(await gate.list()).toEqual([]);
      expect(gate.log.of('warn')).toEqual([]);
    });
  });

  test('a decorator may stand twice where it says the same: composed with others, or put on a class that took the method over', async () => {
    const Reader = (name: string) =>
      applyDecorators(
        McpTool({ name, description: 'Reads.' }),
        Annotations(READS),
        RequireScopes('read'),
        RequireAuth(),
      );
    class Composed {
      @Reader('composed')
      @RequireAuth()
      @RequireScopes('read')
      read() {}
    }
    class Mixed {}
    Object.defineProperty(Mixed.prototype, 'read', Object.getOwnPropertyDescriptor(Composed.prototype, 'read')!);
    expect(() => decorate(Mixed, 'read', Reader('composed'))).not.toThrow();
    await served({ imports: [SHOP], providers: [Composed] }, {}, async (gate) => {
      expect(gate.app.get(McpGates).tools('shop')).toMatchObject([{ name: 'composed', reserved: true }]);
      expect(gate.log.of('warn')).toEqual([]);
    });
  });

  test('a method is decorated anew where it is overridden, and made anew by each call of a mixin', async () => {
    class Base {
      @McpTool({ name: 'base', description: 'Of the base class.' })
      @RequireAuth()
      @Annotations(READS)
      run() {
        return 'base';
      }
    }
    class Derived extends Base {
      @McpTool({ name: 'derived', description: 'Of the derived class.' })
      @Annotations(READS)
      override run() {
        return `derived from ${super.run()}`;
      }
    }
    function Named(name: string) {
      class Mixin {
        @McpTool({ name, description: 'Of a mixin.' })
        @McpPrompt({ name })
        @Annotations(READS)
        run() {
          return name;
        }
      }
      return mixin(Mixin);
    }
    class One extends Named('one') {}
    class Two extends Named('two') {}
    await served({ imports: [SHOP], providers: [Derived, One, Two] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['derived', 'one', 'two']);
      expect(await gate.text('derived')).toBe('derived from base');
      expect(await gate.text('two')).toBe('two');
      const { body } = await gate.rpc('prompts/get', { name: 'two' });
      expect(body.result.messages).toMatchObject([{ content: { text: 'two' } }]);
      expect(gate.log.of('warn')).toEqual([]);
    });
  });

  test.each([
    [
      'a static method',
      () => {
        class Wrong {
          @McpTool({ name: 'x', description: 'x' })
          static run() {}
        }
        return Wrong;
      },
      /Wrong\.run: a static method/,
    ],
    [
      'an accessor',
      () => {
        class Wrong {
          @McpTool({ name: 'x', description: 'x' })
          get run() {
            return 1;
          }
        }
        return Wrong;
      },
      /Wrong\.run: .*not on a property or an accessor/,
    ],
    [
      'a class',
      () => {
        @(RequireScopes('x') as any)
        class Wrong {}
        return Wrong;
      },
      /the class Wrong: it belongs on a method/,
    ],
  ])('a decorator on %s is refused when the class is loaded, by name', (_, load, message) => {
    expect(load).toThrow(message);
  });

  test('a decorator that was compiled as one of ECMAScript is refused with the settings of the compiler', () => {
    const decorator = McpTool({ name: 'x', description: 'x' }) as (...given: unknown[]) => void;
    expect(() => decorator(function read() {}, { kind: 'method', name: 'read' })).toThrow(
      /^@McpTool\(\) on read: it is compiled as a decorator of ECMAScript.*"experimentalDecorators" and "emitDecoratorMetadata"/,
    );
  });

  test('inherited methods are found; one that is overridden without decorators is a tool no more', async () => {
    class Base {
      @McpTool({ name: 'kept', description: 'Inherited.' })
      @Annotations(READS)
      kept() {
        return this.constructor.name;
      }

      @McpTool({ name: 'gone', description: 'Overridden.' })
      gone() {}
    }
    class Derived extends Base {
      override gone() {}
    }
    await served({ imports: [SHOP], providers: [Derived] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['kept']);
      expect(await gate.text('kept')).toBe('Derived');
    });
  });

  test('looking for tools runs no getter', async () => {
    let ran = 0;
    class Lazy {
      get expensive() {
        ran++;
        return () => 0;
      }

      @McpTool({ name: 'lazy', description: 'Beside a getter.' })
      lazy() {}
    }
    await served({ imports: [SHOP], providers: [Lazy] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['lazy']);
      expect(ran).toBe(0);
    });
  });

  test('what a factory makes is searched by its class; an alias adds nothing', async () => {
    const providers: Provider[] = [
      { provide: 'STOCK', useFactory: () => new StockTools() },
      { provide: 'ALIAS', useExisting: 'STOCK' },
    ];
    await served({ imports: [SHOP], providers }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['stock']);
      expect(await gate.text('stock', { sku: 'A1' })).toBe('3 left');
      expect([...gate.log.of('warn'), ...gate.log.of('debug')]).toEqual([]);
    });
  });

  test("of a class in two modules the first module's instance serves the tools, and the log says so at DEBUG", async () => {
    let instances = 0;
    class Counted {
      private readonly number = ++instances;

      @McpTool({ name: 'which', description: 'Which instance.' })
      @Annotations(READS)
      which() {
        return `instance ${this.number}`;
      }
    }
    @Module({ providers: [Counted] })
    class FirstModule {}
    @Module({ providers: [Counted] })
    class SecondModule {}
    await served({ imports: [SHOP, FirstModule, SecondModule] }, {}, async (gate) => {
      expect(instances).toBe(2);
      expect(await gate.list()).toEqual(['which']);
      expect(await gate.text('which')).toBe('instance 1');
      expect(gate.log.of('debug')).toContain('Counted of SecondModule is served by the instance of FirstModule.');
      expect(gate.log.of('warn')).toEqual([]);
    });
  });

  test('tools of a lazily loaded module are there at the next request (G10)', async () => {
    @Module({ providers: [StockTools] })
    class LaterModule {}
    await served({ imports: [SHOP] }, {}, async (gate) => {
      expect(await gate.list()).toEqual([]);
      await gate.app.get(LazyModuleLoader).load(() => LaterModule);
      expect(await gate.list()).toEqual(['stock']);
      expect(await gate.text('stock', { sku: 'A1' })).toBe('3 left');
    });
  });

  test('what a lazily loaded module declares badly is reported then, and nothing a second time (T4)', async () => {
    class Early {
      @McpTool({ name: 'mute', description: '' })
      mute() {}
    }
    class Late {
      @McpTool({ name: 'stock', description: 'Taken.' })
      taken() {}

      @Annotations(READS)
      forgotten() {}
    }
    @Module({ providers: [Late] })
    class LaterModule {}
    await served({ imports: [SHOP], providers: [StockTools, Early] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['stock']);
      await gate.app.get(LazyModuleLoader).load(() => LaterModule);
      expect(await gate.list()).toEqual(['stock']);
      expect(await gate.text('stock', { sku: 'A1' })).toBe('3 left');
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/^Not served: Early\.mute/),
        expect.stringMatching(/^Not served: Late\.forgotten/),
        expect.stringMatching(/^Not served: Late\.taken \(tool "stock"\): the name is taken by StockTools\.read/),
      ]);
    });
  });

  test('a module that is still loading shows no half-made tool', async () => {
    let release: (value: string) => void = () => undefined;
    class Waiting {
      constructor(@Inject('SLOW') readonly slow: string) {}

      @McpTool({ name: 'waiting', description: 'Needs something slow.' })
      waiting() {
        return this.slow;
      }
    }
    @Module({
      providers: [Waiting, { provide: 'SLOW', useFactory: () => new Promise<string>((done) => (release = done)) }],
    })
    class SlowModule {}
    await served({ imports: [SHOP] }, {}, async (gate) => {
      const loading = gate.app.get(LazyModuleLoader).load(() => SlowModule);
      await new Promise((done) => setTimeout(done, 20));
      expect(await gate.list()).toEqual([]);
      release('ready');
      await loading;
      expect(await gate.list()).toEqual(['waiting']);
      expect(await gate.text('waiting')).toBe('ready');
    });
  });
});

describe('request-scoped and transient providers', () => {
  test('each request has an instance of its own, with that request injected', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visit {
      calls = 0;
    }
    @Injectable()
    class VisitTools {
      constructor(
        readonly visit: Visit,
        @Inject('REQUEST') private readonly request: { headers: Record<string, string> },
      ) {}

      @McpTool({ name: 'visit', description: 'Who visits.' })
      visitor() {
        return `${this.request.headers['x-visitor']} ${++this.visit.calls}`;
      }
    }
    for (const platform of PLATFORMS) {
      await served({ imports: [SHOP], providers: [Visit, VisitTools] }, { platform }, async (gate) => {
        const visits = ['ann', 'bob', 'eve'].map((name) => gate.text('visit', {}, { headers: { 'x-visitor': name } }));
        expect(await Promise.all(visits)).toEqual(['ann 1', 'bob 1', 'eve 1']);
      });
    }
  });

  test('a transient provider is made for each request', async () => {
    let made = 0;
    @Injectable({ scope: Scope.TRANSIENT })
    class Fleeting {
      readonly number = ++made;

      @McpTool({ name: 'fleeting', description: 'Which instance.' })
      number_() {
        return String(this.number);
      }
    }
    await served({ imports: [SHOP], providers: [Fleeting] }, {}, async (gate) => {
      const before = made;
      expect(await gate.text('fleeting')).toBe(String(before + 1));
      expect(await gate.text('fleeting')).toBe(String(before + 2));
    });
  });
});

describe('getMcpTools()', () => {
  test('is asked again at each request (T3)', async () => {
    @Injectable()
    class Menu implements McpToolProvider {
      dishes = ['soup'];

      getMcpTools() {
        return this.dishes.map(plain);
      }
    }
    await served({ imports: [SHOP], providers: [Menu] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['soup']);
      gate.app.get(Menu).dishes = ['fish', 'bread'];
      expect(await gate.list()).toEqual(['fish', 'bread']);
      expect(await gate.text('bread')).toBe('I am bread');
      expect((await gate.call('soup')).error.message).toBe('Unknown tool: soup');
    });
  });

  test('a provider that throws is named once at WARN, and the others are still served (T4)', async () => {
    @Injectable()
    class Broken {
      getMcpTools(): never {
        throw new Error('the table is missing');
      }
    }
    @Injectable()
    class Sound {
      async getMcpTools() {
        return [plain('sound')];
      }
    }
    await served({ imports: [SHOP], providers: [Broken, Sound, StockTools] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['stock', 'sound']);
      expect(await gate.list()).toEqual(['stock', 'sound']);
      expect(gate.log.of('warn')).toEqual([
        'Broken.getMcpTools: it gave no tools, those of others are served: the table is missing',
      ]);
    });
  });

  test('a bad tool among good ones is discarded, and one in code keeps its name (T4)', async () => {
    @Injectable()
    class Careless {
      getMcpTools() {
        return [plain('stock'), { ...plain('mute'), description: '' }, plain('fine')];
      }
    }
    await served({ imports: [SHOP], providers: [Careless, StockTools] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['stock', 'fine']);
      expect(await gate.text('stock', { sku: 'A1' })).toBe('3 left');
      await gate.list();
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/^Careless\.getMcpTools \(tool "stock"\): the name is taken by StockTools\.read/),
        expect.stringMatching(/^Careless\.getMcpTools \(tool "mute"\): its description is missing/),
      ]);
    });
  });

  test('a request-scoped provider is told at boot that nobody can ask it', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      getMcpTools() {
        return [plain('never')];
      }
    }
    await served({ imports: [SHOP], providers: [PerRequest] }, {}, async (gate) => {
      expect(await gate.list()).toEqual([]);
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/^Not served: PerRequest\.getMcpTools: .*default scope/),
      ]);
    });
  });
});

describe('bad declarations', () => {
  test('are discarded and reported once at WARN with class and method (T4)', async () => {
    class Odd {
      @McpTool({ name: 'has space', description: 'Bad name.' })
      badName() {}

      @McpTool({ name: 'mute', description: ' ' })
      mute() {}

      @McpTool(undefined as never) // a constant that a circle of imports has not made yet
      unmade() {}

      @McpTool({ name: 'nest_own', description: 'Reserved prefix.' })
      reserved() {}

      @McpTool({ name: 'stock', description: 'Taken.' })
      taken() {}

      @Annotations(READS)
      @RequireScopes('x')
      forgotten() {}

      @McpTool({ name: 'vague', description: 'No schema.' })
      vague(args: { sku: string }) {
        return args;
      }

      @McpTool({ name: 'fine', description: 'Nothing wrong.' })
      @Annotations(READS)
      fine() {}
    }
    await served({ imports: [SHOP], providers: [StockTools, Odd] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['stock', 'fine']);
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/^Not served: Odd\.forgotten: .*no @McpTool\(\)/),
        expect.stringMatching(/^Not served: Odd\.vague \(tool "vague"\): .*inputSchema.*class-validator/),
        expect.stringMatching(/^Not served: Odd\.badName \(tool "has space"\): its name must be/),
        expect.stringMatching(/^Not served: Odd\.mute \(tool "mute"\): its description is missing/),
        expect.stringMatching(/^Not served: Odd\.unmade: its name must be/),
        expect.stringMatching(/^Not served: Odd\.reserved \(tool "nest_own"\): the prefix "nest_"/),
        expect.stringMatching(/^Not served: Odd\.taken \(tool "stock"\): the name is taken by StockTools\.read/),
      ]);
    });
  });

  test.each([
    ['@McpTool()', (name: string) => McpTool({ name, description: 'One of two.' })],
    ['@RequireScopes()', (scope: string) => RequireScopes(scope)],
    [
      '@McpComplete()',
      (name: string) => McpComplete(name === 'a' ? { prompt: 'a', argument: 'a' } : { template: 'b', variable: 'b' }),
    ],
  ])('%s that says two things of one method does not lose one of them in silence', (name, make) => {
    class Twice {
      method() {}
    }
    decorate(Twice, 'method', make('a'));
    expect(() => decorate(Twice, 'method', make('b'))).toThrow(`${name} on Twice.method: it stands there already.`);
  });

  test('a decorator below one that wraps the method, and copies what stands on it, is not lost either', () => {
    const wrapping: MethodDecorator = (_, __, descriptor) => {
      const method = descriptor.value as unknown as () => unknown;
      const wrapper = () => method();
      for (const key of Reflect.getMetadataKeys(method)) {
        Reflect.defineMetadata(key, Reflect.getMetadata(key, method), wrapper);
      }
      return { ...descriptor, value: wrapper } as never;
    };
    expect(() => {
      class Wrapped {
        @RequireScopes('b')
        @wrapping
        @RequireScopes('a')
        method() {}
      }
      return Wrapped;
    }).toThrow('@RequireScopes() on Wrapped.method: it stands there already.');
  });

  test('scopes that a wrapper says of itself stay when it copies what stands on the method, key by key', async () => {
    const wrapping: MethodDecorator = (target, key, descriptor) => {
      const method = descriptor.value as unknown as () => unknown;
      const wrapper = () => method();
      RequireScopes('admin')(target, key, { ...descriptor, value: wrapper } as never);
      for (const copied of Reflect.getMetadataKeys(method)) {
        Reflect.defineMetadata(copied, Reflect.getMetadata(copied, method), wrapper);
      }
      return { ...descriptor, value: wrapper } as never;
    };
    class Reserved {
      @wrapping
      @McpResource({ uri: 'shop://prices', name: 'prices', description: 'All prices.' })
      prices() {
        return 'none';
      }
    }
    await served({ imports: [SHOP], providers: [Reserved] }, {}, async (gate) => {
      expect(gate.log.of('log')).toEqual(['shop: 0 tools, 1 resource at POST /mcp, 1 reserved']);
    });
  });

  test('one function that two classes share is not made two tools, of which one would be lost', () => {
    class First {
      run() {}
    }
    class Second extends First {}
    decorate(First, 'run', McpTool({ name: 'first', description: 'The first.' }));
    expect(() => decorate(Second, 'run', McpTool({ name: 'second', description: 'The second.' }))).toThrow(
      '@McpTool() on Second.run: it stands on First.run already, which is the same function. Give each place a function of its own.',
    );
  });

  test('@RequireScopes() without a scope is refused where it stands, because it would keep nobody out', () => {
    const none: string[] = [];
    expect(() => {
      class Open {
        @RequireScopes(...none)
        method() {}
      }
      return Open;
    }).toThrow('@RequireScopes() on Open.method: it names no scope, so it would keep nobody out.');
  });

  test('annotations that say too little are warned of at boot', async () => {
    class Silent {
      @McpTool({ name: 'silent', description: 'Says nothing.' })
      silent() {}
    }
    await served({ imports: [SHOP], providers: [Silent] }, {}, async (gate) => {
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/"silent": say with readOnlyHint/),
        expect.stringMatching(/"silent": say with openWorldHint/),
      ]);
    });
  });

  test('the boot tells what each gate serves', async () => {
    class Reserved {
      @McpTool({ name: 'secret', description: 'Reserved.' })
      @RequireScopes('x')
      secret() {}
    }
    await served({ imports: [SHOP], providers: [StockTools, Reserved] }, {}, async (gate) => {
      expect(gate.log.of('log')).toEqual(['shop: 2 tools at POST /mcp, 1 reserved']);
    });
  });
});
