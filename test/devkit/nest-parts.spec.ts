/** What the devkit takes from inside Nest: each piece by itself, so that a Nest that has changed is told here and by its name. */
import {
  Body,
  Catch,
  Controller,
  Get,
  Headers,
  Module,
  Param,
  Query,
  Req,
  RequestMethod,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  Version,
  VersioningType,
  createParamDecorator,
} from '@nestjs/common';
import { GUARDS_METADATA, MODULE_PATH } from '@nestjs/common/constants.js';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { NestEnhancers, type EnhancerKind } from '../../src/devkit/inspect/nest-parts/enhancers.js';
import { writtenImports } from '../../src/devkit/inspect/nest-parts/module-imports.js';
import { NestRoutes } from '../../src/devkit/inspect/nest-parts/routes.js';
import { RunningPartsReader } from '../../src/devkit/inspect/running-parts.js';

class Guard {
  canActivate() {
    return true;
  }
}
class Interceptor {
  intercept() {}
}
class Pipe {
  transform() {}
}
@Catch(TypeError)
class Filter {
  catch() {}
}
const Custom = createParamDecorator(() => 1);

@Controller({ path: 'things', version: '1', host: ['api.example', 'shop.example'] })
@UseGuards(Guard)
@UseInterceptors(Interceptor as never)
@UsePipes(Pipe as never)
@UseFilters(Filter)
class Things {
  @Get(['a', 'b'])
  @Version('2')
  read(
    @Body() _body: Pipe,
    @Query('q', Pipe as never) _q: string,
    @Param('') _all: object,
    @Headers('x') _x: string,
    @Req() _request: object,
    @Custom() _custom: number,
  ) {}
}

@Module({ controllers: [Things] })
class ThingsModule {}

@Module({ imports: [ThingsModule] })
class RootModule {}

let enhancers: NestEnhancers;
let routes: NestRoutes;
let reader: RunningPartsReader;
let config: ApplicationConfig;
let moduleKey: string;
let instance: object;
const read: () => void = Object.getOwnPropertyDescriptor(Things.prototype, 'read')!.value;

beforeAll(async () => {
  const testing = await Test.createTestingModule({ imports: [RootModule] }).compile();
  const modules = testing.get(ModulesContainer);
  config = new ApplicationConfig();
  config.enableVersioning({ type: VersioningType.URI });
  config.setGlobalPrefix('api');
  enhancers = new NestEnhancers(modules);
  routes = new NestRoutes(modules, config);
  reader = new RunningPartsReader(modules, config);
  const module = [...modules.values()].find(({ metatype }) => metatype === ThingsModule)!;
  moduleKey = module.token;
  instance = module.controllers.get(Things)!.instance;
});

describe('what the devkit takes from inside Nest', () => {
  it.each([
    ['guard', Guard],
    ['interceptor', Interceptor],
    ['pipe', Pipe],
    ['filter', Filter],
  ] as [EnhancerKind, Function][])('a %s that is written on a class, and its instance', (kind, type) => {
    expect(enhancers.written(kind, Things)).toEqual([type]);
    expect(enhancers.written(kind, read)).toEqual([]);
    expect(enhancers.running(kind, type, moduleKey)).toBeInstanceOf(type);
    expect(enhancers.running(kind, {}, moduleKey)).toBeUndefined();
  });

  it('what a filter catches', () => {
    expect(enhancers.catches(new Filter())).toEqual([TypeError]);
  });

  it('what a route and a controller say', () => {
    expect(routes.route(read)).toEqual({
      verb: 'GET',
      requestMethod: RequestMethod.GET,
      paths: ['a', 'b'],
      version: '2',
    });
    expect(routes.route(() => undefined)).toBeUndefined();
    expect(routes.controller(Things)).toEqual({ paths: ['things'], host: 'api.example, shop.example', version: '1' });
  });

  it('how a path is written', () => {
    expect(
      routes.pathsOf({ controller: 'things', method: 'a', version: '2' }, ThingsModule, RequestMethod.GET),
    ).toEqual(['/api/v2/things/a']);
    @Module({})
    class Below {}
    Reflect.defineMetadata(MODULE_PATH, '/below', Below);
    expect(routes.pathsOf({ controller: 'things', method: 'a', version: '2' }, Below, RequestMethod.GET)).toEqual([
      '/api/v2/below/things/a',
    ]);
    expect([routes.versionsInPath, routes.versioning?.type]).toEqual([true, VersioningType.URI]);
  });

  it('what parameters are filled with, and for which of them pipes run', () => {
    const told = routes.parameters(instance, 'read').map(({ from, property, type, piped, pipes }) => {
      return [from, property, (type as Function).name, piped, pipes.length];
    });
    expect(told).toEqual([
      ['body', undefined, 'Pipe', true, 0],
      ['query', 'q', 'String', true, 1],
      ['param', undefined, 'Object', true, 0],
      ['headers', 'x', 'String', false, 0],
      ['request', undefined, 'Object', false, 0],
      ['custom', undefined, 'Number', true, 0],
    ]);
  });

  it('what is written as a guard and is none: a class by its name, an object as one', () => {
    class NoGuard {}
    class Guarded {}
    Reflect.defineMetadata(GUARDS_METADATA, [NoGuard, {}], Guarded); // later versions of UseGuards() refuse these
    const { guards } = reader.around(reader.globals(), Guarded, read, moduleKey, []);
    const idle = 'it is no guard: Nest leaves it out';
    expect(guards).toEqual([
      { name: 'NoGuard', from: 'controller', type: NoGuard, idle },
      { name: 'an object', from: 'controller', idle },
    ]);
  });

  it('what a module imports', () => {
    expect(writtenImports(RootModule)).toEqual([ThingsModule]);
  });
});
