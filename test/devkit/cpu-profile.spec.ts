/** D: where the processor's time went: the project's own functions, the others, and what the profile takes itself. */
import { jest } from '@jest/globals';
import { Session } from 'node:inspector/promises';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampled, timesOf } from '../../src/devkit/profile/cpu-profile.js';

const ROOT = ['', 'projects', 'shop'].join(sep);
const OWN = new URL('../../src/devkit/profile/timed-requests.js', import.meta.url).href;
const inProject = (path: string) => pathToFileURL([ROOT, ...path.split('/')].join(sep)).href;

/** Of functions that each were sampled for so many milliseconds. */
function timed(functions: readonly (readonly [name: string, url: string, ms: number])[]) {
  const nodes = functions.map(([functionName, url], id) => {
    return { id, callFrame: { functionName, url, scriptId: '', lineNumber: 6, columnNumber: 0 } };
  });
  const samples = [...nodes.map(({ id }) => id), 4_711]; // of a function that the profile does not name
  const timeDeltas = [...functions.map(([, , ms]) => ms * 1_000), 5_000];
  return timesOf({ nodes, startTime: 0, endTime: 0, samples, timeDeltas }, ROOT);
}

afterEach(() => jest.restoreAllMocks());

it('is told of the project by file and line, of a package by its name, of Node by its module, and of no other path', () => {
  const { project, elsewhere } = timed([
    ['list', inProject('src/orders.js'), 8],
    ['sum', `${ROOT}${sep}src${sep}sums.js`, 7],
    ['send', inProject('node_modules/express/lib/response.js'), 6],
    ['get', inProject('node_modules/@nestjs/core/router.js'), 5],
    ['deep', inProject('node_modules/a/node_modules/b/index.js'), 4],
    ['write', 'node:net', 3],
    ['other', pathToFileURL(`${ROOT}-of-another${sep}secret.js`).href, 2],
    ['stringify', '', 1],
  ]);
  expect(project.map(({ at, ms }) => [at, ms])).toEqual([
    ['src/orders.js:7', 8],
    ['src/sums.js:7', 7],
  ]);
  expect(elsewhere.map(({ at }) => at)).toEqual([
    'express',
    '@nestjs/core',
    'b',
    'node:net:7',
    'outside of the project',
    'native code',
  ]);
});

it('tells the ten slowest of each, the slowest first, and the same function once', () => {
  const many = Array.from({ length: 14 }, (_, at) => [`f${at}`, inProject('src/a.js'), at] as const);
  const { project, elsewhere } = timed([...many, ['f2', inProject('src/a.js'), 20]]);
  expect(project.map(({ name }) => name)).toEqual(['f2', ...[13, 12, 11, 10, 9, 8, 7, 6, 5].map((at) => `f${at}`)]);
  expect([project[0]!.ms, elsewhere]).toEqual([22, []]);
});

it('tells idle time, the collecting of garbage and the client of the profile apart, and nothing of what V8 only names', () => {
  const { project, elsewhere, ...sums } = timed([
    ['(idle)', '', 1],
    ['(garbage collector)', '', 2],
    ['processResponse', 'node:internal/deps/undici/undici', 4],
    ['readToEnd', OWN, 8],
    ['(program)', '', 16],
  ]);
  expect(sums).toEqual({ sampledMs: 31, idleMs: 1, garbageCollectionMs: 2, clientMs: 12 });
  expect([project, elsewhere]).toEqual([[], []]);
});

it('calls a function without a name anonymous, and cuts a long name', () => {
  const { project } = timed([
    ['', inProject('src/a.js'), 2],
    ['x'.repeat(200), inProject('src/a.js'), 1],
  ]);
  expect(project.map(({ name }) => name)).toEqual(['(anonymous)', 'x'.repeat(80)]);
});

it('is sampled four times a millisecond, and no more once the work has failed', async () => {
  const post = jest.spyOn(Session.prototype, 'post');
  const disconnect = jest.spyOn(Session.prototype, 'disconnect');
  await expect(sampled(ROOT, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(post.mock.calls).toContainEqual(['Profiler.setSamplingInterval', { interval: 250 }]);
  expect(disconnect).toHaveBeenCalledTimes(1);
});

it('is not told where Node was built without an inspector, and the work is done all the same', async () => {
  jest.unstable_mockModule('node:inspector/promises', () => {
    throw new Error('No such built-in module');
  });
  jest.resetModules();
  const without = await import('../../src/devkit/profile/cpu-profile.js');
  expect(await without.sampled(ROOT, () => Promise.resolve('done'))).toEqual({ value: 'done' });
});
