/** D: no answer is longer than an agent can use, whatever it is asked about. */
import { Module } from '@nestjs/common';
import * as fc from 'fast-check';
import { bounded, DEVKIT_ANSWER_MAX_CHARS } from '../../src/devkit/bounded.js';
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

  it('tells the beginning of an item that alone is longer, which no filter would make shorter', () => {
    const long = { name: 'OrdersModule', providers: Array.from({ length: 3_000 }, (_, at) => `Provider${at}`) };
    const part = { name: 'OrdersModule', providers: [...long.providers.slice(0, 20), '2980 more'] };
    const short = { name: 'ShopModule' };
    expect(bounded([short, long], { of: 'modules' })).toEqual({ items: [short, part], total: 2 });
    expect(bounded([long], { of: 'modules' }).items).toEqual([part]);
    const whole = { providers: long.providers.slice(0, 800) };
    expect(bounded([whole], { of: 'modules' }).items).toEqual([whole]);
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
