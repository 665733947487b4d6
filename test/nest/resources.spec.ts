/** Resources of decorated methods: found, guarded, validated and run as tools are, on Express and Fastify. */
import {
  Controller,
  Injectable,
  Module,
  NotFoundException,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { IntersectionType, PartialType, PickType } from '@nestjs/mapped-types';
import { Allow, IsBoolean, IsInt, IsOptional, Matches } from 'class-validator';
import { map } from 'rxjs';
import { McpModule } from '../../src/mcp.module.js';
import { McpExecutionContext } from '../../src/nest/execution.js';
import { Args, Caller, Run } from '../../src/nest/parameters.decorator.js';
import { McpResource, McpResourceTemplate } from '../../src/nest/resource.decorator.js';
import { Annotations, ActsForUser, McpTool, RequireAuth, RequireScopes } from '../../src/nest/tool.decorator.js';
import type { McpRun } from '../../src/runs/run.js';
import type { McpCaller } from '../../src/caller.js';
import { PLATFORMS, served, type Served } from './serve.js';

const local = McpModule.forRoot({ name: 'shop' });
const read = async (gate: Served, uri: string): Promise<any> => {
  const { body } = await gate.rpc('resources/read', { uri });
  return body.result?.contents[0].text ?? body.error;
};
const uris = async (gate: Served): Promise<string[]> =>
  (await gate.rpc('resources/list')).body.result.resources.map(({ uri }: { uri: string }) => uri);

const seen: unknown[] = [];

class Watch implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { tool, resource, args } = McpExecutionContext.of(context)!;
    seen.push([context.getType(), tool?.name, resource?.name, args]);
    return true;
  }
}

class Shout implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value: string) => value.toUpperCase()));
  }
}

class Missing extends Error {}

class ToNotFound implements ExceptionFilter {
  catch(_: Missing, host: ArgumentsHost) {
    throw new NotFoundException(`none for ${McpExecutionContext.of(host)!.resource!.name}`);
  }
}

class SkuVariables {
  @Matches(/^A-\d{3}$/) sku!: string;
}

class PageVariables {
  @IsInt() page!: number;
  @IsBoolean() @IsOptional() all?: boolean;
}

class Base {
  @McpResource({ uri: 'shop://inherited', name: 'inherited' })
  inherited() {
    return 'from the base class';
  }
}

@Injectable()
class Catalogue extends Base {
  @McpResource({ uri: 'shop://plain', name: 'plain', mimeType: 'text/markdown', size: 4 })
  plain({ uri }: { uri: string }, caller: McpCaller, run: McpRun) {
    return `${uri} ${caller.authenticated} ${typeof run.progress}`;
  }

  @McpResourceTemplate({ uriTemplate: 'shop://products/{sku}', name: 'product' })
  product(@Run() _run: McpRun, @Caller() caller: McpCaller, @Args() variables: SkuVariables) {
    return { sku: variables.sku, dto: variables instanceof SkuVariables, known: caller.authenticated };
  }

  @McpResourceTemplate({ uriTemplate: 'shop://raw/{name}', name: 'raw' })
  raw({ name }: { name: string }) {
    return name;
  }

  @McpResourceTemplate({ uriTemplate: 'shop://pages/{page}{?all}', name: 'page' })
  page(variables: PageVariables) {
    return variables;
  }

  @McpResource({ uri: 'shop://watched', name: 'watched' })
  @UseGuards(Watch)
  @UseInterceptors(Shout)
  watched() {
    return 'quiet';
  }

  @McpResource({ uri: 'shop://missing', name: 'missing' })
  @UseFilters(ToNotFound)
  missing() {
    throw new Missing();
  }

  @McpResource({ uri: 'shop://scoped', name: 'scoped' })
  @RequireScopes('shop:read')
  scoped() {
    return 'secret';
  }

