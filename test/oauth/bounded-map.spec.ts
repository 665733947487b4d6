/**
 * Memory that a flood of made-up tokens cannot grow.
 */
import { BoundedMap } from '../../src/oauth/bounded-map.js';

it('A bounded map never holds more than its bound, and keeps what is asked for through a flood', () => {
  const map = new BoundedMap<number>(10);
  map.set('asked for', 1);
  for (let i = 0; i < 1_000; i += 1) {
    map.set(`made up ${i}`, i);
    expect(map.size).toBeLessThanOrEqual(10);
    if (i % 2 === 0) expect(map.get('asked for')).toBe(1);
  }
  expect(map.get('made up 0')).toBeUndefined();
});

it('A bounded map keeps the last value of a key, and none after delete', () => {
  const map = new BoundedMap<number>(4);
  map.set('a', 1);
  map.set('b', 2); // the first generation is full: both are old now
  map.set('a', 3);
  expect([map.get('a'), map.get('b'), map.size]).toEqual([3, 2, 2]);
  map.delete('a');
  map.delete('b');
  expect([map.get('a'), map.get('b'), map.size]).toEqual([undefined, undefined, 0]);
});
