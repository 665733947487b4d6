/** D: each rule of nest_check by itself: what is told, in which words, and what is left alone. */
import {
  All,
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Post,
  Query,
  Scope,
  SetMetadata,
  UseGuards,
  VERSION_NEUTRAL,
  VersioningType,
  createParamDecorator,
  forwardRef,
  type INestApplication,
} from '@nestjs/common';
import { LazyModuleLoader, REQUEST } from '@nestjs/core';
import { IsString } from 'class-validator';
import { idleParts } from '../../src/devkit/check/checks/idle-parts.js';
import { unguardedRoutes } from '../../src/devkit/check/checks/unguarded-routes.js';
import { unvalidatedParameters } from '../../src/devkit/check/checks/unvalidated-parameters.js';
import { isValidatedClass } from '../../src/devkit/check/validated-classes.js';
import { Annotations, McpModule, McpTool } from '../../src/index.js';
import { serveDevkit, type AskOptions } from './ask.js';

@Injectable()
class Guard {
  canActivate() {
    return true;
  }
}
/** Later versions of Nest refuse to start with such a part, earlier ones leave it out. */
const IDLE = { name: 'Nothing', from: 'method', idle: 'it is none: Nest leaves it out' };
const NONE = { guards: [], pipes: [], interceptors: [], filters: [], parameters: [] };
const ROUTE = {
  method: 'GET',
  path: '/orders',
  controller: 'Orders',
  handler: 'read',
  type: Guard,
  callback() {},
  ...NONE,
};

class Order {
  @IsString() sku!: string;
}

async function findings(metadata: object, check: string | undefined, options: AskOptions & { filter?: string } = {}) {
  const { filter, ...rest } = options;
  const asked = await serveDevkit(metadata, rest);
  const path = options.path ?? '/mcp/devkit';
  const text = await asked.app.text('nest_check', { ...(check && { check }), ...(filter && { filter }) }, { path });
  await asked.app.close();
  return JSON.parse(text).items as any[];
}
const where = (found: readonly any[]) => found.map((one) => one.where);

describe('nest_check', () => {
  @Injectable()
  class Unasked {}
  @Controller('orders')
  class Orders {
    @Get('best')
    @UseGuards(Guard)
    best() {}
    @Get('q7Zr2Lk9XwB4nVt6YpM1sHd8')
    open() {}
    @Post()
    @UseGuards(Guard)
    write(@Body() _order: Order) {}
  }
  const metadata = { controllers: [Orders], providers: [Unasked] };

  it('tells faults before what may be meant, narrows by words, and masks what looks like a secret', async () => {
    const all = await findings(metadata, undefined);
    expect(all.map(({ level }) => level)).toEqual(['fault', 'look', 'look']);
    expect(where(await findings(metadata, undefined, { filter: 'unasked' }))).toEqual([
      expect.stringMatching(/^Unasked of/),
    ]);
    const masked = all.find(({ check }) => check === 'unguarded-routes');
    expect(masked.what).toBe('No guard runs before GET [masked]; 2 routes of the same controller have one.');
    expect(await findings(metadata, undefined, { filter: 'q7Zr2' })).toEqual([]);
  });

  it('tells of own code alone what nobody needs: nothing of a class of which nobody knows where it stands', async () => {
    const Made = Object.getPrototypeOf(async () => undefined).constructor('return class Made {}')() as Promise<never>;
    expect(where(await findings({ providers: [Unasked, await Made] }, 'never-injected'))).toEqual([
      expect.stringMatching(/^Unasked of/),
    ]);
  });
});

