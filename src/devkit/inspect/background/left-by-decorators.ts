/**
 * What decorators of `@nestjs/event-emitter`, `@nestjs/schedule`, `@nestjs/bullmq` and `@nestjs/bull` leave on classes and their
 * methods. It is read without them: none of these packages is needed.
 */

/** The keys under which they leave it. */
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

// oxlint-disable-next-line no-unnecessary-type-parameters -- whoever reads says what a decorator has left there
export function leftOn<T>(on: object, key: (typeof LEFT)[keyof typeof LEFT]): T | undefined {
  return Reflect.getMetadata(key, on) as T | undefined;
}

/** A method of a provider or controller. */
export interface FoundMethod {
  /** With its class. */
  readonly name: string;
  readonly method: object;
  readonly type: Function;
  /** Its class is made anew for every request or job. */
  readonly perRequest: boolean;
}

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

/** Why what needs one instance does not run. */
export const PER_REQUEST = 'its class is made for every request: Nest leaves it out';
