/** D: the routes that nest_inspect tells are those that answer, and what it says runs is what runs. */
import {
  All,
  BadRequestException,
  Body,
  Catch,
  Controller,
  Delete,
  Get,
  Headers,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  mixin,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type INestApplication,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, RouterModule } from '@nestjs/core';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { createRequire } from 'node:module';
import { ApplicationRoutes } from '../../src/devkit/inspect/routes.js';
import { PLATFORMS, type Platform } from '../nest/serve.js';
import { serveDevkit, type Asked } from './ask.js';

/** What ran, in the order in which it did. */
const ran: string[] = [];

@Injectable()
class Recording implements CanActivate, NestInterceptor, PipeTransform {
  canActivate() {
    ran.push(`guard ${this.constructor.name}`);
    return true;
  }

  intercept(_context: ExecutionContext, next: CallHandler) {
    ran.push(`interceptor ${this.constructor.name}`);
    return next.handle();
  }

  transform(value: unknown) {
    ran.push(`pipe ${this.constructor.name}`);
    return value;
  }
}

class GlobalGuard extends Recording {}
class UsedGuard extends Recording {}
@Injectable({ scope: Scope.REQUEST })
class RequestGuard extends Recording {}
class ClassGuard extends Recording {}
class MethodGuard extends Recording {}
class GlobalInterceptor extends Recording {}
class MethodInterceptor extends Recording {}
class GlobalPipe extends Recording {}
class MethodPipe extends Recording {}
class OwnPipe extends Recording {}

const MixedIn = (): new () => CanActivate => {
  class MixinGuard extends Recording {}
  return mixin(MixinGuard);
};

class Recorded implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost) {
    ran.push(`filter ${this.constructor.name}`);
    const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: object): void } }>();
    response.status(418).send({});
  }
}

@Catch()
class GlobalFilter extends Recorded {}
@Catch(BadRequestException)
class MethodFilter extends Recorded {}

class Order {
  sku!: string;
}

@Controller('orders')
@UseGuards(ClassGuard)
class OrdersController {
  @Get(':id')
  @UseGuards(MethodGuard, new MethodGuard(), MixedIn())
  @UseInterceptors(MethodInterceptor)
  read(@Param('id', ParseIntPipe) id: number, @Query('q', OwnPipe) _q: string) {
    return { id };
  }

  @Post()
  @UsePipes(MethodPipe)
  @UseFilters(MethodFilter)
  write(@Body(OwnPipe) order: Order) {
    if (order.sku === 'bad') throw new BadRequestException();
    throw new Error('broken');
  }

  @Delete(['one', 'two'])
  remove() {
    return 'removed';
  }

  @Get('list/first')
  @Version(['2', '3'])
  first() {
    return 'first';
  }

  @Get('neutral')
  @Version(VERSION_NEUTRAL)
  neutral() {
    return 'neutral';
  }
}

@Controller(['a', 'b'])
class TwoPaths {
  @Get()
  both() {
    return 'both';
  }
}

@Controller('outside')
class Outside {
  @Get()
  here() {
    return 'outside';
  }
}

@Module({ controllers: [TwoPaths] })
class NestedModule {}

const METADATA = {
  imports: [NestedModule, RouterModule.register([{ path: 'nested', module: NestedModule }])],
  controllers: [OrdersController, Outside],
  providers: [
    UsedGuard,
    { provide: APP_GUARD, useClass: GlobalGuard },
    { provide: APP_GUARD, useClass: RequestGuard, scope: Scope.REQUEST },
    { provide: APP_INTERCEPTOR, useClass: GlobalInterceptor },
    { provide: APP_PIPE, useClass: GlobalPipe },
    { provide: APP_FILTER, useClass: GlobalFilter },
  ],
};

function configure(app: INestApplication): void {
  app.setGlobalPrefix('api', { exclude: ['outside'] });
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.useGlobalGuards(app.get(UsedGuard));
}

