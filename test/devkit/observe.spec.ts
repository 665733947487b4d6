/** D: what was asked of the application lately, from a ring that is bounded, without a word that is a secret. */
import {
  Controller,
  ForbiddenException,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Sse,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { jest } from '@jest/globals';
import diagnostics from 'node:diagnostics_channel';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { interval, map, type Observable } from 'rxjs';
import { McpDevkitModule } from '../../src/devkit/index.js';
import { ObserveTools } from '../../src/devkit/observe/observe.tools.js';
import { percentile } from '../../src/devkit/observe/percentile.js';
import { expressRoute, RequestRing } from '../../src/devkit/observe/request-ring.js';
import { McpModule } from '../../src/index.js';
import { mcpTestClient } from '../../src/testing/index.js';
import { Test } from '@nestjs/testing';
import { dial } from '../support/http.js';
import { PLATFORMS } from '../nest/serve.js';
import { gated, type Gated } from './gated.js';

class Named implements CanActivate {
  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<{ user?: object; headers: Record<string, string> }>();
    request.user = { id: 'ada', password: 'swordfish-and-chips', email: 'ada@example.org' };
    if (request.headers['x-closed'] !== undefined) throw new ForbiddenException('because of hunter2-the-second');
    return true;
  }
}

@Controller('shelves')
class ShelvesController {
  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number) {
    return { id };
  }

  @Get(':id/mine')
  @UseGuards(Named)
  mine() {
    return 'yours';
  }

  @Get('hooks/q7Zr2Lk9XwB4nVt6YpM1sHd8')
  hooked() {
    return 'heard';
  }

  @Post()
  fail() {
    throw new RangeError('nobody may read of hunter2-the-first');
  }

  @Post('named')
  failNamed() {
    throw Object.assign(new Error('broken'), { name: 'hunter2 the fourth' });
  }

  @Sse('events/all')
  events(): Observable<object> {
    return interval(20).pipe(map((data) => ({ data })));
  }
}

describe.each(PLATFORMS)('nest_observe on %s', (platform) => {
  let it_: Gated;
  const get = async (path: string, init?: RequestInit) => (await fetch(`${it_.app.url}${path}`, init)).text();
  const observe = (args: object = {}) => it_.ask('nest_observe', args);

  beforeEach(async () => {
    it_ = await gated({ controllers: [ShelvesController] }, { platform, settings: { remember: 20 } });
  });
  afterEach(() => it_.app.close());

  it('tells the route and not the path, with its status, its time and who asked', async () => {
    await get('/shelves/4711');
    await get('/shelves/12/mine?token=abcdefghijkl');
    const { requests } = await observe({ route: 'GET /shelves' });
    expect(requests).toEqual([
      { at: expect.any(String), route: 'GET /shelves/:id/mine', status: 200, ms: expect.any(Number), caller: 'ada' },
      { at: expect.any(String), route: 'GET /shelves/:id', status: 200, ms: expect.any(Number) },
    ]);
    expect(requests[0].ms).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(requests[0].at) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify(await observe())).not.toMatch(/4711|abcdefghijkl|swordfish|example\.org/);
  });

  it('tells the class of what was thrown, and never its message', async () => {
    await get('/shelves', { method: 'POST' });
    await get('/shelves/named', { method: 'POST' });
    await get('/shelves/1/mine', { headers: { 'x-closed': '1' } });
    await get('/shelves/none');
    await get('/nowhere/of/hunter2-the-third');
    const answer = await observe();
    const told = answer.requests.map(({ route, status, error }: any) => `${route} ${status} ${error}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'POST /shelves 500 RangeError',
        'POST /shelves/named 500 Error',
        'GET /shelves/:id/mine 403 ForbiddenException',
        'GET /shelves/:id 400 BadRequestException',
        expect.stringMatching(/^GET \(no route\) 404 /),
      ]),
    );
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  it('sums up each route: how many, the median, the 99th percentile, how many failed', async () => {
    for (let at = 0; at < 5; at += 1) await get(`/shelves/${at}`);
    await get('/shelves', { method: 'POST' });
    const { routes } = await observe({ route: 'shelves' });
    const one = routes.find(({ route }: any) => route === 'GET /shelves/:id');
    expect(one).toMatchObject({ count: 5 });
    expect(one.p50).toBeLessThanOrEqual(one.p99);
    expect(one.p99).toBeLessThanOrEqual(one.max);
    expect(routes.find(({ route }: any) => route === 'POST /shelves')).toMatchObject({ count: 1, answeredWith5xx: 1 });
  });

  it('masks a secret that stands in the path of a route, and no filter finds out what it is', async () => {
    await get('/shelves/hooks/q7Zr2Lk9XwB4nVt6YpM1sHd8');
    const { requests } = await observe({ route: 'GET' });
    expect(requests).toMatchObject([{ route: expect.stringContaining('[masked]'), status: 200 }]);
    expect(await observe({ route: 'q7Zr2' })).toMatchObject({ requestsInAll: 0, routes: [] });
  });

  it('tells requests of MCP clients apart, by the gate that they were for', async () => {
    await it_.app.list({ path: '/mcp/devkit' });
    const { requests } = await observe({ route: 'devkit' });
    expect(requests.find(({ status }: any) => status === 200)).toMatchObject({
      route: 'POST /mcp/devkit',
      gate: 'devkit',
    });
  });

  it('remembers no more than it was told to', async () => {
    for (let at = 0; at < 60; at += 1) await get(`/shelves/${at}`);
    const { remembered, requestsInAll } = await observe();
    expect([remembered, requestsInAll]).toEqual([20, 20]);
  });

  it('narrows by time, by route and by how long it took', async () => {
    await get('/shelves/1');
    const { requestsInAll } = await observe({ route: 'shelves' });
    expect(requestsInAll).toBe(1);
    expect((await observe({ route: 'shelves', since: '1h' })).requestsInAll).toBe(1);
    expect((await observe({ since: new Date(Date.now() + 60_000).toISOString() })).requests).toEqual([]);
    expect((await observe({ route: 'shelves', slowerThan: 60_000 })).requests).toEqual([]);
    for (const since of ['yesterday', '5minutes', '1234567m', '-5m']) {
      const refused = await it_.call('nest_observe', { since });
      expect([since, refused]).toMatchObject([
        since,
        { isError: true, content: [{ text: expect.stringContaining('since must be a time') }] },
      ]);
    }
  });

  it('knows what is under way, and whose client has left', async () => {
    const wire = await dial(Number(new URL(it_.app.url).port));
    wire.socket.write('GET /shelves/events/all HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await wire.until(/data: /);
    expect((await observe({ route: 'events' })).requests[0]).toMatchObject({ status: 'under way' });
    const closed = new Promise((resolve) => wire.socket.once('close', resolve));
    wire.socket.destroy();
    await closed;
    let status = 'under way';
    while (status === 'under way') ({ status } = (await observe({ route: 'events' })).requests[0]);
    expect(['client left', 200]).toContain(status);
  });

  it('answers the official client', async () => {
    await get('/shelves/1');
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${it_.app.url}/mcp/devkit`)));
    const { content } = await client.callTool({ name: 'nest_observe', arguments: { route: 'shelves' } });
    expect((content as { text: string }[])[0]?.text).toContain('"route":"GET /shelves/:id"');
    await client.close();
  });
});

