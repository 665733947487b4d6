/**
 * Where a measured process spends its time, from the moment it is asked until it is asked again.
 */
import { Session } from 'node:inspector/promises';

/** One function and the microseconds spent in it alone. */
export interface FunctionTime {
  readonly place: string;
  readonly own: number;
}

const INTERVAL_US = 250;
let session: Session | undefined;

/** Begins, or ends and says what was seen. */
export async function toggleProfiler(): Promise<readonly FunctionTime[]> {
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.post('Profiler.start');
    return [];
  }
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  session = undefined;
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const place = places.get(id)!;
    times.set(place, (times.get(place) ?? 0) + (profile.timeDeltas?.[at] ?? 0));
  }
  return [...times].map(([place, own]) => ({ place, own }));
}

function placeOf(frame: { functionName: string; url: string; lineNumber: number }): string {
  const file = frame.url.replace(/^.*\/node_modules\//, '').replace(/^.*\/bench\/dist\//, 'bench/');
  const line = file === '' ? '' : ` ${file}:${frame.lineNumber + 1}`;
  return `${frame.functionName || '(anonymous)'}${line}`;
}
