/** D: what is told of each request, and what the requests of a route took together. */
import { ObservedExchange } from '../../src/devkit/observe/request-ring.js';
import { groupedByRoute, tellRequest } from '../../src/devkit/observe/told-requests.js';

function exchange(facts: Partial<ObservedExchange>): ObservedExchange {
  return Object.assign(new ObservedExchange(), { method: 'GET', route: '/orders', status: 200, took: 5 }, facts);
}
const grouped = (all: readonly Partial<ObservedExchange>[], gate?: string) =>
  groupedByRoute(all.map(exchange).map((one) => ({ exchange: one, told: tellRequest(one, gate) })));

it('has no time while it is under way, and the one of its route when it is over', () => {
  expect(tellRequest(exchange({ took: -1 }), undefined)).toEqual({
    at: expect.any(String),
    route: 'GET /orders',
    status: 'under way',
  });
  expect(tellRequest(exchange({ took: 12.345 }), 'shop')).toMatchObject({ status: 200, ms: 12.35, gate: 'shop' });
});

it('is summed up with others of its route, the slowest of all routes first; none that is under way', () => {
  const orders = [9, 2, 30, 4].map((took) => ({ took }));
  const prices = [50, 1].map((took) => ({ route: '/prices', took }));
  expect(grouped([...orders, { took: -1 }, ...prices])).toEqual([
    { route: 'GET /prices', count: 2, p50: 1, p99: 50, max: 50, together: 51 },
    { route: 'GET /orders', count: 4, p50: 4, p99: 30, max: 30, together: 45 },
  ]);
});

it('is counted as failed where the application is at fault, and not where its client is', () => {
  expect(grouped([{ status: 499 }, { status: 404 }])[0]).not.toHaveProperty('answeredWith5xx');
  expect(grouped([{ status: 500 }, { status: 503 }, { status: 400 }], 'shop')).toMatchObject([
    { gate: 'shop', count: 3, answeredWith5xx: 2 },
  ]);
});