describe('nest_observe', () => {
  it('says how many more routes and requests there are, and how to narrow', async () => {
    class ManyController {}
    for (let at = 0; at < 45; at += 1) {
      const descriptor = { value: () => at, configurable: true, writable: true };
      Object.defineProperty(ManyController.prototype, `route${at}`, descriptor);
      Get(`many/${at}`)(ManyController.prototype, `route${at}`, descriptor);
    }
    Controller()(ManyController);
    const it_ = await gated({ controllers: [ManyController] });
    for (let at = 0; at < 45; at += 1) await (await fetch(`${it_.app.url}/many/${at}`)).text();
    expect(await it_.ask('nest_observe', { route: 'many' })).toMatchObject({
      moreRoutes: '5 more routes: narrow with route, since or slowerThan',
      moreRequests: '5 more requests: narrow with route, since or slowerThan',
    });
    await it_.app.close();
  });

  it('tells what took more milliseconds than were asked for', () => {
    const ring = new RequestRing(2);
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const [quick, slow] = [{ method: 'GET' }, { method: 'POST' }] as never[];
    const response = { statusCode: 200 } as never;
    for (const request of [quick!, slow!]) ring.begin(request, response);
    for (const [request, at] of [
      [quick!, 30],
      [slow!, 31],
    ] as const) {
      now.mockReturnValue(at);
      ring.end(request, response);
    }
    now.mockRestore();
    const observer = { observes: true, newestFirst: () => ring.newestFirst() } as never;
    const tools = new ObserveTools(observer, { get: () => ({ at: () => undefined }) } as never, {} as never);
    const { content } = tools.observe({ slowerThan: 30 }) as { content: { text: string }[] };
    expect(JSON.parse(content[0]!.text).requests).toMatchObject([{ route: 'POST (no route)', ms: 31 }]);
  });

  it('has nothing to tell before the first request', async () => {
    const it_ = await gated({});
    const client = mcpTestClient(it_.app.app, { gate: 'devkit', caller: {} });
    const { text } = await client.call('nest_observe');
    expect(JSON.parse(text)).toEqual({ remembered: 0, routes: [], requests: [], requestsInAll: 0 });
    await it_.app.close();
  });

  it('leaves nothing behind when the application is closed', async () => {
    const subscribers = () => diagnostics.hasSubscribers('http.server.response.finish');
    // oxlint-disable-next-line typescript/unbound-method -- compared, not called
    const nextOf = () => ExceptionsHandler.prototype.next;
    const next = nextOf();
    const one = await gated({});
    const two = await gated({});
    expect([subscribers(), nextOf() === next]).toEqual([true, false]);
    await one.app.close();
    expect([subscribers(), nextOf() === next]).toEqual([true, false]);
    await two.app.close();
    expect([subscribers(), nextOf() === next]).toEqual([false, true]);
  });

  it('keeps two applications of one process apart', async () => {
    const one = await gated({ controllers: [ShelvesController] });
    const two = await gated({ controllers: [ShelvesController] });
    await (await fetch(`${one.app.url}/shelves/1`)).text();
    expect((await one.ask('nest_observe', { route: 'shelves' })).requestsInAll).toBe(1);
    expect((await two.ask('nest_observe', { route: 'shelves' })).requestsInAll).toBe(0);
    await Promise.all([one.app.close(), two.app.close()]);
  });

  it('S3: tells the local operator that it measures traffic, and names the HTTP gate', async () => {
    const context = await Test.createTestingModule({ imports: [McpDevkitModule.forRoot()] }).compile();
    await context.init();
    const operator = mcpTestClient(context, { caller: { operator: true } });
    const { result, text } = await operator.call('nest_observe');
    expect(result.isError).toBe(true);
    expect(text).toMatch(/nest_observe and nest_profile_route measure traffic.* "devkit" at POST \/mcp\/devkit/);
    await context.close();
    const served = {
      imports: [
        McpModule.forRoot({ name: 'shop', tools: [McpDevkitModule] }),
        McpDevkitModule.forRoot({ gate: false }),
      ],
    };
    const other = await Test.createTestingModule(served).compile();
    await other.init();
    const asked = await mcpTestClient(other, { caller: { operator: true } }).call('nest_observe');
    expect(asked.text).toContain('ask a gate over HTTP');
    await other.close();
  });
});

