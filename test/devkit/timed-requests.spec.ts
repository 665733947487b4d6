/** D: the requests of a profile end: with the run that asked, with their time, and with answers that have no end. */
import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { PROFILED_METHODS, targetAddress } from '../../src/devkit/profile/target.js';
import { timedRequests, type Send } from '../../src/devkit/profile/timed-requests.js';
import type { McpRun } from '../../src/index.js';

const fine: Send = async () => new Response('fine');

function running(signal = new AbortController().signal) {
  const heard: [number, number | undefined][] = [];
  const run = { signal, progress: (done: number, of?: number) => void heard.push([done, of]) } as unknown as McpRun;
  return { run, heard };
}

afterEach(() => jest.restoreAllMocks());

it('are as many as were asked for, each told as progress', async () => {
  const { run, heard } = running();
  expect(await timedRequests(fine, {}, 3, run)).toMatchObject({ made: 3, statuses: { 200: 3 } });
  expect(heard.map(([done, of]) => `${done}/${of}`)).toEqual(['1/3', '2/3', '3/3']);
});

it('are none for a run that has ended', async () => {
  const sent: unknown[] = [];
  const { run } = running(AbortSignal.abort(new Error('enough')));
  await expect(timedRequests(async (init) => (sent.push(init), fine(init)), {}, 3, run)).rejects.toThrow('enough');
  expect(sent).toEqual([]);
});

it('end in the middle of one when the run does, which is no failure of the application', async () => {
  const gone = new AbortController();
  const { run, heard } = running(gone.signal);
  let cutOff: boolean | undefined;
  const waits: Send = ({ signal }) => {
    gone.abort(new Error('enough'));
    cutOff = signal!.aborted;
    return Promise.reject(new Error('cut off'));
  };
  await expect(timedRequests(waits, {}, 3, run)).rejects.toThrow('enough');
  expect([cutOff, heard]).toEqual([true, []]);
});

it('are given up one by one when there is no answer, and told as such', async () => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const waits: Send = ({ signal }) =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(new Error('cut off')));
      limit.abort();
    });
  const { statuses } = await timedRequests(waits, {}, 1, running().run);
  expect(statuses).toEqual({ 'no answer in 10 seconds': 1 });
  expect(timeout).toHaveBeenCalledWith(10_000);
});

it('tell the kind of what went wrong, and no message', async () => {
  const broken: Send = () => Promise.reject(new RangeError('postgres://app:tangerine@db'));
  const { statuses } = await timedRequests(broken, {}, 2, running().run);
  expect(statuses).toEqual({ 'no answer (RangeError)': 2 });
});

it('read so much of an answer that has no end', async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(1_000_000)),
    cancel: () => void (cancelled = true),
  });
  const { statuses } = await timedRequests(async () => new Response(endless), {}, 1, running().run);
  expect([statuses, cancelled]).toEqual([{ 200: 1 }, true]);
});

it('are read to the end of their answers, and those that have no body have ended', async () => {
  let parts = 0;
  const long = () =>
    new ReadableStream<Uint8Array>({
      pull: (stream) => (parts++ < 100 ? stream.enqueue(new Uint8Array(10)) : stream.close()),
    });
  const { statuses } = await timedRequests(async () => new Response(long()), {}, 1, running().run);
  expect([statuses, parts]).toEqual([{ 200: 1 }, 101]);
  const empty: Send = async () => new Response(null, { status: 204 });
  expect((await timedRequests(empty, {}, 1, running().run)).statuses).toEqual({ 204: 1 });
});

it('begin no more after thirty seconds, and say so where fewer were made', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const slow: Send = async (init) => ((now += 20_000), fine(init));
  expect(await timedRequests(slow, {}, 5, running().run)).toMatchObject({
    made: 2,
    stopped: 'the 30 seconds of a profile were over',
  });
  expect(await timedRequests(slow, {}, 2, running().run)).not.toHaveProperty('stopped');
});

it('go to the application alone, whatever path is asked for', () => {
  const application = new URL('http://127.0.0.1:4000');
  const part = fc.constantFrom(
    '/',
    '//',
    '\\',
    '@',
    ':',
    '..',
    '%2f',
    '?',
    '#',
    'http:',
    'x',
    '[',
    '\t',
    '\r\n',
    ' ',
    'é',
  );
  const path = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
  );
  let taken = 0;
  fc.assert(
    fc.property(path, fc.constantFrom(...PROFILED_METHODS), (asked, method) => {
      try {
        const { origin, username, hash } = targetAddress({ method, path: asked }, application);
        taken += 1;
        expect([origin, username, hash]).toEqual([application.origin, '', '']);
      } catch (error) {
        if ((error as Error).name !== 'McpToolFailure') throw error;
      }
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(100);
});
