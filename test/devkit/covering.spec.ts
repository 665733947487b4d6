/** D: whether one path of a route takes every request of another. */
import { covers, segmentsOf } from '../../src/devkit/check/checks/covering.js';

const taken = (wide: string, narrow: string) => covers(segmentsOf(wide), segmentsOf(narrow));

it.each([
  ['/orders/:id', '/orders/best'],
  ['/orders/:id', '/orders/:name'],
  ['/Orders/Best', '/orders/best'],
  ['/orders/*path', '/orders/best/of/all'],
  ['/orders/*', '/orders/:id'],
  ['/orders/(.*)', '/orders/best'],
  ['/*a', '/orders/*b'],
])('%s takes all of %s', (wide, narrow) => {
  expect(taken(wide, narrow)).toBe(true);
});

it.each([
  ['/orders/best', '/orders/:id'],
  ['/orders/best', '/orders/*path'],
  ['/orders/:id', '/orders/*path'],
  ['/orders/:id', '/orders'],
  ['/orders', '/orders/:id'],
  ['/orders/:id/parts', '/orders/:id'],
  ['/orders/*path', '/orders'],
  ['/orders/best', '/orders/worst'],
])('%s does not take all of %s', (wide, narrow) => {
  expect(taken(wide, narrow)).toBe(false);
});

it.each(['/orders{/:id}', '/orders/{*path}', '/orders/:id.json', '/orders/a(b)?', '/orders/:id(\\d+)'])(
  '%s is not judged',
  (path) => {
    expect(segmentsOf(path)).toBeUndefined();
    expect([taken(path, '/orders/best'), taken('/orders/*path', path), taken(path, path)]).toEqual([
      false,
      false,
      false,
    ]);
  },
);
