import { Body, Controller, Post, ValidationPipe } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import { Annotations, Args, Caller, McpModule, McpTool, type McpCaller } from 'nestjs-mcp-gate';
import { z } from 'zod';
import { readToolInput } from '../../src/nest/input.js';
import { PLATFORMS, served } from './serve.js';

const imports = [McpModule.forRoot({ name: 'shop' })];
const READS = Annotations({ readOnlyHint: true, openWorldHint: false });

class Place {
  @IsString()
  shelf!: string;

  get label() {
    return `shelf ${this.shelf}`;
  }
}

class StockQuery {
  @IsString()
  @MaxLength(8)
  sku!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  atLeast?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => Place)
  place?: Place;

  get label() {
    return `${this.sku} on ${this.place?.label}`;
  }
}

class DtoTools {
  @READS
  @McpTool({ name: 'by_class', description: 'Its schema comes from a class.' })
  byClass(query: StockQuery) {
    return `${query instanceof StockQuery} ${query.place instanceof Place} ${query.label}`;
  }

  @READS
  @McpTool({ name: 'decorated', description: 'Its decorated parameter has a class.' })
  decorated(@Caller() caller: McpCaller, @Args() query: StockQuery) {
    return `${caller.authenticated} ${query.label}`;
  }
}

describe.each(PLATFORMS)('the input schema on %s', (platform) => {
  test('comes from the class of the arguments, whose instance the method receives (T13)', async () => {
    await served({ imports, providers: [DtoTools] }, { platform }, async (gate) => {
      const { inputSchema } = await gate.tool('by_class');
      expect(inputSchema.properties.sku).toMatchObject({ type: 'string', maxLength: 8 });
      expect(inputSchema.required).toEqual(['sku']);
      expect(await gate.text('by_class', { sku: 'A1', place: { shelf: 'top' } })).toBe('true true A1 on shelf top');
      expect(await gate.text('decorated', { sku: 'A1', place: { shelf: 'top' } })).toBe('false A1 on shelf top');
    });
  });

  test('refuses in one result every argument that the class refuses, and names it (T6, T7)', async () => {
    await served({ imports, providers: [DtoTools] }, { platform }, async (gate) => {
      const refused = await gate.call('by_class', { sku: 'far too long', atLeast: 0 });
      expect(refused.isError).toBe(true);
      expect(refused.content[0].text).toMatch(/sku[^]*8[^]*atLeast|atLeast[^]*sku[^]*8/);
      const unknown = await gate.call('by_class', { sku: 'A1', colour: 'red' });
      expect(unknown.content[0].text).toMatch(/colour/);
    });
  });
});