describe('shadowed-routes', () => {
  const shadowed = (controllers: unknown[], configure?: (app: INestApplication) => unknown) =>
    findings({ controllers }, 'shadowed-routes', configure && { configure });

  it('tells what a route for every method takes, and what to do where two have one path', async () => {
    @Controller('a')
    class First {
      @All('x')
      all() {}
    }
    @Controller('a')
    class Second {
      @Post('x')
      post() {}
      @Get(':id')
      one() {}
      @Get('best')
      best() {}
    }
    const [same, other] = await shadowed([First, Second]);
    expect([same.where, same.cure]).toEqual(['Second.post', 'Give one of the two another path or version.']);
    expect(other.cure).toMatch(/^Write best before one, or give it/);
  });

  it('tells which module to import first', async () => {
    @Controller('a')
    class Taking {
      @Get(':id')
      one() {}
    }
    @Controller('a')
    class Taken {
      @Get('best')
      best() {}
    }
    @Module({ controllers: [Taking] })
    class TakingModule {}
    @Module({ controllers: [Taken] })
    class TakenModule {}
    const [found] = await findings({ imports: [TakingModule, TakenModule] }, 'shadowed-routes');
    expect(found.cure).toContain('Write best before one, that is import TakenModule before TakingModule');
  });

  it('takes the paths of one method for no routes that take from each other, and those of a parent for two', async () => {
    @Controller('a')
    class TwoPaths {
      @Get([':id', 'best'])
      one() {}
    }
    expect(await shadowed([TwoPaths])).toEqual([]);
    class Parent {
      @Get('same')
      same() {}
    }
    @Controller('b')
    class One extends Parent {}
    @Controller('b')
    class Two extends Parent {}
    expect(where(await shadowed([One, Two]))).toEqual(['Two.same']);
  });

  it('tells nothing of another host', async () => {
    @Controller({ path: 'a', host: 'api.example' })
    class OfHost {
      @Get(':id')
      one() {}
    }
    @Controller('a')
    class OfAll {
      @Get('best')
      best() {}
    }
    expect(await shadowed([OfHost, OfAll])).toEqual([]);
    expect(where(await shadowed([OfAll, OfHost]))).toEqual([]);
  });

  it('tells nothing of another version, unless the path says which it is', async () => {
    @Controller({ path: 'orders/1', version: '1' })
    class One {
      @Get(':id')
      one() {}
    }
    @Controller({ path: 'orders/1', version: '2' })
    class Two {
      @Get('best')
      best() {}
    }
    const inHeader = { type: VersioningType.HEADER, header: 'x-version', defaultVersion: VERSION_NEUTRAL } as const;
    expect(await shadowed([One, Two], (app) => app.enableVersioning(inHeader))).toEqual([]);
    @Controller({ path: '', version: '1' })
    class InPath {
      @Get(':id')
      one() {}
    }
    @Controller({ path: 'v1', version: VERSION_NEUTRAL })
    class Neutral {
      @Get('best')
      best() {}
    }
    const inPath = { type: VersioningType.URI, defaultVersion: VERSION_NEUTRAL } as const;
    expect(where(await shadowed([InPath, Neutral], (app) => app.enableVersioning(inPath)))).toEqual(['Neutral.best']);
  });
});

describe('unguarded-routes', () => {
  const unguarded = (controllers: unknown[]) => findings({ controllers }, 'unguarded-routes');

  it('tells the place of the one route that is open, of several that of the class, and how many are guarded', async () => {
    @Controller('one')
    class One {
      @Get('a')
      @UseGuards(Guard)
      a() {}
      @Get('b')
      b() {}
    }
    @Controller('two')
    class Two {
      @Get('a')
      @UseGuards(Guard)
      a() {}
      @Get('b')
      @UseGuards(Guard)
      b() {}
      @Get('c')
      c() {}
      @Get('d')
      d() {}
    }
    const [one, two] = await unguarded([One, Two]);
    expect(one.what).toBe('No guard runs before GET /one/b; 1 route of the same controller has one.');
    expect(two.what).toBe('No guard runs before GET /two/c, GET /two/d; 2 routes of the same controller have one.');
    const line = ({ file }: { file: string }) => Number(file.split(':').at(-1));
    expect(line(one) - line(two)).not.toBe(0);
    expect((await unguarded([One]))[0].file).not.toBe((await unguarded([Two]))[0].file);
  });

  it('tells nothing of what a class or a symbol marks as open, or is called like what comes before a login', async () => {
    const PUBLIC = Symbol('isPublic');
    @Controller('a')
    @SetMetadata('isPublic', true)
    class OfClass {
      @Get('a')
      @UseGuards(Guard)
      a() {}
      @Get('b')
      b() {}
    }
    @Controller('b')
    class OfMethods {
      @Get('a')
      @UseGuards(Guard)
      a() {}
      @Get('x')
      signIn() {}
      @Get('sign-up/confirm')
      b() {}
      @Get('y')
      @SetMetadata(PUBLIC as never, true)
      c() {}
    }
    expect(await unguarded([OfClass, OfMethods])).toEqual([]);
  });

  it('takes a guard that does not run for none, and one of a controller that counts requests for one', async () => {
    const guarded = (guards: object[]) => ({ ...ROUTE, callback() {}, guards });
    const counts = { name: 'ThrottlerGuard', from: 'controller' };
    const all = [[counts], [IDLE], [{ ...counts, from: 'global' }]].map(guarded);
    const [found, ...others] = await unguardedRoutes({ routes: { all: () => all } } as never);
    expect([found!.where, others]).toEqual(['Orders.read, Orders.read', []]);
  });
});

