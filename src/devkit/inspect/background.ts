/**
 * What runs without a request: listeners of events, schedules and queues, told from what their decorators leave. None of their
 * packages is needed.
 */
import { Injectable } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { tokenName } from './names.js';
import { typeOf } from './providers.js';

/** One thing that runs by itself. */
export interface BackgroundFact {
  /** The event, the times or the queue. */
  readonly on: string;
  readonly kind: string;
  /** Class and method. */
  readonly handler?: string;
  readonly options?: unknown;
  /** Why it does not run although it is decorated. */
  readonly doesNotRun?: string;
}

/** What there is of one subject, or why there is nothing. */
export type BackgroundFacts = { readonly entries: readonly BackgroundFact[] } | { readonly absent: string };

/** The keys under which decorators of other packages of Nest leave what they know. */
export const LEFT = {
  event: 'EVENT_LISTENER_METADATA',
  scheduleType: 'SCHEDULER_TYPE',
  scheduleName: 'SCHEDULER_NAME',
  cron: 'SCHEDULE_CRON_OPTIONS',
  interval: 'SCHEDULE_INTERVAL_OPTIONS',
  timeout: 'SCHEDULE_TIMEOUT_OPTIONS',
  bullmqProcessor: 'bullmq:processor_metadata',
  bullmqWorker: 'bullmq:worker_metadata',
  bullmqWorkerEvent: 'bullmq:worker_events_metadata',
  bullmqQueueEvents: 'bullmq:queue_events_listener_metadata',
  bullmqQueueEvent: 'bullmq:queue_events_metadata',
  bullQueue: 'bull:module_queue',
  bullProcess: 'bull:module_queue_process',
  bullEvent: 'bull:module_on_queue_event',
} as const;

interface FoundMethod {
  readonly name: string;
  readonly method: object;
  readonly type: Function;
  /** Its class is made anew for every request or job. */
  readonly perRequest: boolean;
}

const PER_REQUEST = 'its class is made for every request: Nest leaves it out';

/** The name under which `@nestjs/schedule` keeps what has none. */
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

