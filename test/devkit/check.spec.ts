/** D: nest_check finds faults of wiring, says where and how to mend them, and leaves sound applications alone. */
import {
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Query,
  Scope,
  SetMetadata,
  UseGuards,
  ValidationPipe,
  forwardRef,
  type CanActivate,
  type INestApplication,
  type OnModuleInit,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { IsString, MinLength } from 'class-validator';
import { Annotations, McpModule, McpTool } from '../../src/index.js';
import type { Platform } from '../nest/serve.js';
import { serveDevkit } from './ask.js';

@Injectable()
class Guard implements CanActivate {
  canActivate() {
    return true;
  }
}

class Order {
  @IsString() @MinLength(3) sku!: string;
}

async function findings(
  metadata: object,
  check: string,
  options: { platform?: Platform; configure?: (app: INestApplication) => unknown } = {},
): Promise<any[]> {
  const asked = await serveDevkit(metadata, options);
  const { items } = await asked.ask('nest_check', { check });
  await asked.app.close();
  return items;
}

describe('shadowed-routes', () => {
  @Controller('products')
  class Products {
    @Get(':id')
    one(@Param('id') id: string) {
      return { by: 'one', id };
    }

    @Get('best')
    best() {
      return { by: 'best' };
    }

    @Post('best')
    vote() {
      return {};
    }

    @Get(':id/parts')
    parts() {
      return {};
    }
  }

  it('names a route whose requests an earlier one takes on Express, with both, the file and a cure', async () => {
    const asked = await serveDevkit({ controllers: [Products] });
    const { items } = await asked.ask('nest_check', { check: 'shadowed-routes' });
    const answered = (await (await fetch(`${asked.app.url}/products/best`)).json()) as object;
    await asked.app.close();

    expect(answered).toEqual({ by: 'one', id: 'best' });
    expect(items).toEqual([
      {
        check: 'shadowed-routes',
        level: 'fault',
        what:
          'GET /products/best never answers: GET /products/:id of Products.one was registered before it and takes its ' +
          'requests.',
        where: 'Products.best',
        file: expect.stringMatching(/^test\/devkit\/check\.spec\.ts:\d+$/),
        cure: 'Write best before one, or give it a path that the other does not take.',
      },
    ]);
  });

  it('says nothing on Fastify, where the closest route answers', async () => {
    const asked = await serveDevkit({ controllers: [Products] }, { platform: 'Fastify' });
    const { items } = await asked.ask('nest_check', { check: 'shadowed-routes' });
    const answered = (await (await fetch(`${asked.app.url}/products/best`)).json()) as object;
    await asked.app.close();
    expect([items, answered]).toEqual([[], { by: 'best' }]);
  });

  it('says nothing of routes in another order, of other methods and other lengths', async () => {
    @Controller('sound')
    class Sound {
      @Get('best')
      best() {}
      @Get(':id')
      one() {}
      @Post(':id')
      post() {}
      @Get(':id/best')
      below() {}
    }
    expect(await findings({ controllers: [Sound] }, 'shadowed-routes')).toEqual([]);
  });

  it('finds two controllers with one path, and a wildcard before anything', async () => {
    @Controller()
    class First {
      @Get('twice')
      first() {}
      @Get('files/*path')
      all() {}
    }
    @Controller()
    class Second {
      @Get('twice')
      second() {}
      @Get('files/a/b')
      file() {}
    }
    const found = await findings({ controllers: [First, Second] }, 'shadowed-routes');
    expect(found.map(({ where }) => where)).toEqual(['Second.second', 'Second.file']);
  });
});

describe('unguarded-routes', () => {
  const Public = () => SetMetadata('isPublic', true);

  @Controller('cart')
  class Cart {
    @Get()
    @UseGuards(Guard)
    read() {}
    @Post()
    add() {}
    @Post('login')
    login() {}
    @Get('offers')
    @Public()
    offers() {}
  }

  @Controller('open')
  class Open {
    @Get()
    read() {}
  }

  it('names routes without a guard beside guarded ones, not those that say they are public or come before a login', async () => {
    const found = await findings({ controllers: [Cart, Open] }, 'unguarded-routes');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level: 'look', where: 'Cart.add', what: expect.stringContaining('POST /cart;') });
  });

  it('says nothing once a global guard runs before all', async () => {
    const configure = (app: INestApplication) => app.useGlobalGuards(new Guard());
    expect(await findings({ controllers: [Cart] }, 'unguarded-routes', { configure })).toEqual([]);
  });

  it('takes a global guard that counts requests, or is an object of a package, for none', async () => {
    class ThrottlerGuard extends Guard {}
    const configure = (app: INestApplication) => app.useGlobalGuards(new ThrottlerGuard(), { canActivate: () => true });
    const found = await findings({ controllers: [Cart] }, 'unguarded-routes', { configure });
    expect(found).toMatchObject([{ where: 'Cart.add' }]);
  });
});