describe.each(PLATFORMS)('nest_inspect, routes, on %s', (platform: Platform) => {
  let asked: Asked;
  beforeAll(async () => {
    asked = await serveDevkit(METADATA, { platform, configure, path: '/api/v1/mcp/devkit' });
  });
  afterAll(() => asked.app.close());

  const told = async (filter: string, detail = false) => (await asked.inspect('routes', { filter, detail })).items;

  it('tells every route of the application with its whole path, its version and its handler', async () => {
    const items = await told('');
    const routes = items.filter(({ gate }: any) => gate === undefined);
    expect(
      routes
        .map(({ method, path, version, controller, handler }: any) =>
          [method, path, version, `${controller}.${handler}`].join(' '),
        )
        .toSorted(),
    ).toEqual(
      [
        'GET /api/v1/orders/:id 1 OrdersController.read',
        'POST /api/v1/orders 1 OrdersController.write',
        'DELETE /api/v1/orders/one 1 OrdersController.remove',
        'DELETE /api/v1/orders/two 1 OrdersController.remove',
        'GET /api/v2/orders/list/first 2 OrdersController.first',
        'GET /api/v3/orders/list/first 3 OrdersController.first',
        'GET /api/orders/neutral neutral OrdersController.neutral',
        'GET /api/v1/nested/a 1 TwoPaths.both',
        'GET /api/v1/nested/b 1 TwoPaths.both',
        'GET /v1/outside 1 Outside.here',
      ].toSorted(),
    );
  });

  it('tells no route that does not answer', async () => {
    const routes = (await told('')).filter(({ gate }: any) => gate === undefined);
    for (const { method, path } of routes) {
      const response = await fetch(asked.app.url + path.replace(':id', '7'), {
        method,
        body: method === 'POST' ? '{}' : undefined,
      });
      expect([method, path, response.status]).not.toEqual([method, path, 404]);
    }
    expect(routes).toHaveLength(10);
  });

  it('tells the guards, interceptors and pipes that run, in the order in which they do', async () => {
    const [route] = await told('orders/:id');
    ran.length = 0;
    await fetch(`${asked.app.url}/api/v1/orders/7?q=x`);
    const of = (kind: string) =>
      ran.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(kind.length + 1));
    const names = (list: string[]) => list.map((entry) => entry.replace(/ \(.*/, ''));

    const guards = of('guard').map((name) => (/^[\da-f]{21}$/.test(name) ? 'MixinGuard' : name));
    expect(names(route.guards)).toEqual(guards);
    expect(names(route.interceptors)).toEqual(of('interceptor'));
    expect(route.guards).toEqual([
      'GlobalGuard (global)',
      'UsedGuard (global)',
      'RequestGuard (global)',
      'ClassGuard (controller)',
      'MethodGuard (method)',
      'MethodGuard (method)',
      'MixinGuard (method)',
    ]);
    expect(route.pipes).toEqual(['GlobalPipe (global)', 'ParseIntPipe (parameter)', 'OwnPipe (parameter)']);
    expect(of('pipe').filter((name) => name === 'GlobalPipe')).toHaveLength(2); // for each parameter
  });

  it('tells no pipe of a route that has no parameter for one, and none runs', async () => {
    const [route] = await told('neutral');
    ran.length = 0;
    expect((await fetch(asked.app.url + route.path)).status).toBe(200);
    expect(ran.filter((entry) => entry.startsWith('pipe'))).toEqual([]);
    expect(ran).toContain('guard GlobalGuard');
    expect(route.pipes).toEqual([]);
  });

  it('tells the filters in the order in which they are tried', async () => {
    const [route] = await told('write');
    const caught = async (sku: string) => {
      ran.length = 0;
      await fetch(`${asked.app.url}/api/v1/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sku }),
      });
      return ran.filter((entry) => entry.startsWith('filter'));
    };
    expect(route.filters).toEqual(['MethodFilter (method)', 'GlobalFilter (global)']);
    expect(await caught('bad')).toEqual(['filter MethodFilter']);
    expect(await caught('good')).toEqual(['filter GlobalFilter']);
  });

  it('says in detail where each comes from, what a parameter is, and the file', async () => {
    const [route] = await told('orders/:id', true);
    expect(route.guards).toContainEqual({ name: 'UsedGuard', from: 'global', by: 'app.useGlobalGuards()' });
    expect(route.guards).toContainEqual({ name: 'GlobalGuard', from: 'global', by: 'APP_GUARD of RootTestModule' });
    expect(route.guards).toContainEqual(
      expect.objectContaining({ name: 'RequestGuard', by: expect.stringContaining('APP_GUARD of'), perRequest: true }),
    );
    expect(route.parameters).toEqual([
      { index: 0, from: 'param', property: 'id', type: 'Number', pipes: [{ name: 'ParseIntPipe', from: 'parameter' }] },
      { index: 1, from: 'query', property: 'q', type: 'String', pipes: [{ name: 'OwnPipe', from: 'parameter' }] },
    ]);
    expect(route.file).toMatch(/^test\/devkit\/routes\.spec\.ts:\d+$/);
    expect(route.perRequest).toBe(true); // by the request-scoped global guard
  });

  it('tells a gate once, as the POST that it answers', async () => {
    const gates = (await told('')).filter(({ gate }: any) => gate !== undefined);
    expect(gates.map(({ method, path, gate }: any) => [method, path, gate])).toEqual([
      ['POST', '/api/v1/mcp/devkit', 'devkit'],
    ]);
  });
});

describe('nest_inspect, routes', () => {
  it('tells first the route that answers, also where Nest does not go by the order in which they are written', async () => {
    @Controller('shelves')
    class Shelves {
      @Get(':id')
      one() {
        return 'one';
      }
      @Get('lowest')
      lowest() {
        return 'lowest';
      }
    }
    const options = { routeResolutionStrategy: 'specificity' } as object; // not in every version of Nest
    const asked = await serveDevkit({ controllers: [Shelves] }, { options });
    const [first] = (await asked.inspect('routes', { filter: 'shelves' })).items;
    expect(first.handler).toBe(await (await fetch(`${asked.app.url}/shelves/lowest`)).text());
    await asked.app.close();
  });

  it('tells versions that stand in a header', async () => {
    const asked = await serveDevkit(
      { controllers: [OrdersController] },
      {
        configure: (app) =>
          app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version', defaultVersion: '9' }),
      },
    );
    // the gate has the default version too
    const { body } = await asked.app.rpc(
      'tools/call',
      { name: 'nest_inspect', arguments: { subject: 'routes', filter: 'first' } },
      { path: '/mcp/devkit', headers: { 'x-version': '9' } },
    );
    const { items } = JSON.parse(body.result.content[0].text);
    expect(items.map(({ path, version }: any) => [path, version])).toEqual([['/orders/list/first', '2, 3']]);
    await asked.app.close();
  });

  it('says in detail what only some routes have', async () => {
    @Controller({ path: 'some', host: 'api.example' })
    class Some {
      @Get()
      @Version('2')
      @UseGuards(RequestGuard, MethodGuard)
      @UseFilters(MethodFilter)
      read(@Headers('x') _x: string) {}
    }
    const asked = await serveDevkit(
      { controllers: [Some] },
      { override: (builder) => builder.overrideGuard(MethodGuard).useValue({ canActivate: () => true }) },
    );
    const [route] = (await asked.inspect('routes', { filter: 'some', detail: true })).items;
    expect(route).toMatchObject({
      host: 'api.example',
      guards: [
        { name: 'RequestGuard', from: 'method', perRequest: true },
        { name: 'MethodGuard', from: 'method' }, // although an object stands in for it
      ],
      filters: [{ name: 'MethodFilter', from: 'method', catches: ['BadRequestException'] }],
      parameters: [{ index: 0, from: 'headers', property: 'x', type: 'String', piped: false }],
    });
    expect(route).not.toHaveProperty('version'); // the application tells no versions apart
    await asked.app.close();
  });

  it('tells an enum that a compiler has noted for a parameter as the type of its values', async () => {
    @Controller('enums')
    class Enums {
      @Get(':size')
      sized(@Param('size') _size: string) {}
    }
    Reflect.defineMetadata('design:paramtypes', [{ Small: 's', Large: 'l' }], Enums.prototype, 'sized');
    const asked = await serveDevkit({ controllers: [Enums] });
    const { items } = await asked.inspect('routes', { filter: 'enums', detail: true });
    expect(items[0].parameters).toMatchObject([{ property: 'size', type: 'String' }]);
    await asked.app.close();
  });

  it('tells routes that no controller has: the first ten that the filter leaves, which looks at no secret', async () => {
    const secret = ['sk', 'live', 'a1B2c3D4e5F6g7H8i9J0'].join('_');
    const paths = [`/hooks/${secret}`, ...Array.from({ length: 11 }, (_, at) => `/by-hand-${at}`)];
    const asked = await serveDevkit(
      {},
      {
        configure: (app) => {
          const adapter = app.getHttpAdapter();
          for (const path of paths) adapter.get(path, (_: unknown, response: any) => response.send('x'));
        },
      },
    );
    const outside = async (filter?: string) => (await asked.inspect('routes', { filter })).outsideControllers;
    const all = await outside();
    expect([all[0], all[9], all[10], all.length]).toEqual(['GET /hooks/[masked]', 'GET /by-hand-8', '2 more', 11]);
    expect(await outside('hand-10')).toEqual(['GET /by-hand-10']);
    expect(await outside(secret.slice(0, 8))).toBeUndefined();
    await asked.app.close();
  });

  it('tells routes that code gave to Express itself, and those of routers that it has mounted', async () => {
    @Controller('all')
    class AllController {
      @All()
      all() {}
    }
    const configure = (app: INestApplication) => {
      const express = app.getHttpAdapter().getInstance();
      express.get(['/raw', '/rough'], (_: unknown, response: any) => response.send('x'));
      express.all('/anything', (_: unknown, response: any) => response.send('x'));
      const { Router } = createRequire(import.meta.resolve('@nestjs/platform-express'))('express');
      const router = Router();
      router.post('/board', (_: unknown, response: any) => response.send('x'));
      app.use('/somewhere', router);
    };
    const asked = await serveDevkit({ controllers: [AllController] }, { configure });
    expect((await asked.inspect('routes')).outsideControllers).toEqual([
      'GET /raw',
      'GET /rough',
      'ALL /anything',
      'POST …/board',
    ]);
    await asked.app.close();
  });

  it('tells routes that code gave to Fastify itself, and those of its plugins', async () => {
    const board = (fastify: any, _: unknown, done: () => void) => {
      fastify.post('/board', (_request: unknown, reply: any) => reply.send('x'));
      done();
    };
    const configure = (app: INestApplication) => {
      const fastify = app.getHttpAdapter().getInstance();
      fastify.get('/raw', (_: unknown, reply: any) => reply.send('x'));
      fastify.head('/head', (_: unknown, reply: any) => reply.send());
      fastify.all('/anything', (_: unknown, reply: any) => reply.send('x'));
      fastify.register(board, { prefix: '/somewhere' });
    };
    const asked = await serveDevkit({ controllers: [Outside] }, { platform: 'Fastify', configure });
    expect((await asked.inspect('routes')).outsideControllers).toEqual([
      'GET /raw',
      'HEAD /head',
      'ALL /anything',
      'POST /somewhere/board',
    ]);
    await asked.app.close();
  });

  it('says of a global guard that came too late that it does not run', async () => {
    class ItselfAGuard {
      static canActivate = () => true;
    }
    const asked = await serveDevkit({ controllers: [Outside] });
    asked.app.app.useGlobalGuards(new UsedGuard());
    ran.length = 0;
    await fetch(`${asked.app.url}/outside`);
    const { items } = await asked.inspect('routes', { filter: 'outside' });
    expect(ran).toEqual([]);
    expect(items[0].guards).toEqual(['UsedGuard (global, does NOT run)']);
    expect((await asked.ask('nest_check', { check: 'idle-parts' })).items).toHaveLength(1);
    asked.app.app.useGlobalGuards(ItselfAGuard);
    asked.app.app.useGlobalPipes(new GlobalPipe()); // there is no parameter for it, and it would not run for one
    const [route] = (await asked.inspect('routes', { filter: 'outside', detail: true })).items;
    const doesNotRun = expect.stringContaining('call it before app.init()');
    expect(route.guards).toMatchObject([
      { name: 'UsedGuard', doesNotRun },
      { name: 'ItselfAGuard', doesNotRun },
    ]);
    expect(route.pipes).toMatchObject([{ name: 'GlobalPipe', doesNotRun }]);
    await asked.app.close();
  });

  it('tells each question what is there when it is asked', async () => {
    const asked = await serveDevkit({ controllers: [Outside] });
    const guards = async () => (await asked.inspect('routes', { filter: 'outside' })).items[0].guards as string[];
    expect(await guards()).toEqual([]);
    asked.app.app.useGlobalGuards(new UsedGuard());
    expect(await guards()).toEqual(['UsedGuard (global, does NOT run)']);
    const routes = asked.app.app.get(ApplicationRoutes, { strict: false });
    expect(routes.all()[0] === routes.all()[0]).toBe(true); // one look in one turn
    await asked.app.close();
  });
});
