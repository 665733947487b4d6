import { outputValidator, schemaFault } from '../../../src/tools/schemas/json-schema.js';
import { z } from 'zod';

/** The fault of an input schema with these keywords at its root. */
const input = (keywords: Record<string, unknown>): string | undefined =>
  schemaFault({ type: 'object', ...keywords }, 'input');

describe('a schema that cannot be used says why and what to do (T4, T7)', () => {
  it.each<[string, unknown, string]>([
    ['no object', 'string', 'must be a JSON Schema object such as'],
    ['an array', [], 'got an array'],
    ['null', null, 'got null'],
    ['no type at the root', {}, "the root must say type: 'object'"],
    ['another type at the root', { type: 'string' }, 'got "string": wrap it in a property'],
    ['a list of types at the root', { type: ['object', 'null'] }, 'got ["object","null"]'],
    [
      'an unknown dialect',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      'the dialect "https://json-schema.org/draft/2019-09/schema" in "$schema" is not served',
    ],
    [
      'an unknown type',
      { type: 'object', properties: { a: { type: 'strng' } } },
      'properties.a.type must be equal to one of the allowed values',
    ],
    [
      'a pattern that is none',
      { type: 'object', properties: { a: { pattern: '(' } } },
      'the pattern "(" is no regular expression',
    ],
    ['required that is no list', { type: 'object', required: 'a' }, 'required must be array'],
    [
      'a RegExp',
      { type: 'object', properties: { a: { type: 'string', pattern: /^A/ } } },
      "properties.a.pattern is a RegExp: write its source, as in { pattern: '^A-' }",
    ],
    ['a function', { type: 'object', properties: { a: String } }, 'properties.a is a Function'],
    ['a Map', { type: 'object', properties: new Map() }, 'properties is a Map'],
    ['NaN', { type: 'object', properties: { a: { minimum: Number.NaN } } }, 'properties.a.minimum is NaN'],
    ['a bigint', { type: 'object', properties: { a: { const: 1n } } }, 'properties.a.const is a bigint'],
    [
      'a schema of a library inside',
      { a: z.string() },
      "a is a schema of a library inside a JSON Schema: give the library's own object schema as the whole",
    ],
    [
      'a $ref that leads nowhere',
      { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
      'its $ref "#/$defs/A" leads nowhere inside the schema',
    ],
    [
      'a $ref to no schema',
      { type: 'object', properties: { a: { $ref: '#/required' } }, required: [] },
      'leads nowhere',
    ],
    [
      'a $ref to the network',
      { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
      'its $ref "https://example.com/a.json" leads nowhere inside the schema (nothing is fetched)',
    ],
    ['an anchor that is missing', { type: 'object', properties: { a: { $ref: '#here' } } }, 'leads nowhere'],
    ['a $ref to itself', { type: 'object', $ref: '#' }, 'comes back to itself'],
    [
      'two that refer to each other',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }] }, B: { $ref: '#/$defs/A' } },
      },
      'comes back to itself',
    ],
    [
      'a bad schema only a $ref leads to',
      { type: 'object', properties: { a: { $ref: '#/components/A' } }, components: { A: { type: 'strng' } } },
      'it is not valid JSON Schema: type must be',
    ],
    ['nullable', { type: 'object', properties: { a: { nullable: true } } }, '"nullable" is a word of OpenAPI'],
    ['$async', { type: 'object', $async: true }, '"$async" is not JSON Schema'],
    ['an empty enum', { type: 'object', properties: { a: { enum: [] } } }, 'an enum without values accepts nothing'],
  ])('%s', (_what, schema, reason) => {
    expect(schemaFault(schema, 'input')).toContain(reason);
  });

  it('one that is too deep, too large or holds itself', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let i = 0; i < 64; i++) deep = { type: 'object', properties: { a: deep } };
    expect(schemaFault(deep, 'input')).toContain('more than 64 schemas deep');
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, {}]));
    expect(input({ properties })).toContain('more than 5000 schemas');
    const circular: Record<string, unknown> = { type: 'object' };
    circular['properties'] = { self: circular };
    expect(schemaFault(circular, 'input')).toContain('nested too deeply, or holds itself');
  });
});

describe('a schema that can be used', () => {
  it.each<[string, Record<string, unknown>]>([
    ['2020-12 by name', { $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    ['2020-12 over http', { $schema: 'http://json-schema.org/draft/2020-12/schema#' }],
    [
      'draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: {} },
        properties: { a: { $ref: '#/definitions/a' } },
      },
    ],
    ['draft-07 without #', { $schema: 'http://json-schema.org/draft-07/schema' }],
    ['draft-07 over https', { $schema: 'https://json-schema.org/draft-07/schema#' }],
    [
      'unknown keywords and formats',
      { properties: { a: { type: 'string', format: 'sku', 'x-mcp-header': 'Sku', id: 'a' } } },
    ],
    ['recursion', { properties: { child: { $ref: '#' } } }],
    ['anchors', { properties: { a: { $ref: '#here' } }, $defs: { A: { $anchor: 'here', type: 'string' } } }],
    [
      'identifiers',
      {
        $id: 'https://example.com/root',
        properties: { a: { $ref: 'item' } },
        $defs: { A: { $id: 'item', type: 'string' } },
      },
    ],
    ['a pattern that is not for the u flag', { properties: { a: { pattern: '^\\_x' } } }],
    [
      'properties that are undefined',
      { description: undefined, properties: { a: { type: 'string', title: undefined } } },
    ],
  ])('%s', (_what, keywords) => {
    expect(input(keywords)).toBeUndefined();
  });

  it('as an output may have any root', () => {
    expect(schemaFault({ type: 'array', items: { type: 'string' } }, 'output')).toBeUndefined();
    expect(schemaFault({ type: 'strng' }, 'output')).toContain('it is not valid JSON Schema');
  });
});

describe('a value against an output schema (T10)', () => {
  it('may have what the schema does not list, and is told what does not fit', () => {
    const check = outputValidator({ type: 'object', properties: { total: { type: 'number' } }, required: ['total'] });
    expect(check({ total: 1, more: 2 })).toBeUndefined();
    expect(check({ total: '1' })).toEqual([{ path: 'total', expected: 'must be a number, got "1"' }]);
    expect(check(7)).toEqual([{ path: '', expected: 'must be an object with total, got 7' }]);
  });
});
