import 'reflect-metadata';
import { ApiProperty, ApiPropertyOptional, DECORATORS, PartialType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsDate,
  IsDateString,
  IsDefined,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { McpArgumentFault } from '../../../src/tools/failure.js';
import { loadDtoSupport, type DtoShape } from '../../../src/tools/schemas/dto.js';
import { SWAGGER_KEYS } from '../../../src/tools/schemas/dto-swagger.js';
import { argumentsValidator, schemaFault } from '../../../src/tools/schemas/json-schema.js';

let read: (type: Function) => DtoShape | undefined;

beforeAll(async () => {
  read = (await loadDtoSupport())!;
});

function shapeOf(type: Function): DtoShape {
  const shape = read(type)!;
  expect(schemaFault(shape.schema, 'input')).toBeUndefined();
  return shape;
}

const properties = (type: Function): Record<string, unknown> =>
  shapeOf(type).schema['properties'] as Record<string, unknown>;

async function faultsOf(type: Function, args: unknown): Promise<string[]> {
  const error: unknown = await shapeOf(type)
    .parse(args as Record<string, unknown>)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (error === undefined) return [];
  expect(error).toBeInstanceOf(McpArgumentFault);
  return (error as McpArgumentFault).faults.map(({ path, expected }) => `${path}: ${expected}`);
}

/** Of this realm, unlike structuredClone() in Jest. */
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

enum Size {
  Small = 's',
  Medium = 'm',
}
enum Level {
  Low,
  High = 5,
}
enum Mixed {
  Small = 's',
  One = 1,
}

class Address {
  @IsString() city!: string;
  @Matches(/^\d{5}$/) zip!: string;
}

class Item {
  @IsString() @MaxLength(8) sku!: string;
  @IsOptional() @IsEnum(Size) size?: Size;
}

class Order {
  @ApiProperty({ description: 'Who pays.', example: 'a@b.example' }) @IsEmail() email!: string;
  @IsArray() @ArrayNotEmpty() @ArrayMaxSize(3) @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
  @ValidateNested() @Type(() => Address) address!: Address;
  @IsOptional() @IsArray() @IsString({ each: true }) @MinLength(2, { each: true }) tags?: string[];
  @IsOptional() @IsEnum(Size, { each: true }) sizes?: Size[];
  @IsOptional() @IsEnum(Level) level?: Level;
  @IsInt() @Min(1) @Max(100) limit = 10;
  @IsOptional() @IsDate() @Type(() => Date) since?: Date;
}

const ORDER = { email: 'a@b.example', items: [{ sku: 'A-1' }], address: { city: 'x', zip: '12345' } };

describe('the schema of a DTO (T13)', () => {
  it('says types, enums, items, nested objects, limits, patterns, formats, defaults and descriptions', () => {
    expect(shapeOf(Order).schema).toEqual({
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email', description: 'Who pays.', examples: ['a@b.example'] },
        items: {
          type: 'array',
          minItems: 1,
          maxItems: 3,
          items: {
            type: 'object',
            properties: { sku: { type: 'string', maxLength: 8 }, size: { type: 'string', enum: ['s', 'm'] } },
            required: ['sku'],
            additionalProperties: false,
          },
        },
        address: {
          type: 'object',
          properties: { city: { type: 'string' }, zip: { type: 'string', pattern: '^\\d{5}$' } },
          required: ['city', 'zip'],
          additionalProperties: false,
        },
        tags: { type: 'array', items: { type: 'string', minLength: 2 } },
        sizes: { type: 'array', items: { type: 'string', enum: ['s', 'm'] } },
        level: { type: 'number', enum: [0, 5] },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
        since: { type: 'string', format: 'date-time' },
      },
      required: ['email', 'items', 'address'],
      additionalProperties: false,
    });
    expect(shapeOf(Order).lost).toEqual([]);
  });

  it.each([
    ['an enum of texts', Size, Size, { type: 'string', enum: ['s', 'm'] }, { type: 'string' }],
    ['an enum of numbers', Level, Level, { type: 'number', enum: [0, 5] }, { type: 'number' }],
    ['an enum of both', Mixed, Mixed, { type: ['string', 'number'], enum: ['s', 1] }, {}],
    ['a text of an enum', Size.Small, Size, { type: 'string', enum: ['s', 'm'] }, { type: 'string' }],
    ['a number of an enum', Level.Low, Level, { type: 'number', enum: [0, 5] }, { type: 'number' }],
  ])(
    'reads %s that the compiler noted as the type, as SWC and that of Vitest do',
    (_, noted, values, checked, free) => {
      class Query {
        @IsEnum(values) checked!: unknown;
        @Allow() free!: unknown;
      }
      for (const name of ['checked', 'free']) Reflect.defineMetadata('design:type', noted, Query.prototype, name);
      expect(properties(Query)).toEqual({ checked, free });
    },
  );

  it('finds the notes of @ApiProperty() under the keys that @nestjs/swagger exports', () => {
    expect(DECORATORS).toMatchObject(SWAGGER_KEYS);
  });

  it('is read once for a class', () => {
    expect(read(Order)).toBe(read(Order));
  });

  it('does not exist for a class that declares nothing, nor for a built-in one', () => {
    class Plain {
      a?: string;
    }
    expect([Plain, Object, Array, String, Date, Map].map((type) => read(type))).toEqual(Array(6).fill(undefined));
  });

  it('takes what is inherited, and what mapped types make', () => {
    class Base {
      @IsString() id!: string;
      @IsInt() rank!: number;
    }
    class Child extends Base {
      @IsString() name!: string;
      @IsInt() @Min(3) declare rank: number;
    }
    expect(properties(Child)).toEqual({
      name: { type: 'string' },
      rank: { type: 'integer', minimum: 3 },
      id: { type: 'string' },
    });
    class Change extends PartialType(Base) {}
    expect(shapeOf(Change).schema['required']).toBeUndefined();
    expect(properties(Change)).toMatchObject({ id: { type: 'string' }, rank: { type: 'integer' } });
  });

  it('keeps two classes of one name apart, and writes one that holds itself once', () => {
    const other = (() => {
      class Item {
        @IsInt() count!: number;
        @IsOptional() @ValidateNested() @Type(() => Item) next?: Item;
      }
      return Item;
    })();
    const third = (() => {
      class Item {
        @IsString() label!: string;
        @IsOptional() @ValidateNested({ each: true }) @Type(() => Item) kids?: Item[];
      }
      return Item;
    })();
    class Both {
      @ValidateNested() @Type(() => Item) a!: Item;
      @ValidateNested() @Type(() => other) b!: object;
      @ValidateNested() @Type(() => third) c!: object;
      @ValidateNested() @Type(() => third) d!: object;
    }
    const { schema } = shapeOf(Both);
    expect(schema['$defs']).toMatchObject({
      Item: { properties: { count: { type: 'integer' }, next: { $ref: '#/$defs/Item' } } },
      Item2: { properties: { label: { type: 'string' }, kids: { items: { $ref: '#/$defs/Item2' } } } },
    });
    expect(schema['properties']).toMatchObject({
      a: { properties: { sku: {} } },
      b: { $ref: '#/$defs/Item' },
      c: { $ref: '#/$defs/Item2' },
      d: { $ref: '#/$defs/Item2' },
    });
    expect(
      argumentsValidator(schema)({
        a: { sku: 'x' },
        b: { count: 1, next: { count: 'two' } },
        c: { label: 'x' },
        d: { label: 'x', kids: [{ labl: 'y' }] },
      }),
    ).toEqual([
      { path: 'b.next.count', expected: 'must be an integer, got "two"' },
      { path: 'd.kids[0].label', expected: 'is required (string)' },
      { path: 'd.kids[0]', expected: 'unknown property "labl"; it takes: label, kids' },
    ]);
  });

  it('refers to the root from inside it', () => {
    class Node {
      @IsString() name!: string;
      @IsOptional() @ValidateNested({ each: true }) @Type(() => Node) kids?: Node[];
    }
    expect(properties(Node)).toEqual({ name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } });
  });

  it('uses the names on the wire, and leaves out what cannot be set', () => {
    class Wire {
      @Expose({ name: 'product_code' }) @IsString() code!: string;
      @Exclude() @IsOptional() @IsString() secret?: string;
      @Exclude({ toPlainOnly: true }) @IsString() password!: string;
    }
    expect(Object.keys(properties(Wire))).toEqual(['product_code', 'password']);
    @Exclude()
    class Chosen {
      @Expose() @IsString() open!: string;
      @IsOptional() @IsString() closed?: string;
    }
    expect(Object.keys(properties(Chosen))).toEqual(['open']);
  });

  it('takes the type from TypeScript, @Type() or @ApiProperty() where no validator names one', () => {
    class Typed {
      @Allow() text!: string;
      @Type(() => Date) at!: Date;
      @ApiProperty({ type: [String] }) names!: string[];
      @ApiPropertyOptional({ enum: ['a', 'b'] }) kind?: unknown;
      @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } }) @IsObject() labels!: Record<
        string,
        string
      >;
      @ApiProperty({ type: () => Address }) home!: unknown;
      @IsDefined() age!: number;
    }
    const { schema, lost } = shapeOf(Typed);
    expect(schema['properties']).toMatchObject({
      text: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
      names: { type: 'array', items: { type: 'string' } },
      kind: { enum: ['a', 'b'] },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      home: { type: 'object', required: ['city', 'zip'] },
      age: { type: 'number' },
    });
    expect(schema['required']).toEqual(['labels', 'age', 'names', 'home']);
    expect(lost).toEqual([]);
  });

  it('does not take a property without any decorator for an argument', () => {
    class Guarded {
      @IsString() sku!: string;
      isAdmin = false;
    }
    expect(Object.keys(properties(Guarded))).toEqual(['sku']);
  });

  it('joins what several decorators say of one value', () => {
    class Joined {
      @Length(2, 10) @MinLength(3) @MaxLength(20) @Matches(/z$/) @Matches(/^a/) code!: string;
    }
    expect(properties(Joined)['code']).toEqual({
      type: 'string',
      minLength: 3,
      maxLength: 10,
      pattern: '^a',
      allOf: [{ pattern: 'z$' }],
    });
  });

  it('offers both where TypeScript has a union of one and many', () => {
    class Either {
      @IsString({ each: true }) tag!: string | string[];
    }
    expect(properties(Either)['tag']).toEqual({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    });
  });

  it('knows Map and Set', () => {
    class Collections {
      @Type(() => Number) @Allow() scores!: Map<string, number>;
      @IsString({ each: true }) names!: Set<string>;
    }
    expect(properties(Collections)).toEqual({
      scores: { type: 'object', additionalProperties: { type: 'number' } },
      names: { type: 'array', items: { type: 'string' } },
    });
  });
});

