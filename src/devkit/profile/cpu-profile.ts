/**
 * Where the processor's time goes while requests are answered: the functions of the project first, then those of packages and
 * of Node. What the profile's own client takes in the same process is told apart.
 */
import type { Profiler } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isWithin } from '../project/project-folder.js';

/** A function, and the milliseconds that were spent in it alone. */
export interface HotFunction {
  readonly name: string;
  readonly at: string;
  readonly ms: number;
}

/** What was sampled. */
export interface CpuTimes {
  readonly sampledMs: number;
  readonly idleMs: number;
  readonly garbageCollectionMs: number;
  /** Of the profile itself, which asks in the same process. */
  readonly clientMs: number;
  readonly project: readonly HotFunction[];
  readonly elsewhere: readonly HotFunction[];
}

const INTERVAL_US = 250;
const SHOWN = 10;
const OWN_FOLDER = new URL('./', import.meta.url).href;

/** Samples while `work` runs. `undefined` where Node was built without an inspector. */
export async function sampled<T>(project: string, work: () => Promise<T>): Promise<{ value: T; cpu?: CpuTimes }> {
  const inspector = await import('node:inspector/promises').catch(() => undefined);
  if (inspector === undefined) return { value: await work() };
  const session = new inspector.Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.post('Profiler.start');
    const value = await work();
    const { profile } = await session.post('Profiler.stop');
    return { value, cpu: timesOf(profile, project) };
  } finally {
    session.disconnect(); // which also ends the sampling
  }
}

/** What the samples say. */
export function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, project: string): CpuTimes {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sums = { idle: 0, gc: 0, client: 0, all: 0 };
  // Starting takes a large application longer than the requests do.
  const switching = new Set(
    nodes.flatMap(({ id, callFrame, children = [] }) => (callFrame.url === 'node:inspector' ? [id, ...children] : [])),
  );
  const functions = new Map<string, { name: string; at: string; isProjects: boolean; ms: number }>();
  for (const [at, id] of samples.entries()) {
    const ms = (timeDeltas[at] ?? 0) / 1_000;
    const frame = frames.get(id);
    if (frame === undefined || switching.has(id)) continue;
    sums.all += ms;
    if (frame.functionName === '(idle)') sums.idle += ms;
    else if (frame.functionName === '(garbage collector)') sums.gc += ms;
    else if (isClients(frame)) sums.client += ms;
    else if (!frame.functionName.startsWith('(')) {
      const { place, isProjects } = placeOf(frame, project);
      const name = frame.functionName || '(anonymous)';
      const key = `${name} ${place}`;
      const known = functions.get(key) ?? { name: name.slice(0, 80), at: place, isProjects, ms: 0 };
      known.ms += ms;
      functions.set(key, known);
    }
  }
  const slowest = [...functions.values()].toSorted((a, b) => b.ms - a.ms);
  const shown = (isProjects: boolean): HotFunction[] =>
    slowest
      .filter((one) => one.isProjects === isProjects)
      .slice(0, SHOWN)
      .map(({ name, at, ms }) => ({ name, at, ms: rounded(ms) }));
  return {
    sampledMs: rounded(sums.all),
    idleMs: rounded(sums.idle),
    garbageCollectionMs: rounded(sums.gc),
    clientMs: rounded(sums.client),
    project: shown(true),
    elsewhere: shown(false),
  };
}

function isClients({ url }: { readonly url: string }): boolean {
  return url.startsWith('node:internal/deps/undici') || url.startsWith(OWN_FOLDER);
}

/** A file of the project below its folder; of a package its name; of Node its module. No path of this machine. */
function placeOf(
  { url, lineNumber }: { readonly url: string; readonly lineNumber: number },
  project: string,
): { place: string; isProjects: boolean } {
  const line = lineNumber + 1;
  if (url === '') return { place: 'native code', isProjects: false };
  if (url.startsWith('node:')) return { place: `${url}:${line}`, isProjects: false };
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const parts = file.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at >= 0) {
    const name = parts[at + 1] ?? '';
    return { place: name.startsWith('@') ? `${name}/${parts[at + 2] ?? ''}` : name, isProjects: false };
  }
  if (!isWithin(project, file)) return { place: 'outside of the project', isProjects: false };
  return { place: `${relative(project, file).replaceAll(sep, '/')}:${line}`, isProjects: true };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