  @McpTool({ name: 'both', description: 'A tool and a resource.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  @McpResource({ uri: 'shop://both', name: 'both' })
  @RequireAuth()
  both() {
    return 'both';
  }
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  private asked = 0;

  @McpResource({ uri: 'shop://fresh', name: 'fresh' })
  fresh() {
    return String((this.asked += 1));
  }
}

@Controller('products')
class Products {
  @McpResource({ uri: 'shop://controller', name: 'controller' })
  list() {
    return 'controller';
  }
}

@Module({ providers: [Catalogue, Scoped], controllers: [Products] })
class ShopModule {}

describe.each(PLATFORMS)('resources of decorated methods, on %s', (platform) => {
  it('are found on providers and controllers, inherited, request-scoped, and told at the start', async () => {
    await served({ imports: [local, ShopModule] }, { platform }, async (gate) => {
      expect((await uris(gate)).toSorted()).toEqual(['shop://controller', 'shop://fresh', 'shop://inherited', 'shop://missing', 'shop://plain', 'shop://watched']); // prettier-ignore
      expect(await read(gate, 'shop://inherited')).toBe('from the base class');
      expect(await read(gate, 'shop://fresh')).toBe('1');
      expect(await read(gate, 'shop://fresh')).toBe('1');
      expect(await read(gate, 'shop://controller')).toBe('controller');
      expect(await read(gate, 'shop://plain')).toBe('shop://plain false function');
      expect(gate.log.of('log')).toContain('shop: 1 tool, 11 resources at POST /mcp, 4 reserved');
    });
  });

  it('take variables as an instance of their class, and what it refuses is no resource', async () => {
    await served({ imports: [local, ShopModule] }, { platform }, async (gate) => {
      expect(JSON.parse(await read(gate, 'shop://products/A-001'))).toEqual({ sku: 'A-001', dto: true, known: false });
      const refused = await read(gate, 'shop://products/B');
      expect(refused).toMatchObject({ code: -32602, data: { uri: 'shop://products/B' } });
      expect(refused.message).toContain('sku');
      expect(await read(gate, 'shop://raw/a%2F..')).toBe('a/..');
    });
  });

  it('T13: read the texts of a URI as the numbers and booleans that their class declares', async () => {
    await served({ imports: [local, ShopModule] }, { platform }, async (gate) => {
      expect(JSON.parse(await read(gate, 'shop://pages/2'))).toEqual({ page: 2 });
      expect(JSON.parse(await read(gate, 'shop://pages/2?all=true'))).toEqual({ page: 2, all: true });
      expect(await read(gate, 'shop://pages/two')).toMatchObject({
        code: -32602,
        message: expect.stringContaining('page'),
      });
    });
  });

  it('pass their guards, which are told what they are asked about, their interceptors and filters', async () => {
    await served({ imports: [local, ShopModule] }, { platform }, async (gate) => {
      seen.length = 0;
      expect(await read(gate, 'shop://watched')).toBe('QUIET');
      await uris(gate);
      expect(seen).toEqual([
        ['mcp', undefined, 'watched', { uri: 'shop://watched' }],
        ['mcp', undefined, 'watched', undefined],
      ]);
      expect(await read(gate, 'shop://missing')).toMatchObject({ message: expect.stringMatching(/none for missing/) });
    });
  });

  it('A2, A3, T12: do not exist without their scopes, and are counted', async () => {
    await served({ imports: [local, ShopModule] }, { platform }, async (gate) => {
      expect(await read(gate, 'shop://scoped')).toMatchObject({ message: 'Resource not found: shop://scoped' });
      expect(await read(gate, 'shop://nowhere')).toMatchObject({ message: 'Resource not found: shop://nowhere' });
      const { body } = await gate.rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '0' } }); // prettier-ignore
      expect(body.result.capabilities).toEqual({ tools: {}, resources: {}, logging: {} });
      expect(body.result.instructions).toBe('1 more tool and 2 resources are available with authorization.');
      expect(gate.log.of('debug')).toContain(
        '[shop] resource shop://scoped is withheld: it needs the scopes shop:read.',
      );
    });
  });
});

