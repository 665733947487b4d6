/** D: on an application with 1,000 routes every answer stays under its bound and says how to narrow. */
import { Controller, Get, Injectable, Module, UseGuards, type CanActivate, type Type } from '@nestjs/common';
import { CARD_MAX_CHARS } from '../../src/devkit/card/write-card.js';
import { bounded, DEVKIT_ANSWER_MAX_CHARS } from '../../src/devkit/bounded.js';
import { Annotations, McpModule, McpTool } from '../../src/index.js';
import { PLATFORMS } from '../nest/serve.js';
import { serveDevkit, type Asked } from './ask.js';

const CONTROLLERS = 100;
const ROUTES_EACH = 10;

@Injectable()
class Guard implements CanActivate {
  canActivate() {
    return true;
  }
}

/** A module with a controller of ten routes, a provider and a tool. Each has a fault that nest_check finds. */
function generated(number: number): Type {
  @Injectable()
  class Service {}
  @Injectable()
  class Unasked {}
  @Injectable()
  class Tools {
    @McpTool({ name: `generated_tool_${number}`, description: 'x'.repeat(300) })
    @Annotations({ readOnlyHint: true })
    tool() {}
  }
  @Controller(`a-rather-long-path-of-a-generated-controller/${number}`)
  class Generated {
    constructor(readonly service: Service) {}
  }
  for (let route = 0; route < ROUTES_EACH; route += 1) {
    const name = `handlerNumber${route}`;
    const descriptor = { value: { [name]: () => ({ number, route }) }[name], configurable: true, writable: true };
    Object.defineProperty(Generated.prototype, name, descriptor);
    Get(route === 0 ? ':id' : `path/${route}`)(Generated.prototype, name, descriptor);
    if (route % 2 === 0) UseGuards(Guard, Guard)(Generated.prototype, name, descriptor);
  }
  @Module({ controllers: [Generated], providers: [Service, Unasked, Tools] })
  class GeneratedModule {}
  return GeneratedModule;
}

describe.each(PLATFORMS)('with 1,000 routes on %s', (platform) => {
  let asked: Asked;
  beforeAll(async () => {
    const modules = Array.from({ length: CONTROLLERS }, (_, number) => generated(number));
    asked = await serveDevkit({ imports: [McpModule.forRoot({ name: 'shop' }), ...modules] }, { platform });
  });
  afterAll(() => asked.app.close());

  it('the card has at most 2,000 characters and all counts', async () => {
    const card = await asked.text('nest_card');
    expect(card.length).toBeLessThanOrEqual(CARD_MAX_CHARS);
    expect(card).toMatch(/^1000 routes: GET .*, \d+ more$/m);
    expect(card).toMatch(/^1\d\d tools: .*, \d+ more$/m);
    expect(card).toMatch(/^10\d modules: .*, \d+ more$/m);
    expect(card).toContain('nest_inspect');
  });

  it.each(['routes', 'modules', 'providers', 'config', 'gates', 'tools', 'events', 'schedules', 'queues'])(
    '%s stay under the bound, in brief and in detail, and say how many more there are',
    async (subject) => {
      for (const args of [{}, { detail: true }, { filter: 'a' }, { filter: 'number', detail: true }]) {
        const text = await asked.text('nest_inspect', { subject, ...args });
        const { total, items, more } = JSON.parse(text);
        expect(text.length).toBeLessThanOrEqual(DEVKIT_ANSWER_MAX_CHARS);
        expect(more === undefined).toBe(total === items.length);
        if (more !== undefined) expect(more).toMatch(/^\d+ more \w+: narrow (?:with|the) filter$/);
        if (more !== undefined) expect(Number.parseInt(more, 10)).toBe(total - items.length);
      }
    },
  );

  it('routes can be narrowed to one', async () => {
    const { total, items } = await asked.inspect('routes', { filter: 'controller/42/path/3' });
    expect([total, items[0].path]).toEqual([1, '/a-rather-long-path-of-a-generated-controller/42/path/3']);
    expect((await asked.inspect('routes')).total).toBe(CONTROLLERS * ROUTES_EACH + 2); // and the two gates
  });

  it('nest_check stays under the bound, and says how many more findings there are', async () => {
    const text = await asked.text('nest_check');
    const { items, total, more } = JSON.parse(text);
    expect(text.length).toBeLessThanOrEqual(DEVKIT_ANSWER_MAX_CHARS);
    expect(total).toBeGreaterThanOrEqual(CONTROLLERS * 3); // unguarded, never injected, a hint too few
    expect(more).toBe(`${total - items.length} more findings: narrow with filter`);
  });
});

describe('bounded()', () => {
  it('gives what matches every word, in any case', () => {
    const items = ['GET /orders', 'POST /orders', 'GET /stock'];
    expect(bounded(items, { of: 'routes', filter: 'ORDERS get' })).toEqual({ items: ['GET /orders'], total: 1 });
  });

  it('says how many more there are, and how to narrow', () => {
    const items = Array.from({ length: 87 }, (_, number) => `route ${number}`);
    expect(bounded(items, { of: 'routes' })).toMatchObject({ total: 87, more: '37 more routes: narrow with filter' });
    expect(bounded(items, { of: 'routes', filter: 'route', limit: 80 }).more).toBe('7 more routes: narrow the filter');
  });

  it('leaves out what does not fit', () => {
    const texts = ['x', 'y', 'z'].map((letter) => letter.repeat(5_500));
    const { items, more } = bounded(texts, { of: 'texts' });
    expect([items.length, more]).toEqual([2, '1 more texts: narrow with filter']);
  });
});
