/* oxlint-disable unicorn/no-thenable -- "then" is a keyword of JSON Schema */
import { McpArgumentFault } from '../../../src/tools/failure.js';
import { argumentsValidator, outputValidator } from '../../../src/tools/schemas/json-schema.js';
import type { JsonSchema } from '../../../src/tools/tool.js';

/** The lines that an agent reads, without the heading. */
function lines(schema: JsonSchema, args: Record<string, unknown>): string[] {
  const faults = argumentsValidator(schema)(args);
  return faults === undefined ? [] : new McpArgumentFault(faults).message.split('\n').slice(1);
}

const ORDER: JsonSchema = {
  type: 'object',
  properties: {
    sku: { type: 'string', pattern: '^A-\\d{3}$' },
    quantity: { type: 'integer', minimum: 1 },
    note: { type: ['string', 'null'], maxLength: 8 },
    items: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', properties: { sku: { type: 'string' }, size: { enum: ['s', 'm'] } }, required: ['sku'] },
    },
    address: { type: 'object', properties: { city: { type: 'string' } } },
  },
  required: ['sku'],
};

describe('arguments that fit (T7)', () => {
  it('pass, and stay as they came', () => {
    const args = { sku: 'A-123', items: [{ sku: 'x' }] };
    expect(
      argumentsValidator({
        ...ORDER,
        properties: { ...(ORDER['properties'] as object), page: { type: 'integer', default: 1 } },
      })(args),
    ).toBeUndefined();
    expect(args).toEqual({ sku: 'A-123', items: [{ sku: 'x' }] });
  });

  it('are not coerced', () => {
    expect(lines(ORDER, { sku: 'A-123', quantity: '2' })).toEqual([
      '- quantity: must be an integer of at least 1, got "2"',
    ]);
  });

  it('leave the published schema as it was', () => {
    const before = structuredClone(ORDER);
    argumentsValidator(ORDER)({ foo: 1 });
    expect(ORDER).toEqual(before);
  });
});

