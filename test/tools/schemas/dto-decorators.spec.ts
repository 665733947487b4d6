import 'reflect-metadata';
import { Type } from 'class-transformer';
import * as decorators from 'class-validator';
import * as fc from 'fast-check';
import { McpArgumentFault } from '../../../src/tools/failure.js';
import { loadDtoSupport, type DtoShape } from '../../../src/tools/schemas/dto.js';
import { argumentsValidator, schemaFault } from '../../../src/tools/schemas/json-schema.js';

const v = decorators;

/** Nothing is refused at run time. */
const NOTHING = Symbol('nothing');

/** A decorator, what it says in the schema of a property of this type, a value that passes and one that does not. */
type Row = readonly [PropertyDecorator, Function, object, accepted: unknown, refused: unknown];

class Nested {
  @v.IsInt() n!: number;
}

@v.ValidatorConstraint({ name: 'isEven' })
class IsEven implements decorators.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return Number(value) % 2 === 0;
  }
}

const text = (decorator: PropertyDecorator, accepted: string, refused: unknown, keywords: object = {}): Row => [
  decorator,
  String,
  { type: 'string', ...keywords },
  accepted,
  refused,
];
const num = (decorator: PropertyDecorator, accepted: number, refused: unknown, keywords: object = {}): Row => [
  decorator,
  Number,
  { type: 'number', ...keywords },
  accepted,
  refused,
];
/** Arrays need the type of their items too. */
const list = (decorator: PropertyDecorator, accepted: unknown[], refused: unknown, keywords: object = {}): Row => [
  both(v.IsString({ each: true }), decorator),
  Array,
  { type: 'array', items: { type: 'string' }, ...keywords },
  accepted,
  refused,
];

function both(...all: PropertyDecorator[]): PropertyDecorator {
  return (target, name) => all.forEach((decorate) => decorate(target, name));
}

const DATE = { type: 'string', format: 'date-time' };
const asDate = (decorator: PropertyDecorator): PropertyDecorator =>
  both(
    Type(() => Date),
    decorator,
  );