describe('unvalidated-parameters', () => {
  const Given = createParamDecorator(() => ({}));

  it('tells a method of two paths once, and looks at neither single values nor what the application fills itself', async () => {
    @Controller('a')
    class Orders {
      @Post(['x', 'y'])
      twice(@Body() _order: Order) {}
      @Get()
      read(@Query('page') _page: Order, @Given() _given: Order) {}
    }
    expect(where(await findings({ controllers: [Orders] }, 'unvalidated-parameters'))).toEqual(['Orders.twice']);
  });

  it('takes pipes that look at single values, and those that do not run, for none', async () => {
    const parameter = (...pipes: object[]) => [{ index: 0, from: 'body', type: Order, piped: true, pipes }];
    const all = [
      { ...ROUTE, callback() {}, parameters: parameter({ name: 'ParseIntPipe', from: 'parameter' }) },
      { ...ROUTE, callback() {}, pipes: [IDLE], parameters: parameter() },
      { ...ROUTE, callback() {}, pipes: [{ name: 'Checking', from: 'method' }], parameters: parameter() },
    ];
    expect(await unvalidatedParameters({ routes: { all: () => all }, registered: {} } as never)).toMatchObject([
      { level: 'look' }, // without HTTP nobody knows what main.ts would add
      { level: 'look' },
    ]);
  });

  it('knows no rules of what is no class, or where class-validator is not there', () => {
    expect([isValidatedClass(Order), isValidatedClass(undefined), isValidatedClass('Order')]).toEqual([
      true,
      false,
      false,
    ]);
    const all = globalThis as { classValidatorMetadataStorage?: unknown };
    const { classValidatorMetadataStorage: storage } = all;
    delete all.classValidatorMetadataStorage;
    expect(isValidatedClass(Order)).toBe(false);
    all.classValidatorMetadataStorage = storage;
  });
});

describe('idle-parts', () => {
  it('tells each part that does not run: a global one once, others with their method', async () => {
    const kinds = ['guard', 'pipe', 'interceptor', 'filter'] as const;
    const global = (kind: string) => [{ name: `Global ${kind}`, from: 'global', idle: 'it came too late' }];
    const idle = (kind: string) => [...global(kind), { name: `Own ${kind}`, from: 'method', idle: 'it is none' }];
    const [guards, pipes, interceptors, filters] = kinds.map(idle);
    const parameters = [{ pipes: [{ name: 'Pipe of a parameter', from: 'parameter', idle: 'it is none' }] }];
    const routes = {
      all: () => [{ ...ROUTE, guards, pipes, interceptors, filters, parameters }, ROUTE],
      unregistered: () => [],
    };
    const found = await idleParts({ routes, running: { global } } as never);
    expect(found.map(({ what, where: place }) => `${place}: ${what}`)).toEqual([
      ...kinds.map((kind) => `the global ${kind}s: Global ${kind} does not run: it came too late.`),
      'Orders.read: Own guard does not run: it is none.',
      'Orders.read: Own pipe does not run: it is none.',
      'Orders.read: Own interceptor does not run: it is none.',
      'Orders.read: Own filter does not run: it is none.',
      'Orders.read: Pipe of a parameter does not run: it is none.',
    ]);
  });

  it('tells the routes of a module that was loaded after they were built', async () => {
    @Controller('late')
    class Late {
      @Get()
      read() {}
    }
    @Module({ controllers: [Late] })
    class LateModule {}
    const asked = await serveDevkit({});
    await asked.app.app.get(LazyModuleLoader).load(() => LateModule);
    const { items } = await asked.ask('nest_check', { check: 'idle-parts' });
    expect((await asked.inspect('routes', { filter: 'late' })).items).toEqual([]);
    await asked.app.close();
    expect(items).toMatchObject([
      { level: 'fault', where: 'Late.read', what: expect.stringContaining('GET /late is written') },
    ]);
  });
});