describe('optional and nullable properties', () => {
  class Flags {
    @IsString() needed!: string;
    @IsOptional() @IsString() optional?: string;
    @ValidateIf((_object, value) => value !== null) @IsString() nullable!: string | null;
    @ValidateIf((object: Flags) => object.optional === 'x') @IsString() conditional?: string;
    @IsString() initialised: string = 'a';
    @IsOptional() @IsString() empty: string | null = null;
    @ApiProperty({ nullable: true }) @IsOptional() @IsEnum(Size) swagger?: Size | null;
    @ApiProperty({ nullable: true, type: () => Address })
    @IsOptional()
    @ValidateNested()
    @Type(() => Address)
    nested?: Address | null;
  }

  it('are required unless their decorators or an initialiser say otherwise', () => {
    expect(shapeOf(Flags).schema['required']).toEqual(['needed']);
  });

  it('are null only where the class says so: @IsOptional() is "may be left out"', () => {
    expect(properties(Flags)).toMatchObject({
      optional: { type: 'string' },
      nullable: { type: ['string', 'null'] },
      conditional: { type: 'string' },
      initialised: { type: 'string', default: 'a' },
      empty: { type: ['string', 'null'], default: null },
      swagger: { type: ['string', 'null'], enum: ['s', 'm', null] },
      nested: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    });
  });
});

