/**
 * A value fetched now and then: how failures are remembered (issue 3).
 */
import { FetchedValue } from '../../src/oauth/fetched-value.js';

it('A failure is waited out longer each time, up to 30 seconds, and a success starts again at one', async () => {
  let now = 0;
  let failing = true;
  const waits: number[] = [];
  const value = new FetchedValue(() => (failing ? Promise.reject(new Error('down')) : Promise.resolve('up')), {
    now: () => now,
    freshMs: 0,
    usableMs: 0,
    failed: (_, retryInMs) => void waits.push(retryInMs),
  });
  for (let i = 0; i < 7; i += 1) {
    await expect(value.get()).rejects.toThrow('down');
    await expect(value.get()).rejects.toThrow('down'); // not asked again
    now += 30_000;
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  failing = false;
  expect(await value.get()).toBe('up');
  failing = true;
  await expect(value.get()).rejects.toThrow('down');
  expect(waits.at(-1)).toBe(1_000);
});