describe('What is remembered of a request', () => {
  it('is nothing of who asks where that cannot be read: an exception in a diagnostics channel would end the process', () => {
    const ring = new RequestRing(2);
    const response = { statusCode: 401 } as never;
    const throwing = {
      method: 'GET',
      get user(): never {
        throw new Error('nobody is signed in');
      },
    } as never;
    const lazy = {
      method: 'GET',
      user: {
        get sub(): never {
          throw new Error('not loaded');
        },
      },
    } as never;
    for (const request of [throwing, lazy]) {
      ring.begin(request, response);
      ring.end(request, response);
    }
    expect(ring.newestFirst().map(({ status, subject }) => [status, subject])).toEqual([
      [401, ''],
      [401, ''],
    ]);
  });

  it('is nothing of the request that had its place before, and nothing that the request could be reached by', () => {
    const ring = new RequestRing(1);
    expect(ring.newestFirst()).toEqual([]);
    const [first, second] = [{ method: 'GET', user: { sub: 'a'.repeat(100) } }, { method: 'POST' }] as never[];
    const response = { statusCode: 500 } as never;
    ring.begin(first!, response);
    ring.routed(first!, '/orders', first!);
    ring.failed(first!, 'RangeError');
    ring.end(first!, response);
    const [remembered] = ring.newestFirst();
    expect(remembered).toMatchObject({ route: '/orders', status: 500, error: 'RangeError', subject: 'a'.repeat(64) });
    expect([remembered!.raw, remembered!.response, remembered!.request]).toEqual([undefined, undefined, undefined]);
    ring.begin(second!, response);
    ring.routed(first!, '/orders', first!);
    ring.failed(first!, 'RangeError');
    ring.end(first!, response);
    const [underWay] = ring.newestFirst();
    expect(underWay).toMatchObject({ method: 'POST', route: '', status: 0, error: '', subject: '', took: -1 });
  });

  it('is no path that a router is mounted at: Express says what was asked for, which may hold a token', () => {
    expect(expressRoute({ baseUrl: '/reset/hunter2', route: { path: '/confirm/:step' } })).toBe('…/confirm/:step');
    expect(expressRoute({ baseUrl: '', route: { path: '/orders/:id' } })).toBe('/orders/:id');
  });
});

describe('A percentile', () => {
  it('is the value that so many do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0, 0.5, 0.99, 1].map((part) => percentile(hundred, part))).toEqual([1, 50, 99, 100]);
    expect([percentile([], 0.5), percentile([7], 0.99)]).toEqual([0, 7]);
  });
});