describe('unvalidated-parameters', () => {
  @Controller('orders')
  class Orders {
    @Post()
    write(@Body() _order: Order) {}
    @Get()
    read(@Query() _order: Order, @Query('page') _page: string) {}
    @Post('own')
    own(@Body(new ValidationPipe()) _order: Order) {}
    @Post('plain')
    plain(@Body() _order: object) {}
  }

  it('names classes with rules that no pipe checks', async () => {
    const found = await findings({ controllers: [Orders] }, 'unvalidated-parameters');
    expect(found.map(({ where }) => where)).toEqual(['Orders.write', 'Orders.read']);
    expect(found[0]).toMatchObject({
      level: 'fault',
      what: expect.stringContaining('Order has rules of class-validator'),
    });
  });

  it('says nothing with a global pipe', async () => {
    const configure = (app: INestApplication) => app.useGlobalPipes(new ValidationPipe());
    expect(await findings({ controllers: [Orders] }, 'unvalidated-parameters', { configure })).toEqual([]);
  });
});

describe('request-scope', () => {
  @Injectable({ scope: Scope.REQUEST })
  class WhoAsks {
    constructor(@Inject(REQUEST) readonly request: object) {}
  }
  @Injectable()
  class Prices {
    constructor(readonly who: WhoAsks) {}
  }
  @Controller('prices')
  class PricesController {
    constructor(readonly prices: Prices) {}
    @Get()
    read() {}
  }
  @Injectable()
  class Calm {}

  it('names what makes others live as long as a request, whom, and what it costs', async () => {
    const [found, ...others] = await findings(
      { controllers: [PricesController], providers: [WhoAsks, Prices, Calm] },
      'request-scope',
    );
    expect(others).toEqual([]);
    expect(found.where).toMatch(/^WhoAsks of /);
    expect(found.what).toBe(
      'WhoAsks lives as long as a request, and by it so do PricesController, Prices. It costs 1 route up to 3 new ' +
        'instances for each request.',
    );
  });

  it('names each cause of a route, counts a transient for each who needs it, and those that have the request injected', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Pen {}
    @Injectable()
    class Letters {
      constructor(
        readonly prices: Prices,
        readonly pen: Pen,
      ) {}
    }
    @Injectable()
    class Tenant {
      constructor(@Inject(REQUEST) readonly request: object) {}
    }
    @Controller('letters')
    class LettersController {
      constructor(
        readonly letters: Letters,
        readonly tenant: Tenant,
        readonly pen: Pen,
      ) {}
      @Get()
      read() {}
    }
    const found = await findings(
      { controllers: [LettersController], providers: [WhoAsks, Prices, Pen, Letters, Tenant] },
      'request-scope',
    );
    expect(found.map(({ what }) => what)).toEqual([
      'WhoAsks lives as long as a request, and by it so do LettersController, Prices, Letters. It costs 1 route up to 7 new ' +
        'instances for each request.',
      'Tenant lives as long as a request, and by it so does LettersController. It costs 1 route up to 7 new instances for ' +
        'each request.',
    ]);
  });
});