describe('the input schema', () => {
  test('of a method without parameters takes nothing', async () => {
    class Bare {
      @READS
      @McpTool({ name: 'bare', description: 'Takes nothing.' })
      bare() {
        return 'bare';
      }
    }
    await served({ imports, providers: [Bare] }, {}, async (gate) => {
      expect((await gate.tool('bare')).inputSchema).toEqual({
        type: 'object',
        properties: {},
        additionalProperties: false,
      });
      expect(await gate.text('bare')).toBe('bare');
      expect((await gate.call('bare', { more: 1 })).content[0].text).toMatch(/more/);
    });
  });

  test('is the explicit one when both are given, and the class still validates and is instantiated', async () => {
    const inputSchema = {
      type: 'object',
      properties: { sku: { type: 'string', description: 'Ours.' } },
      required: ['sku'],
    };
    class Both {
      @READS
      @McpTool({ name: 'both', description: 'Schema and class.', inputSchema })
      both(query: StockQuery) {
        return `${query instanceof StockQuery} ${query.sku}`;
      }
    }
    await served({ imports, providers: [Both] }, {}, async (gate) => {
      expect((await gate.tool('both')).inputSchema).toEqual(inputSchema);
      expect(await gate.text('both', { sku: 'A1' })).toBe('true A1');
      expect((await gate.call('both', { sku: 'far too long' })).isError).toBe(true);
    });
  });

  test('may be a Standard Schema, whose output the method receives', async () => {
    const schema = z.object({ sku: z.string().transform((sku) => sku.toUpperCase()) });
    class Zod {
      @READS
      @McpTool({ name: 'zod', description: 'A zod schema.', inputSchema: schema })
      zod(query: z.output<typeof schema>) {
        return query.sku;
      }
    }
    await served({ imports, providers: [Zod] }, {}, async (gate) => {
      expect((await gate.tool('zod')).inputSchema).toMatchObject({ properties: { sku: { type: 'string' } } });
      expect(await gate.text('zod', { sku: 'a1' })).toBe('A1');
    });
  });

  test('of a class that is no DTO, or of a plain object type, is a fault that says the ways out (T4)', async () => {
    class Bare {
      sku?: string;
    }
    class Untyped {
      @READS
      @McpTool({ name: 'plain', description: 'A type that is gone at run time.' })
      plain(query: { sku: string }) {
        return query;
      }

      @READS
      @McpTool({ name: 'undecorated', description: 'A class without decorators.' })
      undecorated(query: Bare) {
        return query;
      }

      @READS
      @McpTool({ name: 'text', description: 'Not an object.' })
      text(query: string) {
        return query;
      }
    }
    await served({ imports, providers: [Untyped] }, {}, async (gate) => {
      expect(await gate.list()).toEqual([]);
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(
          /^Not served: Untyped\.plain .*gone at run time.*inputSchema.*class-validator.*@Run\(\) or @Caller\(\)/,
        ),
        expect.stringMatching(/^Not served: Untyped\.undecorated .*Bare.*inputSchema.*class-validator/),
        expect.stringMatching(
          /^Not served: Untyped\.text .*String, but all arguments come in it as one object.*inputSchema.*class-validator/,
        ),
      ]);
    });
  });

  test.each([
    ['a class that was imported as a type only', Function, true, /gone at run time .*"import type"/],
    ['a list', Array, true, /Array, but all arguments come in it as one object/],
    [
      'a class, without the libraries that read it',
      StockQuery,
      false,
      /StockQuery, cannot be read without .*install both/,
    ],
  ])('of %s is a fault that names the cause (T4)', (_, metatype, canReadClasses, fault) => {
    const args = { index: 0, origin: 'arguments', kind: 'custom', pipes: [], metatype } as const;
    const signature = { positional: true, parameters: [args], args };
    const readDto = canReadClasses ? () => undefined : undefined;
    expect(readToolInput(signature, undefined, readDto)).toEqual({ fault: expect.stringMatching(fault) });
  });

  test('of an enum is a fault that names the cause, also where the compiler noted the enum itself (T4)', async () => {
    enum Shelf {
      Fiction = 'fiction',
    }
    class Shelves {
      @READS
      @McpTool({ name: 'shelf', description: 'Takes one value.' })
      read(shelf: Shelf) {
        return shelf;
      }
    }
    Reflect.defineMetadata('design:paramtypes', [Shelf], Shelves.prototype, 'read');
    await served({ imports, providers: [Shelves] }, {}, async (gate) => {
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/Shelves\.read .*String, but all arguments come in it/),
      ]);
    });
  });

  test('that loses a property of its class is warned of at boot, by class and property (T13)', async () => {
    class Lossy {
      @IsString()
      sku!: string;

      @IsOptional()
      tags?: string[];
    }
    class LossyTools {
      @READS
      @McpTool({ name: 'lossy', description: 'Has an array without item type.' })
      lossy(query: Lossy) {
        return query.tags;
      }
    }
    await served({ imports, providers: [LossyTools] }, {}, async (gate) => {
      expect(gate.log.of('warn')).toEqual([expect.stringMatching(/^Tool "lossy" .*Lossy\.tags/)]);
      expect(await gate.list()).toEqual(['lossy']);
    });
  });

  test('of a route that is a tool comes from the class of its body, and both get an instance', async () => {
    @Controller('orders')
    class OrderController {
      @Post()
      @READS
      @McpTool({ name: 'order', description: 'Orders.' })
      order(@Body() query: StockQuery) {
        return { instance: query instanceof StockQuery, sku: query.sku };
      }
    }
    const configure = (app: any) => app.useGlobalPipes(new ValidationPipe({ transform: true }));
    await served({ imports, controllers: [OrderController] }, { configure }, async (gate) => {
      expect((await gate.tool('order')).inputSchema.required).toEqual(['sku']);
      expect(await gate.text('order', { sku: 'A1' })).toBe('{"instance":true,"sku":"A1"}');
      const route = await gate.send({ path: '/orders', body: JSON.stringify({ sku: 'A1' }) });
      expect(route.body).toEqual({ instance: true, sku: 'A1' });
    });
  });
});
