/** D: no answer is longer than an agent can use, whatever it is asked about. */
import { Module } from '@nestjs/common';
import * as fc from 'fast-check';
import { bounded, DEVKIT_ANSWER_MAX_CHARS } from '../../src/devkit/bounded.js';
import { tellFacts } from '../../src/devkit/inspect/telling.js';
import { serveDevkit } from './ask.js';

describe('A bounded list', () => {
  it('tells what fits, how many more there are, and at least something of the first', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 50 }),
      fc.integer({ min: 0, max: 20_000 }).map((n) => 'x'.repeat(n)),
    );
    const item = fc.oneof(text, fc.array(text, { maxLength: 80 }), fc.dictionary(text, fc.oneof(text, fc.array(text))));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (items) => {
        const { items: told, total, more } = bounded(items, { of: 'things' });
        expect(JSON.stringify(told).length).toBeLessThanOrEqual(DEVKIT_ANSWER_MAX_CHARS);
        expect([total, told.length > 0]).toEqual([items.length, items.length > 0]);
        expect(more === undefined).toBe(told.length === total);
      }),
      { numRuns: 60 },
    );
  });

  it('ends where an answer has no more room, and after as many as are asked for', () => {
    const long = Array.from({ length: 8 }, (_, at) => `${at}${'x'.repeat(4_000)}`);
    expect(bounded(long, { of: 'things' })).toMatchObject({
      items: long.slice(0, 3),
      more: '5 more things: narrow with filter',
    });
    const short = Array.from({ length: 60 }, (_, at) => `${at}`);
    expect(bounded(short, { of: 'things' })).toMatchObject({ items: short.slice(0, 50), total: 60 });
    expect(bounded(short, { of: 'things', limit: 2, filter: '1' })).toMatchObject({
      items: ['1', '10'],
      total: 15,
      more: '13 more things: narrow the filter',
    });
  });

  it('leaves what holds every word of the filter, in any case', () => {
    const routes = ['GET /orders', 'POST /orders', 'GET /prices'];
    expect(bounded(routes, { of: 'routes', filter: ' orders  get' }).items).toEqual(['GET /orders']);
    expect(bounded(['get /ORDERS'], { of: 'routes', filter: 'GET orders' }).total).toBe(1);
  });

  it('tells the beginning of an item that alone is longer, which no filter would make shorter', () => {
    const long = { name: 'OrdersModule', providers: Array.from({ length: 3_000 }, (_, at) => `Provider${at}`) };
    const part = { name: 'OrdersModule', providers: [...long.providers.slice(0, 20), '2980 more'] };
    const short = { name: 'ShopModule' };
    expect(bounded([short, long], { of: 'modules' })).toEqual({ items: [short, part], total: 2 });
    expect(bounded([long], { of: 'modules' }).items).toEqual([part]);
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field${at}`, 'x'.repeat(1_000)]));
    const [beginning] = bounded([wide], { of: 'modules' }).items as unknown as [string];
    expect(beginning).toMatch(/^\{"field0":"x{380,400}… \(\d+ characters\)$/);
    const whole = { providers: long.providers.slice(0, 800) };
    expect(bounded([whole], { of: 'modules' }).items).toEqual([whole]);
  });
});

describe('Facts', () => {
  const project = process.cwd();

  it('are looked at in full as many as an answer has at most, and counted all', async () => {
    const looked: number[] = [];
    const full = (at: number) => {
      looked.push(at);
      return `full ${at}`;
    };
    const facts = Array.from({ length: 60 }, (_, at) => at);
    const brief = (at: number) => `brief ${at}`;
    const told = await tellFacts(facts, { of: 'things', brief, full, note: 'A note.', detail: true, project });
    expect(told).toMatchObject({ note: 'A note.', total: 60, more: '10 more things: narrow with filter' });
    expect((told as { items: string[] }).items.slice(-1)).toEqual(['full 49']);
    expect(looked).toHaveLength(50);
    expect(await tellFacts(facts, { of: 'things', brief, filter: 'brief', project })).toMatchObject({
      more: '10 more things: narrow the filter',
    });
  });

  it.each([false, true])('lose their secrets before they are narrowed and cut (detail: %s)', async (detail) => {
    const secret = ['sk', 'live', 'a1B2c3D4e5F6g7H8i9J0'].join('_');
    const text = (length: number) => `${'a '.repeat(195)}${secret} ${'b '.repeat(length)}`; // the cut is in the middle of it
    const brief = () => (detail ? {} : { text: text(8_000) });
    const telling = { of: 'things', brief, full: () => ({ text: text(8_000) }), detail, project };
    const told = JSON.stringify(await tellFacts([1], telling));
    expect(told).toContain('a a [masked]');
    expect(told).not.toContain('sk_live');
    expect(await tellFacts([1], { ...telling, brief: () => ({ text: text(1) }), filter: 'sk_live' })).toMatchObject({
      total: 0,
    });
  });
});

describe('An application of many parts with long names', () => {
  it('is told within the bound, whatever is asked, and its largest module is not left out', async () => {
    const providers = Array.from({ length: 3_000 }, (_, at) => ({
      provide: `${'long'.repeat(30)}${at}`,
      useValue: at,
    }));
    @Module({ providers })
    class CrowdedModule {}
    const asked = await serveDevkit({ imports: [CrowdedModule] });
    for (const subject of ['modules', 'providers', 'routes', 'config', 'gates', 'tools']) {
      for (const detail of [true, false]) {
        const scopes = Array.from({ length: 50 }, (_, at) => `${'s'.repeat(190)}${at}`);
        const text = await asked.text('nest_inspect', { subject, detail, scopes, filter: '' });
        expect([subject, text.length <= DEVKIT_ANSWER_MAX_CHARS]).toEqual([subject, true]);
      }
    }
    const { items } = await asked.inspect('modules', { detail: true, filter: 'CrowdedModule' });
    expect(items.map(({ name }: { name: string }) => name)).toContain('CrowdedModule');
    expect((await asked.text('nest_check')).length).toBeLessThanOrEqual(DEVKIT_ANSWER_MAX_CHARS);
    expect((await asked.text('nest_card')).length).toBeLessThanOrEqual(2_000);
    await asked.app.close();
  }, 60_000);
});