describe('never-injected', () => {
  @Injectable()
  class Unasked {
    work() {}
  }
  @Injectable()
  class Needed {}
  @Injectable()
  class Hooked implements OnModuleInit {
    onModuleInit() {}
  }
  @Injectable()
  class WithTools {
    @McpTool({ name: 'a_tool', description: 'A tool.' })
    tool() {}
  }
  @Injectable()
  class Decorated {
    @SetMetadata('cron', '* * * * *')
    work() {}
  }
  class Parent {}
  @Injectable()
  class Child extends Parent {}
  @Controller()
  class Needing {
    constructor(readonly needed: Needed) {}
  }

  it('names plain classes that nobody needs, and nothing that a hook, a decorator or a parent may reach', async () => {
    const providers = [Unasked, Needed, Hooked, WithTools, Decorated, Child, Guard, { provide: 'X', useValue: 1 }];
    const found = await findings({ controllers: [Needing], providers }, 'never-injected');
    expect(found.map(({ where }) => where.split(' ')[0])).toEqual(['Unasked']);
    expect(found[0].file).toMatch(/check\.spec\.ts/);
  });
});

describe('circles', () => {
  it('names modules and providers that need each other', async () => {
    @Injectable()
    class Egg {
      constructor(@Inject(forwardRef(() => Hen)) readonly hen: object) {}
    }
    @Injectable()
    class Hen {
      constructor(@Inject(forwardRef(() => Egg)) readonly egg: object) {}
    }
    @Module({ imports: [forwardRef(() => HenModule)], providers: [Egg], exports: [Egg] })
    class EggModule {}
    @Module({ imports: [forwardRef(() => EggModule)], providers: [Hen], exports: [Hen] })
    class HenModule {}

    const found = await findings({ imports: [EggModule] }, 'circles');
    expect(found.map(({ what }) => what)).toEqual([
      'Modules import each other: EggModule -> HenModule -> EggModule.',
      'Providers need each other: Egg -> Hen -> Egg. Which of them is made first is left to chance.',
    ]);
  });

  it('says nothing of global modules, which Nest itself makes everybody import', async () => {
    expect(await findings({ imports: [McpModule.forRoot({ name: 'shop' })] }, 'circles')).toEqual([]);
  });
});

describe('tools', () => {
  @Injectable()
  class Tools {
    @McpTool({ name: 'silent', description: 'Says nothing of itself.' })
    silent() {}
    @McpTool({ name: 'nest_taken', description: 'Takes the reserved prefix.' })
    @Annotations({ readOnlyHint: true, openWorldHint: false })
    taken() {}
    @McpTool({ name: 'sound', description: 'A sound one.' })
    @Annotations({ readOnlyHint: true, openWorldHint: false })
    sound() {}
  }

  it('names tools that no gate serves, and those whose hints are missing', async () => {
    const found = await findings({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Tools] }, 'tools');
    expect(found.filter(({ where }) => where === 'Tools.taken')).toMatchObject([{ level: 'fault' }]);
    expect(found.filter(({ where }) => where === 'Tools.silent')).toHaveLength(2);
    expect(found.filter(({ where }) => where === 'Tools.sound')).toEqual([]);
  });
});

describe('a sound application', () => {
  it('has nothing found in it', async () => {
    @Injectable()
    class Stock {}
    @Controller('stock')
    @UseGuards(Guard)
    class StockController {
      constructor(readonly stock: Stock) {}
      @Get('all')
      all() {}
      @Get(':sku')
      one() {}
      @Post()
      add(@Body() _order: Order) {}
    }
    @Module({ controllers: [StockController], providers: [Stock] })
    class StockModule {}
    const asked = await serveDevkit(
      { imports: [StockModule] },
      { configure: (app) => app.useGlobalPipes(new ValidationPipe()) },
    );
    const { items, checked } = await asked.ask('nest_check');
    await asked.app.close();
    expect([items, checked.length]).toEqual([[], 8]);
  });
});
