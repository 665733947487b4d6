/** D: a profile measures its own requests alone, and what is thrown elsewhere is nobody's business. */
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { GuardsConsumer } from '@nestjs/core/guards/index.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/index.js';
import { PipesConsumer } from '@nestjs/core/pipes/index.js';
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { concatAll, lastValueFrom, map, timer } from 'rxjs';
import { listenToThrown } from '../../src/devkit/observe/thrown-in-routes.js';
import { EnhancerSums } from '../../src/devkit/profile/enhancer-sums.js';
import { EnhancerTimes, PROFILE_HEADER } from '../../src/devkit/profile/enhancer-times.js';
import { timedInterceptor } from '../../src/devkit/profile/timed-interceptor.js';

class Through {
  canActivate = async () => (await sleep(20), true);
  intercept = (_: unknown, inner: { handle(): unknown }) => inner.handle() as never;
  transform = async (value: unknown) => (await sleep(20), value);
}
const part = new Through();
class OrdersController {
  list() {
    return 'listed';
  }
}
const controller = new OrdersController();

/** One request's way through Nest, as its router goes it. */
async function pass(headers: Record<string, string>): Promise<void> {
  const request = { headers };
  channel('http.server.request.start').publish({ request });
  const args = [request, {}];
  const list = (controller as unknown as Record<string, never>)['list']!;
  await new GuardsConsumer().tryActivate([part], args, controller, list);
  const method = () => new PipesConsumer().apply('1', { type: 'query' } as never, [part]);
  const given: any = await new InterceptorsConsumer().intercept([part], args, controller, list, method);
  await new Promise<void>((done) => void given.subscribe({ complete: done }));
  channel('http.server.response.finish').publish({ request });
}

describe('The times of enhancers', () => {
  it('are those of requests with the mark, and not of one that somebody else sends meanwhile', async () => {
    const times = new EnhancerTimes('of this profile');
    times.begin();
    try {
      await pass({});
      await pass({ [PROFILE_HEADER]: 'of another profile' });
      expect(times.sums.enhancers()).toEqual([]);
      await pass({ [PROFILE_HEADER]: 'of this profile' });
    } finally {
      times.end();
    }
    const measured = times.sums.enhancers().map(({ kind, name, calls }) => `${kind} ${name} ${calls}`);
    expect(measured.toSorted()).toEqual([
      'guard Through 1',
      'handler OrdersController.list 1',
      'interceptor Through 1',
      'pipe Through 1',
    ]);
    // The pipes of a method run in its turn, and their time is theirs.
    const [slowest] = times.sums.enhancers().filter(({ kind }) => kind === 'pipe' || kind === 'handler');
    expect(slowest!.kind).toBe('pipe');
    // Guards are the first that have their turn.
    const { requests, before } = times.sums.between();
    expect(requests).toBe(1);
    expect(before).toBeLessThan(times.sums.enhancers().find(({ kind }) => kind === 'guard')!.sum);
  });

  it('hold nothing of a request that was under way before, or that came to no enhancer', () => {
    const sums = new EnhancerSums();
    sums.close({ began: 0, entered: 5, left: 6, piped: 0 });
    sums.close({ began: 1, piped: 0 });
    expect(sums.between()).toEqual({ requests: 2, before: 0, after: 0 });
    sums.close({ began: 1, entered: 3, piped: 0 });
    expect(sums.between()).toEqual({ requests: 3, before: 2, after: 0 });
  });

  it('are none below nothing, and a part without a name has one, which is no longer than eighty characters', () => {
    const sums = new EnhancerSums();
    sums.add('pipe', '', performance.now() + 1_000);
    sums.add('guard', 'G'.repeat(100), performance.now());
    expect(sums.enhancers().find(({ kind }) => kind === 'pipe')).toEqual({
      kind: 'pipe',
      name: '(anonymous)',
      calls: 1,
      sum: 0,
    });
    expect(sums.enhancers().find(({ kind }) => kind === 'guard')!.name).toBe('G'.repeat(80));
  });
});

describe('The time of an interceptor', () => {
  const inner = {
    handle: () =>
      timer(30).pipe(
        map(() => Promise.reject(new Error('broken'))),
        concatAll(),
      ),
  };

  it('is without what is further in, also where that fails, and told once however often it is asked', async () => {
    const began: number[] = [];
    const start = performance.now();
    const timed = timedInterceptor({ intercept: (_, next) => next.handle() }, (from) => began.push(from));
    const given = await timed.intercept({} as never, inner);
    for (let asked = 0; asked < 2; asked += 1) await expect(lastValueFrom(given)).rejects.toThrow('broken');
    expect(began).toHaveLength(1);
    expect(began[0]! - start).toBeGreaterThan(25);
  });

  it('is told where it throws', async () => {
    const told: number[] = [];
    const closed = timedInterceptor({ intercept: () => Promise.reject(new Error('closed')) }, (from) =>
      told.push(from),
    );
    await expect(closed.intercept({} as never, inner)).rejects.toThrow('closed');
    expect(told).toHaveLength(1);
  });
});

it('hears of nothing that is thrown where there is no request, and leaves it to its filter', () => {
  const heard: string[] = [];
  const stop = listenToThrown((request) => heard.push(typeof request));
  const caught: unknown[] = [];
  const exceptions = new ExceptionsHandler({} as never);
  exceptions.setCustomFilters([{ func: (thrown: unknown) => caught.push(thrown), exceptionMetatypes: [] }] as never);
  exceptions.next('thrown' as never, { getArgByIndex: () => undefined } as never);
  stop();
  expect([heard, caught]).toEqual([[], ['thrown']]);
});