describe('each faulty path is named, with what was expected and what was given (T7)', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['a pattern', { sku: 'B-1' }, ['- sku: must match ^A-\\d{3}$, got "B-1"']],
    ['a missing argument', {}, ['- sku: is required (string that matches ^A-\\d{3}$)']],
    ['a type', { sku: 'A-123', quantity: 'two' }, ['- quantity: must be an integer of at least 1, got "two"']],
    ['a limit', { sku: 'A-123', quantity: 0 }, ['- quantity: must be an integer of at least 1, got 0']],
    ['several types', { sku: 'A-123', note: 7 }, ['- note: must be a string of at most 8 characters or null, got 7']],
    [
      'an item',
      { sku: 'A-123', items: [{ sku: 'x' }, { sku: 'x' }, { sku: 7 }] },
      ['- items[2].sku: must be a string, got 7'],
    ],
    [
      'an enum',
      { sku: 'A-123', items: [{ sku: 'x', size: 'xl' }] },
      ['- items[0].size: must be one of "s", "m", got "xl"'],
    ],
    [
      'too many items',
      { sku: 'A-123', items: Array.from({ length: 4 }, () => ({ sku: 'x' })) },
      ['- items: must be an array of at most 3 items, got an array'],
    ],
    [
      'several at once',
      { quantity: 1.5, note: 'far too long' },
      [
        '- sku: is required (string that matches ^A-\\d{3}$)',
        '- quantity: must be an integer of at least 1, got 1.5',
        '- note: must be a string of at most 8 characters or null, got "far too long"',
      ],
    ],
  ])('%s', (_what, args, expected) => {
    expect(lines(ORDER, args)).toEqual(expected);
  });

  it('says what a union expects in one line', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { when: { anyOf: [{ type: 'integer' }, { type: 'string', format: 'date' }] } },
    };
    expect(lines(schema, { when: 'soon' })).toEqual([
      '- when: must be an integer or a string in the format date, got "soon"',
    ]);
    expect(lines(schema, { when: {} })).toEqual([
      '- when: must be an integer or a string in the format date, got an object',
    ]);
  });

  const PAYMENT: JsonSchema = {
    type: 'object',
    properties: {
      pay: {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { const: 'card' }, number: { type: 'string' } },
            required: ['kind', 'number'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { kind: { const: 'bank' }, iban: { type: 'string' }, bic: { type: 'string' } },
            required: ['kind', 'iban', 'bic'],
            additionalProperties: false,
          },
        ],
      },
    },
  };

  it('reports the alternative that was meant, not all of them', () => {
    expect(lines(PAYMENT, { pay: { kind: 'bank', iban: 'x', bic: 3 } })).toEqual([
      '- pay.bic: must be a string, got 3',
    ]);
    expect(lines(PAYMENT, { pay: { kind: 'card' } })).toEqual(['- pay.number: is required (string)']);
  });

  it('names the values that tell alternatives apart', () => {
    expect(lines(PAYMENT, { pay: { kind: 'cash' } })).toEqual([
      '- pay.kind: must be one of "card", "bank", got "cash"',
    ]);
  });

  it('describes all alternatives when none stands out', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        a: {
          anyOf: [
            { type: 'object', required: ['x'] },
            { type: 'object', required: ['y'] },
          ],
        },
      },
    };
    expect(lines(schema, { a: {} })).toEqual(['- a: must be an object with x or an object with y, got an object']);
  });

  it.each<[string, JsonSchema, unknown, string]>([
    [
      'uniqueItems',
      { uniqueItems: true },
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      'v: must not hold the same item twice',
    ],
    ['not', { not: { enum: ['x', 'y'] } }, 'x', 'v: must not be one of "x", "y", got "x"'],
    ['const', { const: 3 }, 4, 'v: must be exactly 3, got 4'],
    [
      'multipleOf',
      { type: 'number', multipleOf: 0.01 },
      0.015,
      'v: must be a number that is a multiple of 0.01, got 0.015',
    ],
    ['contains', { contains: { type: 'string' } }, [1], 'v: must hold 1 or more of: a string'],
    ['minProperties', { minProperties: 2 }, { a: 1 }, 'v: must have at least 2 properties'],
    ['maxProperties', { maxProperties: 1 }, { a: 1, b: 2 }, 'v: must have at most 1 properties'],
    [
      'propertyNames',
      { propertyNames: { maxLength: 2 } },
      { abc: 1 },
      'v: has a property "abc" whose name must be a string of at most 2 characters',
    ],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }, 'v.b: is required when "a" is given'],
    ['prefixItems', { prefixItems: [{ type: 'string' }], items: false }, ['a', 'b'], 'v: must have at most 1 items'],
    ['if/then', { if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, 'v.b: is required'],
    [
      'oneOf, twice',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      1,
      'v: must fit one of the alternatives only, and fits several',
    ],
    ['false', false as never, 1, 'v: is not accepted here'],
    [
      'a length',
      { type: 'string', minLength: 2, maxLength: 4 },
      'x',
      'v: must be a string of 2 to 4 characters, got "x"',
    ],
    [
      'a range',
      { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      0,
      'v: must be a number of at most 1 greater than 0, got 0',
    ],
  ])('%s', (_keyword, schema, value, expected) => {
    expect(lines({ type: 'object', properties: { v: schema } }, { v: value })).toEqual([`- ${expected}`]);
  });

  it('quotes names that are no plain words', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { 'a b': { type: 'array', items: { type: 'object', properties: { 'x.y/z~': { type: 'string' } } } } },
    };
    expect(lines(schema, { 'a b': [{ 'x.y/z~': 1 }] })).toEqual(['- ["a b"][0]["x.y/z~"]: must be a string, got 1']);
  });

  it('lists 20 faults and counts the rest', () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, { type: 'string' }]));
    const found = lines(
      { type: 'object', properties },
      Object.fromEntries(Object.keys(properties).map((key) => [key, 1])),
    );
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe('and 10 more');
  });

  it('never gives more than 4,000 characters, nor a value or a name at length', () => {
    const long = 'x'.repeat(10_000);
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { enum: Array.from({ length: 500 }, (_, i) => `value-${i}`) } },
    };
    const faults = argumentsValidator(schema)({ a: long, [long]: 1, [`${long}"\n- sku: fine`]: 2 });
    const { message } = new McpArgumentFault(faults!);
    expect(message.length).toBeLessThan(1_500);
    expect(message).not.toContain('x'.repeat(101));
    const many = Array.from({ length: 20 }, (_, i) => ({ path: `p${i}`, expected: long }));
    expect(new McpArgumentFault(many).message.length).toBeLessThanOrEqual(4_000);
  });
});

