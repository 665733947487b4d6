/** `@McpHeader()` on the class of a tool's arguments: what it says in the schema, and who takes it along. */
import 'reflect-metadata';
import { IntersectionType, PartialType, PickType } from '@nestjs/mapped-types';
import { PartialType as SwaggerPartialType } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';
import { Allow, IsBoolean, IsIn, IsInt, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { readHeaderParameters } from '../../../src/tools/header-parameters.js';
import { loadDtoSupport, type DtoShape } from '../../../src/tools/schemas/dto.js';
import { McpHeader } from '../../../src/tools/schemas/dto-header.js';
import { argumentsValidator, schemaFault } from '../../../src/tools/schemas/json-schema.js';

let read: (type: Function) => DtoShape | undefined;
beforeAll(async () => {
  read = (await loadDtoSupport())!;
});

class Place {
  @IsString() @McpHeader('Country') country!: string;
}

class Order {
  @McpHeader('Region') @IsIn(['eu', 'us']) region!: string;
  @IsInt() @McpHeader('Count') count!: number;
  @IsOptional() @IsBoolean() @McpHeader('Vip') vip?: boolean;
  @ValidateNested() @Type(() => Place) place!: Place;
  @IsString() note!: string;
}

/** The headers of a class, with the paths of what they mirror. */
function headersOf(type: Function): Record<string, string> | string {
  const { schema } = read(type)!;
  expect(schemaFault(schema, 'input')).toBeUndefined();
  const found = readHeaderParameters(schema);
  if ('fault' in found) return found.fault;
  return Object.fromEntries(found.parameters.map(({ header, path }) => [header, path.join('.')]));
}

const ORDER = { Region: 'region', Count: 'count', Vip: 'vip', Country: 'place.country' };

describe('@McpHeader()', () => {
  it('stands in the published schema, beside the type that the validators say', () => {
    expect(read(Order)!.schema).toMatchObject({
      properties: {
        region: { type: 'string', enum: ['eu', 'us'], 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        vip: { type: 'boolean', 'x-mcp-header': 'Vip' },
        place: { properties: { country: { type: 'string', 'x-mcp-header': 'Country' } } },
      },
      required: ['region', 'count', 'place', 'note'],
    });
    expect(headersOf(Order)).toEqual(ORDER);
  });

  it('changes nothing of what is checked', async () => {
    const order = { region: 'eu', count: 1, place: { country: 'DE' }, note: '' };
    const { schema, ...shape } = read(Order)!;
    expect(argumentsValidator(schema)(order)).toBeUndefined();
    expect(await shape.parse(order)).toBeInstanceOf(Order);
    await expect(shape.parse({ ...order, region: 'asia' })).rejects.toThrow(/region must be one of/);
    expect(argumentsValidator(schema)({ ...order, count: 'x' })).toMatchObject([{ path: 'count' }]);
  });

  it('is taken along by subclasses, which may say another, and by what mapped types make', () => {
    class Express extends Order {
      @IsString() @MinLength(1) @McpHeader('Zone') override region: string = 'eu';
    }
    class Picked extends PickType(Order, ['region', 'place']) {}
    class Partial extends PartialType(Order) {}
    class Described extends SwaggerPartialType(Order) {}
    class Both extends IntersectionType(PickType(Order, ['count']), Place) {}
    expect(headersOf(Express)).toEqual({ Zone: 'region', Count: 'count', Vip: 'vip', Country: 'place.country' });
    expect(headersOf(Picked)).toEqual({ Region: 'region', Country: 'place.country' });
    expect(headersOf(Partial)).toEqual(ORDER);
    expect(headersOf(Described)).toEqual(ORDER);
    expect(headersOf(Both)).toEqual({ Count: 'count', Country: 'country' });
  });

  it('mirrors an argument under its name on the wire', () => {
    class Exposed {
      @Expose({ name: 'area' }) @IsString() @McpHeader('Region') region!: string;
    }
    expect(headersOf(Exposed)).toEqual({ Region: 'area' });
  });

  it('declares a property, as any decorator does, and says nothing of its type', () => {
    class Bare {
      @McpHeader('Region') region!: string;
      @Allow() @McpHeader('Zone') zone!: string;
    }
    expect(headersOf(Bare)).toEqual({ Region: 'region', Zone: 'zone' });
    expect(read(Bare)!.schema).not.toHaveProperty('required');
  });

  it.each<[string, () => Function, RegExp]>([
    [
      'on a fraction',
      () => {
        class Fraction {
          @IsOptional() @McpHeader('Price') price!: number;
        }
        return Fraction;
      },
      /stands on "price", which is not of type string, integer or boolean/,
    ],
    [
      'on a list',
      () => {
        class List {
          @IsString({ each: true }) @McpHeader('Tags') tags!: string[];
        }
        return List;
      },
      /stands on "tags", which is not of type/,
    ],
    [
      'in the class of items',
      () => {
        class List {
          @ValidateNested({ each: true }) @Type(() => Place) places!: Place[];
        }
        return List;
      },
      /stands at "places\.items\.country", where no header can reach it/,
    ],
    [
      'under a name that no header can have',
      () => {
        class Named {
          @IsString() @McpHeader('my region') region!: string;
        }
        return Named;
      },
      /x-mcp-header of "region" is not the name of a header/,
    ],
    [
      'under no name',
      () => {
        class Unnamed {
          @IsString() @McpHeader(undefined as unknown as string) region!: string;
        }
        return Unnamed;
      },
      /x-mcp-header of "region" is not the name of a header/,
    ],
    [
      'twice under one name',
      () => {
        class Twice extends PickType(Order, ['region']) {
          @IsString() @McpHeader('REGION') zone!: string;
        }
        return Twice;
      },
      /is used twice/,
    ],
  ])('%s is a fault of the schema (T4)', (_, make, fault) => {
    expect(headersOf(make())).toMatch(fault);
  });

  it('does not lose one of two names in silence: the class that says both is refused, one that says one twice is not', () => {
    const twice = (second: string) => {
      class Twice {
        @IsString() @McpHeader(second) @McpHeader('Region') region!: string;
      }
      return headersOf(Twice);
    };
    expect(() => twice('Zone')).toThrow("@McpHeader('Zone') on Twice.region: it is mirrored as 'Region' already");
    expect(twice('Region')).toEqual({ Region: 'region' });
  });

  it('is a TypeError where no argument can be', () => {
    const decorate = McpHeader('Region') as (...args: unknown[]) => void;
    const method = { value: () => undefined };
    expect(() => decorate(Order.prototype, 'read', method)).toThrow(
      new TypeError(
        "@McpHeader() on Order.read: it belongs on a property of the class of a tool's arguments, not on a method.",
      ),
    );
    expect(() => decorate(Order)).toThrow(
      '@McpHeader() on Order: it belongs on a property of instances, not on a class',
    );
    expect(() => decorate(Order, 'count')).toThrow(
      '@McpHeader() on Order.count: it belongs on a property of instances',
    );
    expect(() => decorate(Order.prototype, Symbol('x'))).toThrow('@McpHeader() on Order.Symbol(x): an argument has no');
  });

  it('counts below the first decorator of class-validator too, which makes the place where it is noted', () => {
    class First {
      region!: string;
    }
    const shared = globalThis as { classValidatorMetadataStorage?: unknown };
    const { classValidatorMetadataStorage } = shared;
    delete shared.classValidatorMetadataStorage;
    McpHeader('Region')(First.prototype, 'region');
    shared.classValidatorMetadataStorage = classValidatorMetadataStorage;
    IsString()(First.prototype, 'region');
    expect(headersOf(First)).toEqual({ Region: 'region' });
  });
});
