/** D: what one measurement tells of its requests. */
import { jest } from '@jest/globals';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EnhancerSums, type MeasuredKind } from '../../src/devkit/profile/enhancer-sums.js';
import { PROFILE_HEADER } from '../../src/devkit/profile/enhancer-times.js';
import { insideOf, measure } from '../../src/devkit/profile/measurement.js';
import { distribution, type Send } from '../../src/devkit/profile/timed-requests.js';
import type { McpRun } from '../../src/index.js';
import { projectOnDisk } from './project.js';

const run = { signal: new AbortController().signal, progress: () => undefined } as unknown as McpRun;
const project = process.cwd();
const fine: Send = async () => new Response('fine');

afterEach(() => jest.restoreAllMocks());

/** Parts that each took so many milliseconds, in requests of one second before and two seconds after them. */
function sums(parts: readonly (readonly [kind: MeasuredKind, name: string, ms: number])[], requests: number) {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const all = new EnhancerSums();
  now = 10_000;
  for (const [kind, name, ms] of parts) all.add(kind, name, now - ms);
  for (let at = 0; at < requests; at += 1) all.close({ began: 1, entered: 1_001, left: 8_000, piped: 0 });
  return all;
}

it('tells means for one request, and how often a part had its turn where that is not once in each', () => {
  const all = sums(
    [
      ['guard', 'Guard', 4],
      ['guard', 'Guard', 8],
      ['pipe', 'Pipe', 1],
    ],
    2,
  );
  expect(insideOf(all, 2)).toEqual({
    msBeforeEnhancers: 1_000,
    enhancers: [
      { kind: 'guard', name: 'Guard', ms: 6 },
      { kind: 'pipe', name: 'Pipe', calls: 1, ms: 1 },
    ],
    msAfterEnhancers: 2_000,
  });
});

it('tells the twenty slowest parts, and how many more there are', () => {
  const parts = Array.from({ length: 23 }, (_, at) => ['guard', `Guard${at}`, at] as const);
  const { enhancers, moreEnhancers } = insideOf(sums(parts, 1), 1) as { enhancers: object[]; moreEnhancers?: string };
  expect([enhancers.length, moreEnhancers]).toEqual([20, '3, each quicker than these']);
  expect(insideOf(sums(parts.slice(0, 20), 1), 1)).not.toHaveProperty('moreEnhancers');
});

it('tells no times of requests of which none came to the application', () => {
  expect(insideOf(new EnhancerSums(), 3)).toEqual({ enhancers: [] });
});

it('marks its requests by what nobody else knows, and sends no body where there is none', async () => {
  const sent: RequestInit[] = [];
  const send: Send = async (init) => (sent.push(init), fine(init));
  for (const body of [undefined, null, { sku: 'A-001' }]) {
    await measure({ method: 'POST', body, repeat: 1 }, { send, project, run });
  }
  const marks = sent.map(({ headers }) => (headers as Record<string, string>)[PROFILE_HEADER]);
  for (const mark of marks) expect(mark).toMatch(/^[\da-f]{32}$/);
  expect(new Set(marks).size).toBe(3);
  const told = sent.map(({ headers, body }) => [body, (headers as Record<string, string>)['content-type']]);
  expect(told).toEqual([
    [undefined, undefined],
    ['null', 'application/json'],
    ['{"sku":"A-001"}', 'application/json'],
  ]);
});

it('tells why fewer requests were made than were asked for', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const slow: Send = async (init) => ((now += 40_000), fine(init));
  expect(await measure({ method: 'GET', repeat: 3 }, { send: slow, project, run })).toMatchObject({
    requests: 1,
    stopped: expect.stringContaining('30 seconds'),
  });
});

it('knows the functions of a project that is reached by a link', async () => {
  const disk = projectOnDisk({});
  const link = join(disk.outside, 'linked');
  symlinkSync(process.cwd(), link);
  const busy: Send = async (init) => {
    const until = performance.now() + 60;
    while (performance.now() < until);
    return fine(init);
  };
  const { cpu } = (await measure({ method: 'GET', repeat: 1 }, { send: busy, project: link, run })) as any;
  disk.remove();
  expect(cpu.project).toContainEqual(
    expect.objectContaining({ at: expect.stringMatching(/^test\/devkit\/measurement\.spec\.ts:\d+$/) }),
  );
});

it('tells the first request by itself, which is often the slowest', () => {
  expect(distribution([9, 1, 4])).toEqual({ first: 9, min: 1, p50: 4, p90: 9, p99: 9, max: 9 });
});
