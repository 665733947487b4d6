/**
 * Load on one server: autocannon sends the same request over and over, every answer is held against the one that was
 * checked, and the server says what CPU time it took.
 */
import autocannon from 'autocannon';
import type { BenchRequest } from '../workload/messages.js';
import type { ServerProcess } from './server-process.js';
import { percentile } from './statistics.js';

/** How hard, and until when: after so many seconds or so many requests, whichever comes first. */
export interface LoadShape {
  readonly connections: number;
  readonly seconds?: number;
  readonly requests?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the server's CPU time for one request. */
  readonly cpu: number;
  /** The part of the time that the server's core was busy: well below 1, the load generator was the limit. */
  readonly busy: number;
}

/** What the types of autocannon do not know. */
interface Stoppable {
  stop(): void;
}

/** Says whether a body is right. Without it, the body must be the checked one to the byte. */
export type BodyCheck = (body: string) => boolean;

/** Without a number of requests, `seconds` ends a load. */
const LONGEST_SECONDS = 3_600;

/**
 * @throws Error when a single answer was wrong: a figure over wrong answers is none.
 */
export async function load(
  server: ServerProcess,
  request: BenchRequest,
  shape: LoadShape,
  check: BodyCheck,
): Promise<LoadResult> {
  const times: number[] = [];
  let first = 0;
  let last = 0;
  const before = await server.usage();
  const began = performance.now();
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${server.port}${request.path}`,
    method: 'POST',
    headers: { ...request.headers },
    body: request.body,
    connections: shape.connections,
    timeout: 60,
    verifyBody: (body) => check(String(body)),
    ...(shape.requests === undefined ? { duration: LONGEST_SECONDS } : { amount: shape.requests }),
    // How often autocannon looks whether the time is over.
    sampleInt: 50,
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, outcome) => (error ? reject(error as Error) : resolve(outcome)));
    if (shape.seconds !== undefined)
      setTimeout(() => (run as unknown as Stoppable).stop(), shape.seconds * 1_000).unref();
    run.on('response', (_client, _status, _bytes, time) => {
      last = performance.now();
      first ||= last;
      times.push(time);
    });
  });
  const elapsed = performance.now() - began;
  const cpu = (await server.usage()).cpu - before.cpu;
  const wrong = result.errors + result.non2xx + result.mismatches;
  if (wrong > 0 || times.length === 0) {
    throw new Error(
      `Under load ${request.path} gave ${times.length} answers, ${result.non2xx} of them no success, ` +
        `${result.mismatches} wrong, and ${result.errors} errors.`,
    );
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length > 1 ? ((times.length - 1) / (last - first)) * 1_000 : 1_000 / times[0]!,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpu: cpu / times.length,
    busy: cpu / 1_000 / elapsed,
  };
}
