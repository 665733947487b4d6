/**
 * The side of a measured process that is not measured: it learns what it shall serve, says where it listens, and answers
 * questions about itself over the pipe to the bench, never over HTTP.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpAuthorizationSettings } from 'nestjs-mcp-gate';
import { listen as listenToChannels } from './observation.js';
import { toggleProfiler } from './profiler.js';

/** What a server shall be. Servers read what concerns them. */
export interface ServerOptions {
  /** Size of the catalogue. */
  readonly tools: number;
  readonly platform?: 'express' | 'fastify';
  /** Also a route that has nothing to do with tools. */
  readonly health?: boolean;
  /** Also the tools that do more than add. */
  readonly others?: boolean;
  /** Milliseconds after which an unanswered call becomes a stream, and between its heartbeats. */
  readonly graceMs?: number;
  readonly heartbeatMs?: number;
  /** A JSON Web Key Set: the gate takes tokens that are signed with it, and nobody else. */
  readonly keys?: McpAuthorizationSettings['ownKeys'];
  /** Also `McpDevkitModule`, without a gate; what it observes can be switched off. */
  readonly devkit?: boolean;
  /** Lets every progress value through, instead of one every 100 ms. */
  readonly unthinned?: boolean;
}

/** Questions of the bench. */
export type Question = 'usage' | 'memory' | 'profile' | 'observe' | 'ignore';

export interface Usage {
  /** Microseconds of CPU time spent by the process so far. */
  readonly cpu: number;
}

export interface Memory {
  readonly rss: number;
  /** What is reachable: the heap and what hangs on it, after collection. */
  readonly live: number;
}

export interface Listening {
  readonly port: number;
  /** Milliseconds from the start of the process until it listened. */
  readonly startedMs: number;
  /** The same in the steps that the server told of, in their order: milliseconds that each took. */
  readonly steps: Readonly<Record<string, number>>;
}

export const options = JSON.parse(process.env['BENCH_SERVER'] ?? '{"tools":10}') as ServerOptions;

const steps: Record<string, number> = {};
let told = 0;

/** Says that a step of the start is done. */
export function done(step: string): void {
  const now = performance.now();
  steps[step] = now - told;
  told = now;
}

/** Says that this process listens. */
export function announce(port: number): void {
  const listening: Listening = { port, startedMs: performance.now(), steps };
  process.send?.(listening);
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => process.exit());
}

/** Listens on a free port of the loopback, then announces it. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

/** The port of an application that listens on port 0. */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}

async function answer(question: Question): Promise<void> {
  process.send?.(await ANSWERS[question]());
}

const ANSWERS: Readonly<Record<Question, () => unknown>> = {
  usage,
  memory,
  profile: toggleProfiler,
  observe: () => observing(true),
  ignore: () => observing(false),
};

function observing(wanted: boolean): object {
  listenToChannels(wanted);
  return {};
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpu: user + system };
}

function memory(): Memory {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, live: heapUsed + external };
}
