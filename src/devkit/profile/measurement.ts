/**
 * One measurement: the requests are sent, and what they took is told from outside, from inside of Nest, and from the processor.
 */
import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { McpRun } from '../../runs/run.js';
import { sampled } from './cpu-profile.js';
import type { EnhancerSums } from './enhancer-sums.js';
import { EnhancerTimes, PROFILE_HEADER } from './enhancer-times.js';
import type { ProfileTarget } from './target.js';
import { distribution, rounded, timedRequests, type Send } from './timed-requests.js';

/** What is measured. */
export interface Measured extends Pick<ProfileTarget, 'method' | 'body'> {
  /** How many requests, one after the other. */
  readonly repeat: number;
}

const MAX_ENHANCERS = 20;

const READING = [
  'ms are means for one request, those of an interceptor without what is further in; pipes of several parameters run side by side.',
  'msBeforeEnhancers is middleware, body and routing together; exception filters are in none of them.',
  'The client runs in the same process: its time is cpu.clientMs, and sampling makes everything a little slower.',
];

/** Measures what `send` asks. While it does, Nest is patched: no two at a time. @throws the run's reason when it is aborted */
export async function measure(
  { method, body, repeat }: Measured,
  { send, project, run }: { readonly send: Send; readonly project: string; readonly run: McpRun },
): Promise<object> {
  const mark = randomBytes(16).toString('hex');
  const isJson = body !== undefined;
  const init: RequestInit = {
    method,
    headers: { [PROFILE_HEADER]: mark, ...(isJson && { 'content-type': 'application/json' }) },
    ...(isJson && { body: JSON.stringify(body) }),
  };
  const enhancers = new EnhancerTimes(mark);
  enhancers.begin();
  try {
    const { value, cpu } = await sampled(await realpath(project), () => timedRequests(send, init, repeat, run));
    const { made, stopped, statuses, times } = value;
    return {
      requests: made,
      ...(stopped !== undefined && { stopped }),
      statuses,
      ms: distribution(times),
      ...insideOf(enhancers.sums, made),
      cpu,
      reading: READING,
    };
  } finally {
    enhancers.end();
  }
}

/** What was measured inside of Nest, for one of the requests. */
export function insideOf(sums: EnhancerSums, made: number): object {
  const { requests, before, after } = sums.between();
  const enhancers = sums.enhancers();
  if (requests === 0) return { enhancers: [] };
  return {
    msBeforeEnhancers: rounded(before / requests),
    enhancers: enhancers.slice(0, MAX_ENHANCERS).map(({ kind, name, calls, sum }) => ({
      kind,
      name,
      ...(calls !== made && { calls }),
      ms: rounded(sum / calls),
    })),
    ...(enhancers.length > MAX_ENHANCERS && {
      moreEnhancers: `${enhancers.length - MAX_ENHANCERS}, each quicker than these`,
    }),
    msAfterEnhancers: rounded(after / requests),
  };
}