@Injectable()
export class BackgroundWork {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
  ) {}

  events(): BackgroundFacts {
    const entries = this.methods().flatMap(({ name, method }) => {
      const left = read<{ event: unknown; options?: unknown }[]>(LEFT.event, method) ?? [];
      return left.map(({ event, options }): BackgroundFact => ({
        // a list is ONE event, the parts of its path: joined as the emitter is set up
        on: Array.isArray(event) ? JSON.stringify(event.map(String)) : String(event),
        kind: 'listener',
        handler: name,
        ...(options !== undefined && { options }),
      }));
    });
    return this.orAbsent(entries, ['EventEmitterModule'], '@nestjs/event-emitter');
  }

  schedules(): BackgroundFacts {
    const registered = this.registeredSchedules();
    const entries = this.methods().flatMap(({ name, method, perRequest }): BackgroundFact[] => {
      if (read(LEFT.scheduleType, method) === undefined) return [];
      const cron = read<{ cronTime?: unknown }>(LEFT.cron, method);
      const called = read<string>(LEFT.scheduleName, method);
      const interval = read<{ timeout?: unknown }>(LEFT.interval, method);
      const { timeout } = interval ?? read<{ timeout?: unknown }>(LEFT.timeout, method) ?? {};
      const kind = cron !== undefined ? 'cron' : interval !== undefined ? 'interval' : 'timeout';
      const { cronTime, ...options } = { ...cron, ...(called !== undefined && { name: called }) };
      const isThere =
        !perRequest && registered[kind].delete(called ?? [...registered[kind]].find((one) => UUID.test(one))!);
      return [
        {
          on: cron === undefined ? `${String(timeout)} ms` : String(cronTime),
          kind,
          handler: name,
          ...(Object.keys(options).length > 0 && { options }),
          ...(!isThere && {
            doesNotRun: perRequest ? PER_REQUEST : 'the registry of @nestjs/schedule does not have it',
          }),
        },
      ];
    });
    // what is left, code has added
    const added = Object.entries(registered).flatMap(([kind, names]) =>
      [...names].map((on) => ({ on, kind: `${kind} in the registry` })),
    );
    return this.orAbsent([...entries, ...added], ['ScheduleModule'], '@nestjs/schedule');
  }

  queues(): BackgroundFacts {
    const queues = this.wrappers().flatMap((wrapper): BackgroundFact[] => {
      const token = tokenName(wrapper.token);
      return token.startsWith('BullQueue_') ? [{ on: token.slice('BullQueue_'.length), kind: 'queue' }] : [];
    });
    const processors = this.types().flatMap((type): BackgroundFact[] => {
      const written =
        read<{ name?: unknown }>(LEFT.bullmqProcessor, type) ?? read<{ name?: unknown }>(LEFT.bullQueue, type);
      if (written === undefined) return [];
      const options = read(LEFT.bullmqWorker, type);
      return [
        { on: String(written.name), kind: 'processor', handler: type.name, ...(options !== undefined && { options }) },
      ];
    });
    const methods = this.methods().flatMap(({ name, method, type }): BackgroundFact[] => {
      const { name: queue } = read<{ name?: unknown }>(LEFT.bullQueue, type) ?? {};
      const jobs = read<{ name?: string }[] | { name?: string }>(LEFT.bullProcess, method);
      return jobs === undefined
        ? []
        : [jobs].flat().map((job) => ({
            on: `${String(queue)}${job.name === undefined ? '' : ` ${job.name}`}`,
            kind: 'job',
            handler: name,
          }));
    });
    const events = this.methods().flatMap((found) => this.eventsOfQueues(found));
    const unique = new Map(queues.map((queue) => [queue.on, queue]));
    return this.orAbsent(
      [...unique.values(), ...processors, ...methods, ...events],
      ['BullModule'],
      '@nestjs/bullmq or @nestjs/bull',
    );
  }

  /** What hears of a queue's jobs, in the worker or from anywhere. */
  private eventsOfQueues({ name, method, type, perRequest }: FoundMethod): BackgroundFact[] {
    type Named = { readonly name?: string; readonly queueName?: string };
    const written = [LEFT.bullmqProcessor, LEFT.bullmqQueueEvents, LEFT.bullQueue].map((key) => read<Named>(key, type));
    const { name: queue, queueName = queue } = written.find((one) => one !== undefined) ?? {};
    return (
      [
        ['worker event', LEFT.bullmqWorkerEvent],
        ['queue event', LEFT.bullmqQueueEvent],
        ['queue event', LEFT.bullEvent],
      ] as const
    ).flatMap(([kind, key]): BackgroundFact[] => {
      const left = read<{ eventName?: string }>(key, method);
      if (left === undefined || queueName === undefined) return [];
      return [
        { on: `${queueName} ${left.eventName}`, kind, handler: name, ...(perRequest && { doesNotRun: PER_REQUEST }) },
      ];
    });
  }

  /** The names of what the registry holds: of the decorated ones that run, and of those that code has added. */
  private registeredSchedules(): Record<'cron' | 'interval' | 'timeout', Set<string>> {
    const registry = this.wrappers().find(({ token }) => tokenName(token) === 'SchedulerRegistry')?.instance as
      { getCronJobs?(): Map<string, unknown>; getIntervals?(): string[]; getTimeouts?(): string[] } | undefined;
    return {
      cron: new Set(registry?.getCronJobs?.().keys()),
      interval: new Set(registry?.getIntervals?.()),
      timeout: new Set(registry?.getTimeouts?.()),
    };
  }

  private orAbsent(entries: readonly BackgroundFact[], modules: readonly string[], from: string): BackgroundFacts {
    const present = [...this.modules.values()].some(({ name }) => modules.includes(name));
    if (present) return { entries };
    return {
      absent:
        entries.length === 0
          ? `${from} is not in this application.`
          : `${entries.map(({ handler }) => handler).join(', ')} are decorated, but no module of ${from} is imported: they never run.`,
    };
  }

  private wrappers(): InstanceWrapper[] {
    return [...this.modules.values()].flatMap(({ providers, controllers }) => [
      ...providers.values(),
      ...controllers.values(),
    ]);
  }

  private types(): Function[] {
    const types = this.wrappers().flatMap((wrapper) => (wrapper.isAlias ? [] : (typeOf(wrapper) ?? [])));
    return [...new Set(types)];
  }

  private methods(): FoundMethod[] {
    const scoped = new Set(
      this.wrappers().flatMap((wrapper) => (wrapper.isDependencyTreeStatic() ? [] : (typeOf(wrapper) ?? []))),
    );
    return this.types().flatMap((type) =>
      this.scanner.getAllMethodNames(type.prototype as object).map((name) => ({
        name: `${type.name}.${name}`,
        method: (type.prototype as Record<string, object>)[name]!,
        type,
        perRequest: scoped.has(type),
      })),
    );
  }
}

// oxlint-disable-next-line no-unnecessary-type-parameters -- whoever reads says what a decorator has left there
function read<T>(key: string, on: object): T | undefined {
  return Reflect.getMetadata(key, on) as T | undefined;
}