const TABLE: Readonly<Record<string, Row>> = {
  Allow: [v.Allow(), String, { type: 'string' }, 'x', NOTHING],
  IsDefined: [v.IsDefined(), String, { type: 'string' }, 'x', null],
  IsOptional: [both(v.IsOptional(), v.IsString()), String, { type: 'string' }, 'x', 5],
  Validate: [v.Validate(IsEven), Number, { type: 'number' }, 2, 3],
  ValidateBy: [
    v.ValidateBy({ name: 'isOdd', validator: { validate: (x) => Number(x) % 2 === 1 } }),
    Number,
    { type: 'number' },
    3,
    2,
  ],
  ValidateIf: [
    both(
      v.ValidateIf((_, x) => x !== null),
      v.IsString(),
    ),
    String,
    { type: ['string', 'null'] },
    null,
    5,
  ],
  ValidateNested: [
    v.ValidateNested(),
    Nested,
    { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
    { n: 1 },
    { n: 'x' },
  ],
  ValidatePromise: [both(v.ValidatePromise(), v.IsString()), String, { type: 'string' }, 'x', 5],
  Equals: text(v.Equals('x'), 'x', 'y', { const: 'x' }),
  NotEquals: text(v.NotEquals('x'), 'y', 'x', { not: { enum: ['x'] } }),
  IsEmpty: [v.IsEmpty(), String, { type: 'string', maxLength: 0 }, '', 'x'],
  IsNotEmpty: text(v.IsNotEmpty(), 'x', '', { minLength: 1 }),
  IsIn: text(v.IsIn(['a', 'b']), 'a', 'c', { enum: ['a', 'b'] }),
  IsNotIn: text(v.IsNotIn(['a', 'b']), 'c', 'a', { not: { enum: ['a', 'b'] } }),
  IsLatLong: text(v.IsLatLong(), '48.1,11.5', 'north'),
  IsLatitude: [v.IsLatitude(), Object, { type: ['number', 'string'], minimum: -90, maximum: 90 }, 48.1, 91],
  IsLongitude: [v.IsLongitude(), Object, { type: ['number', 'string'], minimum: -180, maximum: 180 }, '11.5', 181],
  IsDivisibleBy: num(v.IsDivisibleBy(5), 10, 11, { multipleOf: 5 }),
  IsPositive: num(v.IsPositive(), 1, 0, { exclusiveMinimum: 0 }),
  IsNegative: num(v.IsNegative(), -1, 0, { exclusiveMaximum: 0 }),
  Min: num(v.Min(2), 2, 1, { minimum: 2 }),
  Max: num(v.Max(2), 2, 3, { maximum: 2 }),
  MinDate: [asDate(v.MinDate(new Date(0))), Date, DATE, '2026-01-01T00:00:00Z', '1900-01-01T00:00:00Z'],
  MaxDate: [asDate(v.MaxDate(new Date(0))), Date, DATE, '1900-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  IsDate: [asDate(v.IsDate()), Date, DATE, '2026-01-01T00:00:00Z', 'never'],
  IsString: text(v.IsString(), 'x', 5),
  IsBoolean: [v.IsBoolean(), Boolean, { type: 'boolean' }, false, 'false'],
  IsNumber: num(v.IsNumber({ maxDecimalPlaces: 2 }), 1.25, 1.255),
  IsInt: [v.IsInt(), Number, { type: 'integer' }, 3, 3.5],
  IsEnum: text(v.IsEnum({ A: 'a', B: 'b' }), 'a', 'c', { enum: ['a', 'b'] }),
  IsObject: [v.IsObject(), Object, { type: 'object' }, { any: 1 }, 'x'],
  IsNotEmptyObject: [v.IsNotEmptyObject(), Object, { type: 'object', minProperties: 1 }, { any: 1 }, {}],
  IsInstance: [
    v.IsInstance(Nested),
    Object,
    { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
    { n: 1 },
    'x',
  ],
  IsArray: list(v.IsArray(), ['a'], 'a'),
  ArrayNotEmpty: list(v.ArrayNotEmpty(), ['a'], [], { minItems: 1 }),
  ArrayMinSize: list(v.ArrayMinSize(2), ['a', 'b'], ['a'], { minItems: 2 }),
  ArrayMaxSize: list(v.ArrayMaxSize(1), ['a'], ['a', 'b'], { maxItems: 1 }),
  ArrayUnique: list(v.ArrayUnique(), ['a', 'b'], ['a', 'a'], { uniqueItems: true }),
  ArrayContains: list(v.ArrayContains(['a', 'b']), ['a', 'b'], ['a'], {
    allOf: [{ contains: { const: 'a' } }, { contains: { const: 'b' } }],
  }),
  ArrayNotContains: list(v.ArrayNotContains(['a']), ['b'], ['a'], { not: { contains: { const: 'a' } } }),
  Length: text(v.Length(2, 3), 'ab', 'a', { minLength: 2, maxLength: 3 }),
  MinLength: text(v.MinLength(2), 'ab', 'a', { minLength: 2 }),
  MaxLength: text(v.MaxLength(2), 'ab', 'abc', { maxLength: 2 }),
  IsByteLength: text(v.IsByteLength(1, 3), 'ä', 'ää', { maxLength: 3 }),
  Matches: text(v.Matches(/^a+$/), 'aa', 'b', { pattern: '^a+$' }),
  Contains: text(v.Contains('a.b'), 'xa.bx', 'axb', { pattern: 'a\\.b' }),
  NotContains: text(v.NotContains('a.b'), 'axb', 'a.b', { not: { pattern: 'a\\.b' } }),
  IsAlpha: text(v.IsAlpha(), 'abc', 'a1', { pattern: '^[A-Za-z]+$' }),
  IsAlphanumeric: text(v.IsAlphanumeric(), 'a1', 'a-1', { pattern: '^[0-9A-Za-z]+$' }),
  IsAscii: text(v.IsAscii(), 'a', 'ä', { pattern: '^[\\x00-\\x7F]+$' }),
  IsHexadecimal: text(v.IsHexadecimal(), '0xAf', 'xyz', { pattern: '^(0[xXhH])?[0-9A-Fa-f]+$' }),
  IsHexColor: text(v.IsHexColor(), '#ff00aa', '#ff', {
    pattern: '^#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$',
  }),
  IsHash: text(v.IsHash('md5'), 'd41d8cd98f00b204e9800998ecf8427e', 'd41d', { pattern: '^[0-9A-Fa-f]{32}$' }),
  IsMilitaryTime: text(v.IsMilitaryTime(), '13:37', '25:00', { pattern: '^([01]\\d|2[0-3]):?([0-5]\\d)$' }),
  IsISO31661Alpha2: text(v.IsISO31661Alpha2(), 'DE', 'XX', { pattern: '^[A-Za-z]{2}$' }),
  IsISO31661Alpha3: text(v.IsISO31661Alpha3(), 'DEU', 'XXX', { pattern: '^[A-Za-z]{3}$' }),
  IsISO31661Numeric: text(v.IsISO31661Numeric(), '276', '000', { pattern: '^\\d{3}$' }),
  IsISO4217CurrencyCode: text(v.IsISO4217CurrencyCode(), 'EUR', 'XXA', { pattern: '^[A-Za-z]{3}$' }),
  IsISO6391: text(v.IsISO6391(), 'de', 'xx', { pattern: '^[a-z]{2}$' }),
  IsMongoId: text(v.IsMongoId(), '507f1f77bcf86cd799439011', '507f', {
    pattern: '^(0[xXhH])?[0-9A-Fa-f]+$',
    minLength: 24,
    maxLength: 24,
  }),
  IsBooleanString: text(v.IsBooleanString(), 'true', 'maybe', { enum: ['true', 'false', '1', '0'] }),
  IsEmail: text(v.IsEmail(), 'a@example.com', 'a@', { format: 'email' }),
  IsUrl: text(v.IsUrl(), 'https://example.com/a', 'no url', { format: 'uri' }),
  IsUUID: text(v.IsUUID(), '9c858901-8a57-4791-81fe-4c455b099bc9', '9c85', { format: 'uuid' }),
  IsFQDN: text(v.IsFQDN(), 'example.com', 'a b', { format: 'hostname' }),
  IsIP: text(v.IsIP('4'), '10.0.0.1', '10.0.0', { format: 'ipv4' }),
  IsDateString: text(v.IsDateString(), '2026-07-28', 'soon', { format: 'date-time' }),
  IsISO8601: text(v.IsISO8601(), '2026-W31', 'soon', { format: 'date-time' }),
  IsRFC3339: text(v.IsRFC3339(), '2026-07-28T10:00:00Z', 'soon', { format: 'date-time' }),
  IsBase64: text(v.IsBase64(), 'YWJj', '?', { contentEncoding: 'base64' }),
  IsJSON: text(v.IsJSON(), '{"a":1}', '{', { contentMediaType: 'application/json' }),
  IsBIC: text(v.IsBIC(), 'DEUTDEFF', 'x'),
  IsBase32: text(v.IsBase32(), 'ME======', 'x'),
  IsBase58: text(v.IsBase58(), '3ijp', '0OIl'),
  IsBtcAddress: text(v.IsBtcAddress(), '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'x'),
  IsCreditCard: text(v.IsCreditCard(), '4111111111111111', '4111'),
  IsCurrency: text(v.IsCurrency(), '$10.00', 'ten'),
  IsDataURI: text(v.IsDataURI(), 'data:text/plain,a', 'x'),
  IsDecimal: text(v.IsDecimal(), '1.5', 'x'),
  IsEAN: text(v.IsEAN(), '4006381333931', '1'),
  IsEthereumAddress: text(v.IsEthereumAddress(), '0x0000000000000000000000000000000000000001', '0x1'),
  IsFirebasePushId: text(v.IsFirebasePushId(), '-M-Jh_1KAH5rYJF_7-kY', 'x'),
  IsFullWidth: text(v.IsFullWidth(), 'ア', 'abc'),
  IsHalfWidth: text(v.IsHalfWidth(), 'abc', 'ア'),
  IsVariableWidth: text(v.IsVariableWidth(), 'aア', 'abc'),
  IsHSL: text(v.IsHSL(), 'hsl(120, 50%, 50%)', 'red'),
  IsIBAN: text(v.IsIBAN(), 'DE89370400440532013000', 'DE1'),
  IsISBN: text(v.IsISBN(), '978-3-16-148410-0', '1'),
  IsISIN: text(v.IsISIN(), 'US0378331005', 'x'),
  IsISRC: text(v.IsISRC(), 'USRC17607839', 'x'),
  IsISSN: text(v.IsISSN(), '2049-3630', 'x'),
  IsIdentityCard: text(v.IsIdentityCard('ES'), '99999999R', 'x'),
  IsJWT: text(v.IsJWT(), 'eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo', 'x'),
  IsLocale: text(v.IsLocale(), 'de-DE', '?'),
  IsLowercase: text(v.IsLowercase(), 'abc', 'Abc'),
  IsUppercase: text(v.IsUppercase(), 'ABC', 'Abc'),
  IsMACAddress: text(v.IsMACAddress(), '01:02:03:04:05:ab', 'x'),
  IsMagnetURI: text(v.IsMagnetURI(), 'magnet:?xt=urn:btih:06E2A9683BF4DA92C73A661AC56F0ECC9C63C5B4', 'x'),
  IsMimeType: text(v.IsMimeType(), 'text/plain', 'x'),
  IsMobilePhone: text(v.IsMobilePhone('de-DE'), '+4915123456789', 'x'),
  IsMultibyte: text(v.IsMultibyte(), 'ä', 'a'),
  IsNumberString: text(v.IsNumberString(), '1.5', 'x'),
  IsOctal: text(v.IsOctal(), '0o17', '9'),
  IsPassportNumber: text(v.IsPassportNumber('DE'), 'C01X00T47', 'x'),
  IsPhoneNumber: text(v.IsPhoneNumber('DE'), '+4930123456', 'x'),
  IsPort: text(v.IsPort(), '8080', '99999'),
  IsPostalCode: text(v.IsPostalCode('DE'), '80331', 'x'),
  IsRgbColor: text(v.IsRgbColor(), 'rgb(0,0,0)', 'x'),
  IsSemVer: text(v.IsSemVer(), '1.2.3', '1.2'),
  IsStrongPassword: text(v.IsStrongPassword(), 'aB3$efgh', 'weak'),
  IsSurrogatePair: text(v.IsSurrogatePair(), '😀', 'a'),
  IsTaxId: text(v.IsTaxId('de-DE'), '26954371827', 'x'),
  IsTimeZone: text(v.IsTimeZone(), 'Europe/Berlin', 'Mars/Olympus'),
};

let read: (type: Function) => DtoShape | undefined;

beforeAll(async () => {
  read = (await loadDtoSupport())!;
});

function subjectOf([decorate, type]: Row): DtoShape {
  class Subject {
    declare value: unknown;
  }
  Reflect.defineMetadata('design:type', type, Subject.prototype, 'value');
  decorate(Subject.prototype, 'value');
  return read(Subject)!;
}

const accepts = (shape: DtoShape, value: unknown): Promise<boolean> =>
  shape.parse({ value }).then(
    () => true,
    (error: unknown) => {
      expect(error).toBeInstanceOf(McpArgumentFault);
      return false;
    },
  );

describe('each decorator of class-validator (T13)', () => {
  it('stands in this table', () => {
    const noDecorators = ['ValidatorConstraint', 'ValidationError', 'ValidationTypes', 'Validator', 'MetadataStorage'];
    const exported = Object.keys({ ...decorators }).filter(
      (name) => /^[A-Z][a-z]|^Is[A-Z]/.test(name) && typeof (decorators as any)[name] === 'function',
    );
    expect(Object.keys(TABLE).toSorted()).toEqual(exported.filter((name) => !noDecorators.includes(name)).toSorted());
  });

  it.each(Object.entries(TABLE))('%s', async (_name, row) => {
    const [, , expected, accepted, refused] = row;
    const shape = subjectOf(row);
    expect((shape.schema['properties'] as any)['value']).toEqual(expected);
    expect(schemaFault(shape.schema, 'input')).toBeUndefined();
    expect(argumentsValidator(shape.schema)({ value: accepted })).toBeUndefined();
    expect(await accepts(shape, accepted)).toBe(true);
    if (refused !== NOTHING) expect(await accepts(shape, refused)).toBe(false);
  });

  /** A value that the validator lets pass although it is of another type than the property. */
  const looser: Readonly<Record<string, (value: unknown) => boolean>> = {
    Allow: (value) => typeof value !== 'string',
    IsDefined: (value) => typeof value !== 'string',
    IsNotEmpty: (value) => typeof value !== 'string',
    NotEquals: (value) => typeof value !== 'string',
    IsNotIn: (value) => typeof value !== 'string',
    Validate: (value) => typeof value !== 'number', // Number('') is even
    ValidateBy: (value) => typeof value !== 'number',
    // @ValidateNested() looks into arrays without being asked, and lets pass what the class does not declare
    ValidateNested: (value) => Array.isArray(value) || Object.keys(value ?? {}).some((name) => name !== 'n'),
    IsDate: (value) => typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value), // new Date() takes nearly anything
    MinDate: (value) => typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value),
    MaxDate: (value) => typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value),
    IsEmpty: (value) => value === null,
    IsOptional: (value) => value === null,
  };

  // @IsInstance() looks at nothing but the class, which says more.
  const rows = Object.entries(TABLE).filter(([name]) => name !== 'IsInstance');

  it.each(rows)('%s: the schema never refuses a value that run time accepts', async (name, row) => {
    const shape = subjectOf(row);
    const check = argumentsValidator(shape.schema);
    const [, , , accepted, refused] = row;
    const near = fc.constantFrom(accepted, refused === NOTHING ? 'x' : refused, [accepted], { n: accepted });
    const values = fc.oneof(
      near,
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.array(fc.string()),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        fc.pre(!(looser[name]?.(plain) ?? false));
        if (await accepts(shape, plain)) expect(check({ value: plain })).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });
});

describe('a decorator on each item', () => {
  it.each(Object.entries(TABLE).filter(([, [, type]]) => type === String || type === Number))('%s', (name) => {
    const make = (v as any)[name] as (...args: unknown[]) => PropertyDecorator;
    if (['Allow', 'IsOptional', 'Validate', 'ValidateBy', 'ValidateIf', 'ValidatePromise', 'IsDefined'].includes(name))
      return;
    class Subject {
      declare value: unknown;
    }
    Reflect.defineMetadata('design:type', Array, Subject.prototype, 'value');
    const constraints: unknown[] =
      { IsEnum: [{ A: 'a' }], IsIn: [['a']], IsNotIn: [['a']], Equals: ['a'], NotEquals: ['a'], Matches: [/a/] }[
        name
      ] ?? [];
    const options = { each: true };
    const blanks = Array.from({ length: Math.max(0, parametersOf(name) - constraints.length) }, () => undefined);
    make(...constraints, ...blanks, options)(Subject.prototype, 'value');
    v.IsString({ each: true })(Subject.prototype, 'other');
    const schema = (read(Subject)!.schema['properties'] as any)['value'];
    expect(schema).toMatchObject({ type: 'array' });
  });
});

/** How many constraints a decorator takes before its options. */
function parametersOf(name: string): number {
  return name === 'IsNumber' ? 1 : Math.max(0, ((v as any)[name] as Function).length - 1);
}