describe('request-scope', () => {
  const scoped = (metadata: object) => findings(metadata, 'request-scope');

  it('tells of one whom it draws and that no route pays for it; of an alias nothing', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visitor {}
    @Injectable()
    class Prices {
      constructor(readonly visitor: Visitor) {}
    }
    const [found, ...others] = await scoped({ providers: [Visitor, Prices, { provide: 'P', useExisting: Prices }] });
    expect(others).toEqual([]);
    expect(found.what).toBe('Visitor lives as long as a request, and by it so does Prices. No route is among them.');
  });

  it('counts the routes of controllers alone, each instance once, and tells eight names', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visitor {}
    @Injectable()
    class Calm {}
    const drawn = Array.from({ length: 9 }, (_, at) => {
      class Drawn {
        constructor(readonly visitor: Visitor) {}
      }
      Object.defineProperty(Drawn, 'name', { value: `Drawn${at}` });
      Injectable()(Drawn);
      Inject(Visitor)(Drawn, undefined as never, 0);
      return Drawn;
    });
    @Controller('a')
    class Orders {
      constructor(
        readonly visitor: Visitor,
        readonly calm: Calm,
        @Inject(drawn[0]) readonly one: object,
        @Inject(drawn[1]) readonly two: object,
      ) {}
      @Get()
      read() {}
      @Get('b')
      other() {}
    }
    const [found] = await scoped({ controllers: [Orders], providers: [Visitor, Calm, ...drawn] });
    expect(found.what).toBe(
      'Visitor lives as long as a request, and by it so do Orders, Drawn0, Drawn1, Drawn2, Drawn3, Drawn4, Drawn5, Drawn6 ' +
        'and 2 more. It costs 2 routes up to 4 new instances for each request.',
    );
  });

  it('counts what a controller has made, and no provider that no route has: each once, also in a circle', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Egg {
      constructor(@Inject(forwardRef(() => Hen)) readonly hen: object) {}
    }
    @Injectable()
    class Hen {
      constructor(@Inject(forwardRef(() => Egg)) readonly egg: object) {}
    }
    @Injectable()
    class Coop {
      constructor(readonly hen: Hen) {}
    }
    @Injectable()
    class Farm {
      constructor(readonly coop: Coop) {}
    }
    @Controller('eggs')
    class Eggs {
      constructor(readonly egg: Egg) {}
      @Get()
      read() {}
    }
    const [found] = await scoped({ controllers: [Eggs], providers: [Egg, Hen, Coop, Farm] });
    expect(found.what).toContain('It costs 1 route up to 3 new instances for each request.');
  });

  it('tells a class that two modules have once', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visitor {}
    @Injectable()
    class Prices {
      constructor(readonly visitor: Visitor) {}
    }
    @Module({ providers: [Visitor], exports: [Visitor] })
    class VisitorModule {}
    @Module({ imports: [VisitorModule], providers: [Prices] })
    class OneModule {}
    @Module({ imports: [VisitorModule], providers: [Prices] })
    class TwoModule {}
    const [found] = await scoped({ imports: [OneModule, TwoModule] });
    expect(found.what).toMatch(/so do Prices\. No route/);
  });

  it('names who has the request injected, and not the request, where others have that injected', async () => {
    @Injectable()
    class Visitor {
      constructor(@Inject(REQUEST) readonly request: object) {}
    }
    @Injectable()
    class Prices {
      constructor(readonly visitor: Visitor) {}
    }
    const found = await scoped({ providers: [Visitor, Prices] });
    expect(found.map(({ what }) => what.split('.')[0])).toEqual([
      'Visitor lives as long as a request, and by it so does Prices',
    ]);
  });
});

