/**
 * The requests of a profile: one after the other, each to its end, until there were enough of them, their time is over, or
 * nobody waits for them any more.
 */
import type { McpRun } from '../../runs/run.js';
import { thrownKind } from '../../tools/thrown.js';
import { percentile } from '../observe/percentile.js';

/** How requests are sent: in a session, or as nobody. */
export type Send = (init: RequestInit) => Promise<Response>;

export interface TimedRequests {
  readonly made: number;
  /** Why fewer were made than asked for. */
  readonly stopped?: string;
  /** How often each status came; what was no answer under its kind. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds, as the client saw them. */
  readonly times: readonly number[];
}

const TOTAL_MS = 30_000;
const EACH_MS = 10_000;
/** Of an answer that never ends, so much is read. */
const MAX_ANSWER_BYTES = 5_000_000;

export async function timedRequests(
  send: Send,
  init: RequestInit,
  repeat: number,
  run: McpRun,
): Promise<TimedRequests> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const over = performance.now() + TOTAL_MS;
  let stopped: string | undefined;
  for (let made = 0; made < repeat && stopped === undefined; made += 1) {
    run.signal.throwIfAborted();
    const began = performance.now();
    const outcome = await sendOnce(send, init, run.signal);
    run.signal.throwIfAborted(); // and not counted as a failure of the application
    times.push(performance.now() - began);
    statuses[outcome] = (statuses[outcome] ?? 0) + 1;
    run.progress(made + 1, repeat, `${made + 1} of ${repeat} requests`);
    if (performance.now() > over) stopped = `the ${TOTAL_MS / 1_000} seconds of a profile were over`;
  }
  const short = times.length < repeat && stopped !== undefined;
  return { made: times.length, ...(short && { stopped }), statuses, times };
}

async function sendOnce(send: Send, init: RequestInit, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.timeout(EACH_MS);
  try {
    const response = await send({ ...init, signal: AbortSignal.any([signal, limit]) });
    await readToEnd(response);
    return String(response.status);
  } catch (error) {
    return limit.aborted ? `no answer in ${EACH_MS / 1_000} seconds` : `no answer (${thrownKind(error)})`;
  }
}

async function readToEnd({ body }: Response): Promise<void> {
  if (body === null) return;
  let bytes = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += (part.value as Uint8Array).byteLength;
    if (bytes > MAX_ANSWER_BYTES) return reader.cancel();
  }
}

/** The distribution, in milliseconds. */
export function distribution(times: readonly number[]): Record<string, number> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => rounded(percentile(sorted, part));
  return {
    first: rounded(times[0] ?? 0),
    min: at(0),
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
  };
}

export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