describe('a type that would be lost is reported with its class, its property and the way out (T13)', () => {
  class Plain {
    a?: string;
  }
  class Inner {
    @IsArray() deep!: string[];
  }
  class Query {
    @IsArray() tags!: string[];
    @IsObject() filter!: object;
    @ValidateNested() @Type(() => Plain) plain!: Plain;
    @ValidateNested() thing!: { a: string };
    @IsDefined() value!: unknown;
    @ValidateNested() @Type(() => Inner) inner!: Inner;
    @Allow() map!: Map<string, number>;
  }

  it('each in one sentence', () => {
    expect(shapeOf(Query).lost).toEqual([
      'Query.tags: an array whose item type is not known; add @IsString({ each: true }) or @ValidateNested({ each: true }) @Type(() => Item)',
      'Query.filter: an object whose properties are not known; add @ValidateNested() @Type(() => Item)',
      'Query.plain: the class Plain, which declares no properties; decorate its properties',
      'Query.thing: an object whose properties are not known; add @ValidateNested() @Type(() => Item)',
      'Query.value: its type is not known; add a decorator that names it, such as @IsString()',
      'Inner.deep: an array whose item type is not known; add @IsString({ each: true }) or @ValidateNested({ each: true }) @Type(() => Item)',
      'Query.map: a map whose values are not known; add @Type(() => Value)',
    ]);
  });
});