describe('a gate', () => {
  it('G9: that lists classes serves their resources, and those of no other class', async () => {
    @Injectable()
    class Other {
      @McpResource({ uri: 'shop://other', name: 'other' })
      other() {
        return 'other';
      }
    }
    const listed = McpModule.forRoot({ name: 'listed', path: '/listed', tools: [Other], resources: [{ uri: 'shop://object', name: 'object', read: () => 'object' }] }); // prettier-ignore
    const moduleGate = McpModule.forRoot({ name: 'module', path: '/module', tools: [ShopModule] });
    await served({ imports: [listed, moduleGate, ShopModule], providers: [Other] }, {}, async (gate) => {
      const at = async (path: string) =>
        (await gate.rpc('resources/list', {}, { path })).body.result.resources.map(({ uri }: { uri: string }) => uri);
      expect(await at('/listed')).toEqual(['shop://object', 'shop://other']);
      expect(await at('/module')).not.toContain('shop://other');
      expect(await at('/module')).toContain('shop://plain');
    });
  });

  it('T4: warns of a bad declaration once and serves the others; one that lists its class does not start', async () => {
    @Injectable()
    class Faulty {
      @McpResource({ uri: 'no scheme', name: 'faulty' })
      faulty() {}

      @McpResource({ uri: 'shop://acting', name: 'acting' })
      @ActsForUser()
      acting() {}

      @McpResource({ uri: 'shop://good', name: 'good' })
      good() {}
    }
    await served({ imports: [local], providers: [Faulty] }, {}, async (gate) => {
      expect(await uris(gate)).toEqual(['shop://good']);
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/Faulty\.acting \(resource "shop:\/\/acting"\): @Annotations\(\).* are for tools/),
        expect.stringMatching(/^Not served: Faulty\.faulty \(resource "no scheme"\): its uri must be/),
      ]);
    });
    const listing = McpModule.forRoot({ name: 'shop', tools: [Faulty] });
    await expect(served({ imports: [listing], providers: [Faulty] }, {}, async () => {})).rejects.toThrow(
      /are for tools/,
    );
  });

  it('T4: does not serve what no URI could ever read, and says what does not fit', async () => {
    @Injectable()
    class Unread {
      @McpResourceTemplate({ uriTemplate: 'a://{id}', name: 'a' })
      text(id: string) {
        return id;
      }

      @McpResource({ uri: 'shop://text', name: 'b' })
      uri(uri: string) {
        return uri;
      }

      @McpResourceTemplate({ uriTemplate: 'c://{id}', name: 'c' })
      otherName(variables: SkuVariables) {
        return variables;
      }

      @McpResourceTemplate({ uriTemplate: 'd://{sku}/{size}', name: 'd' })
      undeclared(variables: SkuVariables) {
        return variables;
      }

      @McpResource({ uri: 'e://{id}', name: 'e' })
      braced() {}

      @McpResourceTemplate({ uriTemplate: 'f://:id', name: 'f' })
      colon() {}

      @McpResourceTemplate({ uriTemplate: 'g://{id}', name: 'g' })
      piped(@Args({ transform: ({ id }: { id: string }) => id }) id: string) {
        return id;
      }
    }
    await served({ imports: [local], providers: [Unread] }, {}, async (gate) => {
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(
          /text \(resource template "a:.*type String, but the variables come in it .*take \{ id \}/,
        ),
        expect.stringMatching(/uri \(resource "shop:.*type String, but the variables come in it .*take \{ uri \}/),
        expect.stringMatching(/SkuVariables needs "sku", which is none of its variables \(id\)/),
        expect.stringMatching(/SkuVariables says nothing of the variable "size", which would come in unchecked/),
        expect.stringMatching(/its uri has variables, so it is a template: use @McpResourceTemplate/),
        expect.stringMatching(/it has no variable such as \{id\}, so it is a resource/),
      ]);
      expect(await read(gate, 'g://7')).toBe('7');
    });
  });

  it('T13: takes the variables of a class that is made of others, whatever it is made by, and those that may be anything', async () => {
    class Stocked extends SkuVariables {
      @IsInt() size!: number;
      @Allow() note?: string;
    }
    class Heir extends Stocked {}
    class Partial extends PartialType(Stocked) {}
    class Picked extends PickType(Stocked, ['sku'] as const) {}
    class Both extends IntersectionType(SkuVariables, PickType(Stocked, ['note'] as const)) {}
    class Paged {
      @IsInt() @IsOptional() page?: number;
    }
    @Injectable()
    class Made {
      @McpResourceTemplate({ uriTemplate: 'heir://{sku}/{size}{?note}', name: 'heir' })
      heir(variables: Heir) {
        return variables;
      }

      @McpResourceTemplate({ uriTemplate: 'partial://{sku}/{size}', name: 'partial' })
      partial(variables: Partial) {
        return variables;
      }

      @McpResourceTemplate({ uriTemplate: 'picked://{sku}', name: 'picked' })
      picked(variables: Picked) {
        return variables;
      }

      @McpResourceTemplate({ uriTemplate: 'both://{sku}{?note}', name: 'both' })
      both(variables: Both) {
        return variables;
      }

      @McpTool({ name: 'orders', description: 'Lists orders.' })
      @Annotations({ readOnlyHint: true, openWorldHint: false })
      @McpResource({ uri: 'shop://orders', name: 'orders' })
      orders({ page = 1 }: Paged) {
        return `page ${page}`;
      }
    }
    await served({ imports: [local], providers: [Made] }, {}, async (gate) => {
      expect(gate.log.of('warn')).toEqual([]);
      expect(JSON.parse(await read(gate, 'heir://A-001/3?note=x'))).toEqual({ sku: 'A-001', size: 3, note: 'x' });
      expect(JSON.parse(await read(gate, 'partial://A-001/3'))).toEqual({ sku: 'A-001', size: 3 });
      expect(JSON.parse(await read(gate, 'picked://A-001'))).toEqual({ sku: 'A-001' });
      expect(JSON.parse(await read(gate, 'both://A-001'))).toEqual({ sku: 'A-001' });
      expect(await read(gate, 'picked://B')).toMatchObject({ code: -32602 });
      expect(await read(gate, 'shop://orders')).toBe('page 1');
      expect(await gate.text('orders', { page: 2 })).toBe('page 2');
    });
  });

  it('G10: serves the resources of a module that is loaded lazily at the next request', async () => {
    @Injectable()
    class Late {
      @McpResourceTemplate({ uriTemplate: 'late://{sku}', name: 'late' })
      late(variables: SkuVariables) {
        return variables.sku;
      }
    }
    @Module({ providers: [Late] })
    class LateModule {}
    await served({ imports: [local, ShopModule] }, {}, async (gate) => {
      expect(await read(gate, 'late://A-001')).toMatchObject({ code: -32002 });
      await gate.app.get(LazyModuleLoader).load(() => LateModule);
      expect(await read(gate, 'late://A-001')).toBe('A-001');
    });
  });

  it('A7: names the scopes of its resources among those that it supports', async () => {
    const gateModule = McpModule.forRoot({ name: 'shop', authorization: { verifier: { verify: () => undefined } } });
    await served({ imports: [gateModule, ShopModule] }, {}, async (gate) => {
      const answer = await gate.rpc('tools/list');
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('shop:read')]); // prettier-ignore
    });
  });
});
