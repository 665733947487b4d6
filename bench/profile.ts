/**
 * Where a server's time goes under load: `node bench/run.mjs --profile gate-express` (more, separated by commas).
 */
import { expectText } from './harness/expect.js';
import { exchange } from './harness/exchange.js';
import { load } from './harness/load.js';
import { ServerProcess } from './harness/server-process.js';
import type { FunctionTime } from './servers/profiler.js';
import { SUBJECTS, type Subject } from './subjects.js';
import { callRequest, type Era, SUM } from './workload/messages.js';

const CONNECTIONS = 16;
const WARM_UP = 10_000;
const REQUESTS = 40_000;
const SHOWN = 40;
/** Not the server's work: it waits, or the profiler works. */
const IDLE = new Set(['(idle)', '(program)', 'dispatch']);

/** Prints the dearest functions and files of each server, for calls of this era. */
export async function profile(ids: readonly string[], era: Era): Promise<void> {
  for (const id of ids) {
    const subject = Object.values<Subject>(SUBJECTS).find((one) => one.id === id);
    if (subject === undefined) {
      throw new Error(
        `There is no server ${id}. Choose from ${Object.values(SUBJECTS)
          .map((one) => one.id)
          .join(', ')}.`,
      );
    }
    print(`${id}, ${era}`, await timesOf(subject, era));
  }
}

async function timesOf(subject: Subject, era: Era): Promise<readonly FunctionTime[]> {
  const platform = subject.platform;
  const server = await ServerProcess.start(subject.file, { tools: 10, ...(platform && { platform }) });
  try {
    const call = callRequest(era, 'add');
    const request = subject.kind === 'floor' ? { ...call, path: `/call/${era}` } : call;
    const answer = await exchange(server.port, request);
    expectText(SUM.text)(answer);
    const same = (body: string) => body === answer.body;
    await load(server, request, { connections: CONNECTIONS, requests: WARM_UP }, same);
    await server.profile();
    await load(server, request, { connections: CONNECTIONS, requests: REQUESTS }, same);
    const times = await server.profile();
    return times.map(({ place, own }) => ({ place, own: own / REQUESTS }));
  } finally {
    await server.stop();
  }
}

function print(title: string, times: readonly FunctionTime[]): void {
  const busy = times.filter(({ place }) => !IDLE.has(place));
  const total = busy.reduce((sum, { own }) => sum + own, 0);
  const files = new Map<string, number>();
  for (const { place, own } of busy) files.set(fileOf(place), (files.get(fileOf(place)) ?? 0) + own);
  console.log(`\n${title}: ${total.toFixed(1)} µs a call (with the profiler's own cost)`);
  lines(busy, total);
  console.log('  by file:');
  lines(
    [...files].map(([place, own]) => ({ place, own })),
    total,
  );
}

function lines(times: readonly FunctionTime[], total: number): void {
  for (const { place, own } of times.toSorted((a, b) => b.own - a.own).slice(0, SHOWN)) {
    console.log(`  ${own.toFixed(2).padStart(7)} µs ${((own / total) * 100).toFixed(1).padStart(5)}%  ${place}`);
  }
}

function fileOf(place: string): string {
  const file = /^\S+ (.*):\d+$/.exec(place)?.[1];
  return file ?? '(native code)';
}