describe('the instance that reaches the method (T13)', () => {
  it('is a real one, nested ones too, with dates and defaults', async () => {
    const order = (await shapeOf(Order).parse({ ...ORDER, since: '2026-07-28T10:00:00Z' })) as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order.items[0]).toBeInstanceOf(Item);
    expect(order.address).toBeInstanceOf(Address);
    expect(order.since).toEqual(new Date('2026-07-28T10:00:00Z'));
    expect(order.limit).toBe(10);
  });

  it('is one also where only TypeScript names the class', async () => {
    class Lean {
      @ValidateNested() address!: Address;
      @IsDate() at!: Date;
    }
    expect(shapeOf(Lean).lost).toEqual([]);
    const lean = (await shapeOf(Lean).parse({ address: ORDER.address, at: '2026-07-28T10:00:00Z' })) as Lean;
    expect(lean.address).toBeInstanceOf(Address);
    expect(lean.at).toBeInstanceOf(Date);
    expect(await faultsOf(Lean, { address: { city: 1, zip: '12345' }, at: 'never' })).toEqual([
      'address.city: city must be a string',
      'at: at must be a Date instance',
    ]);
  });

  it('is refused with every message of its validators, each under its path', async () => {
    expect(
      await faultsOf(Order, {
        ...ORDER,
        limit: 0,
        items: [{ sku: 'A-1' }, { sku: 'far too long' }, { sku: 3, size: 'xl' }],
      }),
    ).toEqual([
      'items[1].sku: sku must be shorter than or equal to 8 characters',
      'items[2].sku: sku must be shorter than or equal to 8 characters',
      'items[2].sku: sku must be a string',
      'items[2].size: size must be one of the following values: s, m',
      'limit: limit must not be less than 1',
    ]);
  });

  it('is refused in the words of its author, and by decorators that JSON Schema has no word for', async () => {
    const isEven = () =>
      ValidateBy({
        name: 'isEven',
        validator: {
          validate: (value) => Promise.resolve(Number(value) % 2 === 0),
          defaultMessage: () => 'must be even',
        },
      });
    class Own {
      @IsInt() @isEven() count!: number;
      @MinLength(3, { message: 'three letters at least, please' }) code!: string;
    }
    expect(properties(Own)['count']).toEqual({ type: 'integer' });
    expect(argumentsValidator(shapeOf(Own).schema)({ count: 3, code: 'a' })).toBeUndefined();
    expect(await faultsOf(Own, { count: 3, code: 'a' })).toEqual([
      'count: must be even',
      'code: three letters at least, please',
    ]);
    expect(await faultsOf(Own, { count: 4, code: 'abc' })).toEqual([]);
  });

  it('hears of wrong types and wrong values in one go, and of nothing that the validators would accept', () => {
    class Mixed {
      @IsInt() @Min(1) count!: number;
      @MaxLength(3) code!: string;
      @IsDateString() day!: string;
      @Transform(({ value }) => Number(value)) @IsInt() rank!: number;
    }
    const check = argumentsValidator(shapeOf(Mixed).schema);
    expect(check({ count: 'two', code: 'abcd', day: '2026-07-28', rank: '3' })).toEqual([
      { path: 'count', expected: 'must be an integer of at least 1, got "two"' },
      { path: 'code', expected: 'must be a string of at most 3 characters, got "abcd"' },
    ]);
    expect(check({ count: 0, code: 'abcd', day: '2026-07-28', rank: '3' })).toBeUndefined();
  });

  it('is refused under the names that the sender used', async () => {
    class Wire {
      @Expose({ name: 'product_code' }) @IsString() code!: string;
    }
    expect(await faultsOf(Wire, { product_code: 3 })).toEqual(['product_code: code must be a string']);
  });

  it('may transform what comes in', async () => {
    class Trimmed {
      @Transform(({ value }) => (typeof value === 'string' ? value.split(',') : (value as unknown)))
      @IsString({ each: true })
      tags!: string[];
    }
    expect(argumentsValidator(shapeOf(Trimmed).schema)({ tags: 'a,b' })).toBeUndefined();
    expect(await shapeOf(Trimmed).parse({ tags: 'a,b' })).toEqual({ tags: ['a', 'b'] });
  });

  it('may be of a class that only @ApiProperty() describes', async () => {
    class Described {
      @ApiProperty() name!: string;
    }
    expect(shapeOf(Described).schema).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    });
    expect(await shapeOf(Described).parse({ name: 'x' })).toBeInstanceOf(Described);
  });

  class Circle {
    kind!: 'circle';
    @IsNumber() radius!: number;
  }
  class Group {
    kind!: 'group';
    @ValidateNested({ each: true }) @Type(() => Object, SHAPES()) parts!: object[];
  }
  class Drawing {
    @ValidateNested() @Type(() => Object, SHAPES()) shape!: object;
  }
  function SHAPES() {
    return {
      discriminator: {
        property: 'kind',
        subTypes: [
          {
            name: 'circle',
            get value() {
              return Circle;
            },
          },
          {
            name: 'group',
            get value() {
              return Group;
            },
          },
        ],
      },
    };
  }

  it('may be one of several classes that a property tells apart, and may hold itself', async () => {
    const { schema, lost } = shapeOf(Drawing);
    expect(lost).toEqual([]);
    const check = argumentsValidator(schema);
    const given = {
      shape: {
        kind: 'group',
        parts: [
          { kind: 'circle', radius: 1 },
          { kind: 'group', parts: [] },
        ],
      },
    };
    expect(check(clone(given))).toBeUndefined();
    expect(check({ shape: { kind: 'circle', radius: 'x' } })).toEqual([
      { path: 'shape.radius', expected: 'must be a number, got "x"' },
    ]);
    expect(check({ shape: { kind: 'square' } })).toEqual([
      { path: 'shape.kind', expected: 'must be one of "circle", "group", got "square"' },
    ]);
    const drawing = (await shapeOf(Drawing).parse(clone(given))) as Drawing;
    expect(drawing.shape).toBeInstanceOf(Group);
    expect((drawing.shape as Group).parts[0]).toBeInstanceOf(Circle);
  });
});