describe('an argument that is not declared is refused (T6)', () => {
  it('by name, with those that the tool takes', () => {
    expect(lines({ type: 'object', properties: { sku: {}, quantity: {} } }, { foo: 1 })).toEqual([
      '- unknown argument "foo"; this tool takes: sku, quantity',
    ]);
    expect(lines({ type: 'object', properties: { sku: {} } }, { foo: 1, bar: 2 })).toEqual([
      '- unknown arguments "foo", "bar"; this tool takes: sku',
    ]);
  });

  it('also by a tool without arguments', () => {
    expect(lines({ type: 'object' }, { foo: 1 })).toEqual(['- unknown argument "foo"; this tool takes no arguments']);
    expect(lines({ type: 'object', properties: {} }, {})).toEqual([]);
  });

  it('below the root, where properties are listed', () => {
    expect(lines(ORDER, { sku: 'A-123', address: { town: 'x' } })).toEqual([
      '- address: unknown property "town"; it takes: city',
    ]);
    expect(lines(ORDER, { sku: 'A-123', items: [{ sku: 'x', color: 1 }] })).toEqual([
      '- items[0]: unknown property "color"; it takes: sku, size',
    ]);
  });

  it('unless the schema says additionalProperties', () => {
    const free: JsonSchema = { type: 'object', properties: { a: {} }, additionalProperties: true };
    expect(lines(free, { b: 1 })).toEqual([]);
    expect(lines({ type: 'object', additionalProperties: { type: 'string' } }, { b: 1 })).toEqual([
      '- b: must be a string, got 1',
    ]);
    expect(lines({ type: 'object', properties: { map: { type: 'object' } } }, { map: { any: 1 } })).toEqual([]);
  });

  it('but those that a root pattern declares are taken', () => {
    const schema: JsonSchema = { type: 'object', patternProperties: { '^x-': { type: 'string' } } };
    expect(lines(schema, { 'x-a': 'b' })).toEqual([]);
    expect(lines(schema, { y: 'b' })).toEqual(['- unknown argument "y"; this tool takes no arguments']);
  });

  it('through composition, where any part declares it', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: {} },
      allOf: [{ properties: { b: {} } }, { $ref: '#/$defs/C' }],
      anyOf: [{ properties: { d: { type: 'string' } } }, { required: ['a'] }],
      if: { required: ['e'], properties: { e: {} } },
      then: { properties: { f: {} } },
      $defs: { C: { properties: { c: {} } } },
    };
    expect(lines(schema, { a: 1, b: 1, c: 1, d: 'x', e: 1, f: 1 })).toEqual([]);
    expect(lines(schema, { a: 1, z: 1 })).toEqual(['- unknown argument "z"; this tool takes: a, e, f, b, c, d']);
    expect(lines(schema, { a: 1, f: 1 })).toEqual(['- argument "f" does not go together with the others']);
  });

  it('behind a reference, and in what the reference refers to', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      $defs: {
        Node: { type: 'object', properties: { name: {}, kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
      },
    };
    expect(lines(schema, { root: { name: 1, kids: [{ name: 2, kids: [] }] } })).toEqual([]);
    expect(lines(schema, { root: { kids: [{ kids: [{ nam: 1 }] }] } })).toEqual([
      '- root.kids[0].kids[0]: unknown property "nam"; it takes: name, kids',
    ]);
  });

  it('in an object that may be null', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'object', properties: { x: {} } }, { type: 'null' }] } },
    };
    expect(lines(schema, { a: null })).toEqual([]);
    expect(lines(schema, { a: { x: 1 } })).toEqual([]);
    expect(lines(schema, { a: { y: 1 } })).toEqual(['- a: unknown property "y"; it takes: x']);
  });

  it('in no alternative that is open: there the author has left the rest free', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'object', properties: { x: {} } }, { type: 'object' }] } },
    };
    expect(lines(schema, { a: { y: 1 } })).toEqual([]);
  });

  it('where two parts describe one value each may declare its own', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'object', properties: { x: {} } } },
      allOf: [{ properties: { a: { properties: { y: {} } } } }],
    };
    expect(lines(schema, { a: { x: 1, y: 1 } })).toEqual([]);
  });

  const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

  it.each(INHERITED)('also when it is called %s', (name) => {
    const args = JSON.parse(`{"${name}": {"x": 1}}`) as Record<string, unknown>;
    const message = [`- unknown argument "${name}"; this tool takes: a`];
    expect(lines({ type: 'object', properties: { a: {} } }, args)).toEqual(message);
    expect(lines({ type: 'object', properties: { a: {} }, anyOf: [{ properties: { a: {} } }] }, args)).toEqual(message);
    expect(lines({ type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }, {}] }, args)).toEqual(message);
  });

  it.each(INHERITED)('where an author refuses what is not evaluated, %s too', (name) => {
    const item = {
      allOf: [{ properties: { a: {} } }, { anyOf: [{ properties: { b: {} } }, {}] }],
      unevaluatedProperties: false,
    };
    const schema = { type: 'object', properties: { item: { $ref: '#/$defs/Item' } }, $defs: { Item: item } };
    const args = JSON.parse(`{"item": {"a": 1, "${name}": 2}}`) as Record<string, unknown>;
    expect(lines(schema, args)).toEqual([`- item: unknown property "${name}"; it takes: a, b`]);
    expect(outputValidator(schema)(args)).toHaveLength(1);
  });

  it.each(INHERITED)('and %s is not there when it is required and was not sent', (name) => {
    expect(lines({ type: 'object', required: [name] }, {})).toEqual([`- ${name}: is required`]);
  });

  it('in draft-07 too', () => {
    const schema: JsonSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        pair: {
          type: 'array',
          items: [{ type: 'object', properties: { x: {} } }, { type: 'string' }],
          additionalItems: false,
        },
      },
      allOf: [{ $ref: '#/definitions/base' }],
      definitions: { base: { properties: { b: {} } } },
    };
    expect(lines(schema, { b: 1, pair: [{ x: 1 }, 'a'] })).toEqual([]);
    expect(lines(schema, { c: 1 })).toEqual(['- unknown argument "c"; this tool takes: pair, b']);
    expect(lines(schema, { pair: [{ y: 1 }, 'a'] })).toEqual(['- pair[0]: unknown property "y"; it takes: x']);
    expect(lines(schema, { pair: [{}, 'a', 'b'] })).toEqual(['- pair: must have at most 2 items']);
  });
});
