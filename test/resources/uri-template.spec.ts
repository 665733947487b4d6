/** URI templates: what a URI says of a template's variables, that it goes both ways, and that no text takes long. */
import * as fc from 'fast-check';
import { McpTemplateFault } from '../../src/resources/uri-template/grammar.js';
import { mcpUri, UriTemplate } from '../../src/resources/uri-template/uri-template.js';

const match = (template: string, uri: string) => new UriTemplate(template).match(uri);

describe('a URI template', () => {
  it.each<[string, string, object | undefined]>([
    ['shop://products/{sku}', 'shop://products/A-001', { sku: 'A-001' }],
    ['shop://products/{sku}', 'shop://products/a%2Fb%20%c3%a4', { sku: 'a/b ä' }],
    ['shop://products/{sku}', 'shop://products/A/1', undefined],
    ['shop://products/{sku}', 'shop://products/', undefined],
    ['shop://products/{sku}', 'shop://products/A?b', undefined],
    ['shop://products/{sku}', 'shop://products/A%', undefined],
    ['shop://products/{sku}', 'shop://products/%FF', undefined],
    ['shop://products/{sku}', 'shop://product/A', undefined],
    ['shop://products/{sku}', 'xshop://products/A', undefined],
    ['shop://products/{sku}', 'shop://%70roducts/A%2d1%c3%a4', { sku: 'A-1ä' }],
    ['shop://caf%c3%a9%2d{sku}', 'shop://caf%C3%A9-A', { sku: 'A' }],
    ['shop://products/{sku}', 'shop://products%2FA', undefined],
    ['test://template/{id}/data', 'test://template/1/data', { id: '1' }],
    ['test://template/{id}/data', 'test://template/1/2/data', undefined],
    ['test://template/{id}/data', 'test://template/1/data/', undefined],
    ['f://{a,b}', 'f://1,2', { a: '1', b: '2' }],
    ['f://{a,b}', 'f://1', { a: '1' }],
    ['f://{list*}', 'f://1,2,3', { list: ['1', '2', '3'] }],
    ['f://{+path}', 'f://a/b%20c', { path: 'a/b c' }],
    ['f://{+path}/raw', 'f://a/raw/b/raw', { path: 'a/raw/b' }],
    ['f://x{/a,b}', 'f://x/1/2', { a: '1', b: '2' }],
    ['f://x{/a,b}', 'f://x/1', { a: '1' }],
    ['f://x{/a,b}', 'f://x', {}],
    ['f://x{/a,b}', 'f://x/1/2/3', undefined],
    ['f://x{/p*}', 'f://x/a/b', { p: ['a', 'b'] }],
    ['f://{name}{.ext}', 'f://report.pdf', { name: 'report', ext: 'pdf' }],
    ['f://{name}{.ext}', 'f://report', { name: 'report' }],
    ['f://x{#part}', 'f://x#a/b', { part: 'a/b' }],
    ['f://x{;a,b}', 'f://x;b=2;a', { a: '', b: '2' }],
    ['f://x{?q,n}', 'f://x?n=2', { n: '2' }],
    ['f://x{?q,n}', 'f://x?q=a%26b&n=', { q: 'a&b', n: '' }],
    ['f://x{?q,n}', 'f://x', {}],
    ['f://x{?q,n}', 'f://x?z=1', undefined],
    ['f://x{?q,n}', 'f://x?q=1&q=2', undefined],
    ['f://x{?q*}', 'f://x?q=1&q=2', { q: ['1', '2'] }],
    ['f://x?a=1{&b}', 'f://x?a=1&b=2', { b: '2' }],
    ['f://{a}-{b}', 'f://1-2-3', { a: '1', b: '2-3' }],
    ['f://x/{__proto__}', 'f://x/1', JSON.parse('{"__proto__":"1"}') as object],
  ])('%s of %s says %j', (template, uri, variables) => expect(match(template, uri)).toEqual(variables));

  it.each([
    ['products/{sku}', /begin with a scheme/],
    ['shop://products', /no variable such as \{id\}, so it is a resource/],
    ['shop://{sku', /close every brace/],
    ['shop://sku}', /close every brace/],
    ['shop://a b/{sku}', /percent-encode it/],
    ['shop://{}', /no expression of RFC 6570/],
    ['shop://{=sku}', /no expression of RFC 6570/],
    ['shop://{s ku}', /no expression of RFC 6570/],
    ['shop://{sku:3}', /cannot be read back/],
    ['shop://{a}/{a}', /stands in it twice/],
    ['shop://{a}{b}', /where \{b\} begins/],
    ['shop://{+a,b}', /hold the comma/],
    ['shop://{+a*}', /hold the comma/],
  ])('%s is refused, with the way out', (template, reason) => {
    expect(() => new UriTemplate(template)).toThrow(McpTemplateFault);
    expect(() => new UriTemplate(template)).toThrow(reason);
  });

  const value = fc
    .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
    .filter((text) => !/\p{Surrogate}/u.test(text));
  const plain = value.filter((text) => !/[.-]/.test(text));

  it('gives back the variables that a URI was made of, whatever they hold', () => {
    const templates = ['shop://o/{id}/l/{line}', 'shop://o{/id,line}', 'shop://{id}?x=1{&line}', 'shop://{id,line}', 'shop://o{;id,line}', 'shop://o{?id,line}', 'shop://o/{id}{#line}']; // prettier-ignore
    fc.assert(
      fc.property(fc.constantFrom(...templates), value, value, (text, id, line) => {
        const reserved = text.includes('#') ? encodeURIComponent(line) : line; // {#line} leaves what is encoded as it is
        const uri = mcpUri(text, { id, line: reserved });
        expect(match(text, uri)).toEqual({ id, line });
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back lists, and values that their own separator is not in', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), plain, plain, (list, a, b) => {
        expect(match('f://{l*}', mcpUri('f://{l*}', { l: list }))).toEqual({ l: list });
        expect(match('f://x{/l*}', mcpUri('f://x{/l*}', { l: list }))).toEqual({ l: list });
        expect(match('f://x{?l*}', mcpUri('f://x{?l*}', { l: list }))).toEqual({ l: list });
        expect(match('f://{a}{.b}', mcpUri('f://{a}{.b}', { a, b }))).toEqual({ a, b });
        expect(match('f://{a}-{b}', mcpUri('f://{a}-{b}', { a, b }))).toEqual({ a, b });
      }),
      { numRuns: 500 },
    );
  });

  it('matches nothing that its variables would not make again', () => {
    const uri = fc.string({ maxLength: 30, unit: fc.constantFrom(...Array.from('ab/-.?&=;,#%2Ff1')) });
    fc.assert(
      fc.property(fc.constantFrom('f://{a}/{b}', 'f://x{/a,b}', 'f://{a}-{b}', 'f://{a,b}'), uri, (text, rest) => {
        const found = match(text, `f://${rest}`);
        if (found === undefined) return;
        const again = mcpUri(text, found);
        expect(decodeURIComponent(again)).toBe(decodeURIComponent(`f://${rest}`));
      }),
      { numRuns: 2_000 },
    );
  });

  it('looks at 10 kB of hostile text as often as at any: a number of steps that grows with the text alone', () => {
    const hostile: [string, string][] = [
      ['f://{a}-{b}-{c}-{d}-{e}-{f}/x', `f://${'-'.repeat(10_000)}`],
      ['f://{+a}/{+b}/{+c}/{+d}!z', `f://${'/'.repeat(10_000)}`],
      ['f://x{/p*}', `f://x${'/a'.repeat(5_000)}?`],
      ['f://{a}.{b}.{c}.{d}{.e}{#f}', `f://${'.'.repeat(10_000)}?`],
      ['f://x{?a,b,c*}', `f://x?a=${'&c='.repeat(3_300)}`],
    ];
    // Quadratic matching of these takes minutes, and this file has thirty seconds.
    for (let round = 0; round < 20; round += 1) for (const [template, uri] of hostile) match(template, uri);
  });

  it('reads no text longer than a URI is', () => {
    expect(match('f://{a}', `f://${'a'.repeat(20_000)}`)).toBeUndefined();
  });
});
