/** T9, T8: a value as the text that an agent reads. */
import * as fc from 'fast-check';
import { jsonText } from '../../src/tools/json-text.js';
import { MCP_TEXT_MAX_CHARS, mcpText } from '../../src/tools/text.js';

/** The one text of a result. */
function textOf(value: unknown): string {
  const { content } = mcpText(value);
  expect(content).toHaveLength(1);
  const [block] = content;
  if (block?.type !== 'text') throw new Error('not a text');
  return block.text;
}

const summaryOf = (value: unknown) => JSON.parse(textOf(value)) as Record<string, unknown>;

describe('mcpText', () => {
  it.each<[string, unknown, string]>([
    ['a string as it is', 'Stock: 3', 'Stock: 3'],
    ['an empty string as it is', '', ''],
    ['an object as compact JSON', { sku: 'A-1', stock: 3 }, '{"sku":"A-1","stock":3}'],
    ['an array as compact JSON', [1, 'two', null], '[1,"two",null]'],
    ['a number', 3, '3'],
    ['a boolean', false, 'false'],
    ['null', null, 'null'],
    ['a Date as its ISO form', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an invalid Date as null', new Date(Number.NaN), 'null'],
    ['a BigInt as its digits', 12345678901234567890n, '"12345678901234567890"'],
    ['a BigInt deep inside', { rows: [{ id: 1n }] }, '{"rows":[{"id":"1"}]}'],
    ['a Map as an object', new Map([['a', 1]]), '{"a":1}'],
    ['a Map of objects as entries', new Map([[{ id: 1 }, 'x']]), '[[{"id":1},"x"]]'],
    ['a Set as an array', new Set([1, 2]), '[1,2]'],
    ['a Map inside', { stock: new Map([['a', new Set([1n])]]) }, '{"stock":{"a":["1"]}}'],
    ['an Error by its name alone (P15)', { cause: new TypeError('secret /etc/passwd') }, '{"cause":"[TypeError]"}'],
    ['a value with toJSON', { at: { toJSON: () => ({ big: 1n }) } }, '{"at":{"big":"1"}}'],
    ['an object without prototype', Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    ['undefined inside as JSON has it', { a: undefined, b: [undefined] }, '{"b":[null]}'],
    ['a key called __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['a key called __proto__ beside a BigInt', [JSON.parse('{"__proto__":1}'), 1n], '[{"__proto__":1},"1"]'],
  ])('T9: says %s', (_, value, expected) => {
    expect(textOf(value)).toBe(expected);
  });

  it.each([[undefined], [() => 1], [Symbol('x')]])('T9: says nothing of %p', (value) => {
    expect(mcpText(value)).toEqual({ content: [] });
  });

  it('T9: marks a cycle and keeps the rest', () => {
    const node: Record<string, unknown> = { name: 'root' };
    node['self'] = node;
    node['child'] = { parent: node, name: 'leaf' };
    expect(textOf(node)).toBe('{"name":"root","self":"[circular]","child":{"parent":"[circular]","name":"leaf"}}');
  });

  it('T9: says the same object twice when it merely stands twice', () => {
    const shared = { a: 1n };
    expect(textOf([shared, shared])).toBe('[{"a":"1"},{"a":"1"}]');
  });

  it.each<[string, () => unknown]>([
    ['a throwing getter', () => Object.defineProperty({}, 'a', { enumerable: true, get: () => fail('getter') })],
    ['a throwing toJSON', () => ({ toJSON: () => fail('toJSON') })],
    ['a revoked proxy', () => revoked()],
    ['a proxy that refuses everything', () => refusingProxy()],
    ['a boxed BigInt', () => Object(1n)],
    ['100,000 levels', () => nested(100_000)],
  ])('T9: does not throw at %s', (_, make) => {
    expect(() => mcpText(make())).not.toThrow();
    expect(textOf(make())).not.toBe('');
  });

  it('T9, P15: says nothing of what a getter threw', () => {
    const value = Object.defineProperty({}, 'a', { enumerable: true, get: () => fail('/etc/secret') });
    expect(textOf(value)).not.toContain('secret');
  });

  it('T8: marks a business failure, and nothing else', () => {
    expect(mcpText('No such product.', true)).toEqual({
      content: [{ type: 'text', text: 'No such product.' }],
      isError: true,
    });
    expect(mcpText('fine')).not.toHaveProperty('isError');
  });
});

describe('a text at the bound', () => {
  it('T9: goes out untouched at 32,000 characters', () => {
    expect(MCP_TEXT_MAX_CHARS).toBe(32_000);
    const text = 'x'.repeat(32_000);
    expect(textOf(text)).toBe(text);
    const data = ['y'.repeat(32_000 - '[""]'.length)];
    expect(textOf(data)).toBe(JSON.stringify(data));
  });

  it('T9: goes out as a summary at 32,001', () => {
    expect(textOf('x'.repeat(32_001))).toContain('SUMMARY');
    expect(textOf(['y'.repeat(32_001 - '[""]'.length)])).toContain('SUMMARY');
  });
});

describe('a summary', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ sku: `SKU-${at}`, stock: at }));

  it('T9: of an array counts it, names the keys of its items, shows the first and says how to narrow the question', () => {
    const summary = summaryOf(rows);
    expect(summary).toMatchObject({
      kind: 'array',
      count: 5_000,
      keysOfItems: ['sku', 'stock'],
      firstItems: rows.slice(0, 3),
    });
    expect(summary['summary']).toMatch(/^This is a SUMMARY: the full result has \d+ characters.*Narrow the question:/);
  });

  it('T9: of an object names its keys with what is short, and what the long ones are', () => {
    expect(summaryOf({ total: 5_000, rows })).toMatchObject({
      kind: 'object',
      keyCount: 2,
      keys: { total: 5_000, rows: 'array of 5000 with keys sku, stock' },
      summary: expect.stringContaining('Narrow the question: ask for the keys that you need') as string,
    });
  });

  it('T9: of an object with very many keys says how many it leaves out', () => {
    const object = Object.fromEntries(rows.map(({ sku, stock }) => [sku, stock]));
    expect(summaryOf(object)).toMatchObject({ keyCount: 5_000, moreKeys: 4_960 });
  });

  it('T9: of a text counts characters and lines and gives its beginning', () => {
    const text = 'line\n'.repeat(10_000);
    expect(summaryOf(text)).toMatchObject({
      kind: 'text',
      characters: 50_000,
      lines: 10_001,
      beginning: expect.stringMatching(/^line\n/) as string,
      summary: expect.stringContaining('a range of lines, or a search') as string,
    });
  });

  it('T9: of an object nested in an array says its keys and not its content', () => {
    const items = [{ id: 1, body: 'x'.repeat(40_000) }];
    expect(summaryOf(items)['firstItems']).toEqual(['object with keys id, body']);
  });

  it('T9: reads a Map as the object that it is on the wire', () => {
    expect(summaryOf(new Map(rows.map(({ sku, stock }) => [sku, stock])))).toMatchObject({
      kind: 'object',
      keyCount: 5_000,
    });
  });

  it('T9: is JSON of a few thousand characters, whatever it is of', () => {
    const long = fc.string({ unit: 'binary', minLength: 500, maxLength: 600 });
    const large = fc.oneof(
      fc.array(long, { minLength: 70, maxLength: 80, size: 'max' }),
      fc.dictionary(fc.string({ unit: 'binary', maxLength: 300 }), long, { minKeys: 70, maxKeys: 80, size: 'max' }),
      fc.string({ unit: 'binary', minLength: 32_001, maxLength: 33_000, size: 'max' }),
    );
    fc.assert(
      fc.property(large, (value) => {
        const text = textOf(value);
        expect(() => JSON.parse(text)).not.toThrow();
        expect(text.length).toBeLessThan(MCP_TEXT_MAX_CHARS);
      }),
      { numRuns: 20 },
    );
  });

  it('T9: stays below the bound for keys and values that JSON has to escape', () => {
    const awkward = Object.fromEntries(
      Array.from({ length: 80 }, (_, at) => [`${at}${'\u0001'.repeat(200)}`, '\u0002'.repeat(900)]),
    );
    expect(textOf(awkward).length).toBeLessThan(MCP_TEXT_MAX_CHARS);
    expect(summaryOf(awkward)).toMatchObject({ kind: 'object', keyCount: 80 });
    expect(textOf([awkward]).length).toBeLessThan(MCP_TEXT_MAX_CHARS);
  });
});

describe('whatever a handler gives', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });

  it('T9: mcpText never throws and gives content that JSON can say', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const result = mcpText(value);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });

  it('T9: what JSON can say is said as JSON says it', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonText(value) === JSON.stringify(value)));
  });

  it('T9: the careful way says what JSON can say just as the fast one', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonText([value, 1n]) === `[${JSON.stringify(value)},"1"]`));
  });

  it('T9: a cycle anywhere does not stop it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anything), (value) => {
        const cyclic: Record<string, unknown> = { ...value };
        cyclic['again'] = { inside: [cyclic] };
        return typeof jsonText(cyclic) === 'string';
      }),
    );
  });
});

function fail(message: string): never {
  throw new Error(message);
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function refusingProxy(): unknown {
  return new Proxy({}, { get: () => fail('get'), ownKeys: () => fail('ownKeys'), getPrototypeOf: () => fail('proto') });
}

function nested(levels: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
