/**
 * Stands around every test file: turns off each AsyncLocalStorage that it has used. One that is left on costs every promise of
 * every later file in the same worker its time, and there would be one more with each file.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const used = new Set<AsyncLocalStorage<unknown>>();
const all = AsyncLocalStorage.prototype as AsyncLocalStorage<unknown>;
// oxlint-disable-next-line typescript/unbound-method -- called with their own `this`, and put back
const { run, enterWith } = all;

beforeAll(() => {
  all.run = function (this: AsyncLocalStorage<unknown>, ...args: Parameters<typeof run>) {
    used.add(this);
    return run.apply(this, args);
  } as typeof run;
  all.enterWith = function (this: AsyncLocalStorage<unknown>, ...args: Parameters<typeof enterWith>) {
    used.add(this);
    return enterWith.apply(this, args);
  };
});

afterAll(() => {
  all.run = run;
  all.enterWith = enterWith;
  for (const storage of used) storage.disable();
});
