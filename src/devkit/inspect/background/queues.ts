/**
 * Queues of `@nestjs/bullmq` and `@nestjs/bull`: who works on their jobs, and who hears of them.
 */
import { LEFT, leftOn, PER_REQUEST, type BackgroundFact, type FoundMethod } from './left-by-decorators.js';

const QUEUE = 'BullQueue_';

/**
 * @param tokens what providers are known by: a queue has one of its own
 */
export function queuesOf(
  tokens: readonly string[],
  types: readonly Function[],
  methods: readonly FoundMethod[],
): BackgroundFact[] {
  const queues = new Set(tokens.filter((token) => token.startsWith(QUEUE)));
  return [
    ...[...queues].map((token) => ({ on: token.slice(QUEUE.length), kind: 'queue' })),
    ...types.flatMap(processorOf),
    ...methods.flatMap(jobsOf),
    ...methods.flatMap(eventsOf),
  ];
}

interface OfQueue {
  readonly name?: string;
  readonly queueName?: string;
}

function processorOf(type: Function): BackgroundFact[] {
  const written = leftOn<OfQueue>(type, LEFT.bullmqProcessor) ?? leftOn<OfQueue>(type, LEFT.bullQueue);
  if (written === undefined) return [];
  const options = leftOn(type, LEFT.bullmqWorker);
  return [
    { on: String(written.name), kind: 'processor', handler: type.name, ...(options !== undefined && { options }) },
  ];
}

function jobsOf({ name, method, type }: FoundMethod): BackgroundFact[] {
  const jobs = leftOn<OfQueue[] | OfQueue>(method, LEFT.bullProcess);
  if (jobs === undefined) return [];
  const { name: queue } = leftOn<OfQueue>(type, LEFT.bullQueue) ?? {};
  return [jobs].flat().map((job) => ({
    on: `${String(queue)}${job.name === undefined ? '' : ` ${job.name}`}`,
    kind: 'job',
    handler: name,
  }));
}

const EVENTS = [
  ['worker event', LEFT.bullmqWorkerEvent],
  ['queue event', LEFT.bullmqQueueEvent],
  ['queue event', LEFT.bullEvent],
] as const;

function eventsOf({ name, method, type, perRequest }: FoundMethod): BackgroundFact[] {
  const written = [LEFT.bullmqProcessor, LEFT.bullmqQueueEvents, LEFT.bullQueue].map((key) =>
    leftOn<OfQueue>(type, key),
  );
  const { name: queue, queueName = queue } = written.find((one) => one !== undefined) ?? {};
  return EVENTS.flatMap(([kind, key]): BackgroundFact[] => {
    const left = leftOn<{ eventName?: string }>(method, key);
    if (left === undefined || queueName === undefined) return [];
    const on = `${queueName} ${left.eventName}`;
    return [{ on, kind, handler: name, ...(perRequest && { doesNotRun: PER_REQUEST }) }];
  });
}