describe('hostile arguments', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'cannot use %s to reach a prototype',
    async (name) => {
      const args = JSON.parse(`{"filter": {"${name}": {"polluted": true}}}`) as Record<string, unknown>;
      class Free {
        @IsOptional() @IsObject() filter?: object;
      }
      expect(await faultsOf(Free, args)).toEqual([`filter.${name}: is a name that is not accepted`]);
      expect(await faultsOf(Free, JSON.parse(`{"${name}": {"polluted": true}}`))).toEqual([
        `${name}: is a name that is not accepted`,
      ]);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );

  it('cannot be nested without end', async () => {
    class Free {
      @IsOptional() @IsObject() filter?: object;
    }
    let filter = {};
    for (let i = 0; i < 50_000; i++) filter = { filter };
    expect(await faultsOf(Free, { filter })).toEqual([expect.stringContaining('must be nested less than 200 deep')]);
  });

  it("are the sender's fault when a library trips over them, and the application's otherwise", async () => {
    class Broken {
      @Transform(({ value }) => (value as string).toUpperCase()) @IsString() a!: string;
      @IsOptional() @IsInt() b?: number;
    }
    expect(await faultsOf(Broken, { a: 'x' })).toEqual([]);
    await expect(shapeOf(Broken).parse({ a: 5 })).rejects.toThrow(TypeError);
    expect(await faultsOf(Broken, { a: 5, b: 'x' })).toEqual(['b: must be an integer, got "x"']);
  });
});
