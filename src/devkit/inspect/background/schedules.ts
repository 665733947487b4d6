/**
 * Crons, intervals and timeouts: those that decorators say, and whether the registry of `@nestjs/schedule` has them.
 */
import { LEFT, leftOn, PER_REQUEST, type BackgroundFact, type FoundMethod } from './left-by-decorators.js';

/** `SchedulerRegistry`, as far as it is asked. */
export interface ScheduleRegistry {
  getCronJobs?(): Map<string, unknown>;
  getIntervals?(): string[];
  getTimeouts?(): string[];
}

/** The name under which `@nestjs/schedule` keeps what has none. */
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** Each once: what the registry has besides, code has added. */
export function schedulesOf(methods: readonly FoundMethod[], registry: ScheduleRegistry | undefined): BackgroundFact[] {
  const registered = {
    cron: new Set(registry?.getCronJobs?.().keys()),
    interval: new Set(registry?.getIntervals?.()),
    timeout: new Set(registry?.getTimeouts?.()),
  };
  const decorated = methods.flatMap(({ name, method, perRequest }): BackgroundFact[] => {
    if (leftOn(method, LEFT.scheduleType) === undefined) return [];
    const { kind, on, options } = writtenOn(method);
    const names = registered[kind];
    const isThere = !perRequest && names.delete(options.name ?? [...names].find((one) => UUID.test(one)) ?? '');
    const why = perRequest ? PER_REQUEST : 'the registry of @nestjs/schedule does not have it';
    return [
      {
        on,
        kind,
        handler: name,
        ...(Object.keys(options).length > 0 && { options }),
        ...(!isThere && { doesNotRun: why }),
      },
    ];
  });
  const added = Object.entries(registered).flatMap(([kind, names]) =>
    [...names].map((on) => ({ on, kind: `${kind} in the registry` })),
  );
  return [...decorated, ...added];
}

interface WrittenSchedule {
  readonly kind: 'cron' | 'interval' | 'timeout';
  readonly on: string;
  readonly options: { readonly name?: string };
}

function writtenOn(method: object): WrittenSchedule {
  const cron = leftOn<{ cronTime?: unknown }>(method, LEFT.cron);
  const interval = leftOn<{ timeout?: unknown }>(method, LEFT.interval);
  const name = leftOn<string>(method, LEFT.scheduleName);
  const named = name === undefined ? {} : { name };
  if (cron !== undefined) {
    const { cronTime, ...options } = cron;
    return { kind: 'cron', on: String(cronTime), options: { ...options, ...named } };
  }
  const { timeout } = interval ?? leftOn<{ timeout?: unknown }>(method, LEFT.timeout) ?? {};
  return { kind: interval === undefined ? 'timeout' : 'interval', on: `${String(timeout)} ms`, options: named };
}