describe('never-injected', () => {
  it('leaves alone what decorators of classes, methods and parameters may reach, and what is no class of its own', async () => {
    const OnParameter =
      (key: string | symbol, onClass: boolean): ParameterDecorator =>
      (target, name) =>
        Reflect.defineMetadata(key, 1, onClass ? target.constructor : target, name!);
    const Traceless = (): MethodDecorator => () => undefined;
    @Injectable()
    @SetMetadata('queue', 'mail')
    class OfClass {}
    @Injectable()
    class OnPrototype {
      work(@OnParameter('job', false) _job: string) {}
    }
    @Injectable()
    class OnClass {
      work(@OnParameter('job', true) _job: string) {}
    }
    @Injectable()
    class BySymbol {
      work(@OnParameter(Symbol('job'), false) _job: string) {}
    }
    @Injectable()
    class Plain {
      get worth() {
        return 1;
      }
      @Traceless()
      work(_job: string) {}
    }
    @Injectable()
    class Served {}
    const providers = [
      OfClass,
      OnPrototype,
      OnClass,
      BySymbol,
      Plain,
      Served,
      { provide: 'alias', useExisting: Served },
      { provide: 'made', useFactory: () => new Plain() },
      { provide: 'value', useValue: new Plain() },
    ];
    expect(where(await findings({ providers }, 'never-injected'))).toEqual([expect.stringMatching(/^Plain of/)]);
  });
});

describe('circles', () => {
  it('tells one circle of modules that all reach each other, by its shortest way', async () => {
    @Module({ imports: [forwardRef(() => B)] })
    class A {}
    @Module({ imports: [forwardRef(() => A), forwardRef(() => C)] })
    class B {}
    @Module({ imports: [forwardRef(() => B)] })
    class C {}
    const found = await findings({ imports: [A] }, 'circles');
    expect(found.map(({ what }) => what)).toEqual(['Modules import each other: A -> B -> A.']);
  });

  it('ends, and tells nothing, where a circle is further down', async () => {
    @Injectable()
    class Egg {
      constructor(@Inject(forwardRef(() => Hen)) readonly hen: object) {}
    }
    @Injectable()
    class Hen {
      constructor(@Inject(forwardRef(() => Egg)) readonly egg: object) {}
    }
    @Injectable()
    class Farm {
      constructor(@Inject(forwardRef(() => Egg)) readonly egg: object) {}
    }
    const found = await findings({ providers: [Farm, Egg, Hen] }, 'circles');
    expect(where(found)).toEqual([expect.stringMatching(/^Egg of/)]);
  });
});

describe('tools', () => {
  @Injectable()
  class Tools {
    @McpTool({ name: 'silent', description: 'Says nothing of itself.' })
    silent() {}
    @McpTool({ name: 'long', description: 'x'.repeat(5_000) })
    @Annotations({ readOnlyHint: true, openWorldHint: false })
    long() {}
  }

  it('tells a tool of two gates once, and of the devkit nothing, which nobody could mend', async () => {
    const gates = ['one', 'two'].map((name) => McpModule.forRoot({ name, path: `/${name}`, tools: [Tools] }));
    const silent = await findings({ imports: gates, providers: [Tools] }, 'tools', { filter: 'Tools.silent' });
    expect(silent).toHaveLength(2); // two hints
    const name = 'the-devkit-of-a-shop-with-a-name-that-is-much-longer-than-anybody-would-give-it';
    const settings = { gate: { name, path: '/devkit' } };
    expect(await findings({}, 'tools', { settings, path: '/devkit' })).toEqual([]);
  });

  it('tells what clients are known to mishandle', async () => {
    const found = await findings({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Tools] }, 'tools');
    expect(found.filter((one) => one.where === 'Tools.long')).toMatchObject([{ level: 'look' }]);
  });
});
