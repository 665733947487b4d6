/** D: what runs without a request, by what decorators of other packages leave. */
import { SetMetadata } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import { randomUUID } from 'node:crypto';
import { BackgroundWork } from '../../src/devkit/inspect/background/background.js';
import { LEFT } from '../../src/devkit/inspect/background/left-by-decorators.js';

class Jobs {
  @SetMetadata(LEFT.event, [{ event: 'paid' }])
  paid() {}
  @SetMetadata(LEFT.scheduleType, 2)
  @SetMetadata(LEFT.interval, { timeout: 500 })
  every() {}
  @SetMetadata(LEFT.scheduleType, 3)
  @SetMetadata(LEFT.timeout, { timeout: 900 })
  once() {}
  @SetMetadata(LEFT.scheduleType, 1)
  @SetMetadata(LEFT.scheduleName, 'nightly')
  @SetMetadata(LEFT.cron, { cronTime: '0 3 * * *' })
  nightly() {}
}

@SetMetadata(LEFT.bullQueue, { name: 'mail' })
class Mail {
  @SetMetadata(LEFT.bullProcess, { name: 'welcome' })
  welcome() {}
  @SetMetadata(LEFT.bullProcess, [{}, { name: 'bill' }])
  rest() {}
}

@SetMetadata(LEFT.bullmqProcessor, { name: 'reports' })
@SetMetadata(LEFT.bullmqWorker, { concurrency: 2 })
class Reports {}

const shared = { isDependencyTreeStatic: () => true };
const ofClass = (type: Function) => ({ ...shared, token: type, isNotMetatype: false, metatype: type });
const ofValue = (token: unknown, instance: unknown) => ({
  ...shared,
  token,
  isNotMetatype: true,
  metatype: null,
  instance,
});

function background(module: string, providers: object[], controllers: object[] = []): BackgroundWork {
  const modules = [
    { name: module, providers: new Map(providers.entries()), controllers: new Map(controllers.entries()) },
  ];
  return new BackgroundWork(new Map(modules.entries()) as never, new MetadataScanner());
}
const entries = (facts: ReturnType<BackgroundWork['events']>) => ('entries' in facts ? facts.entries : facts.absent);

it('listeners: of controllers too, each once, and none of an alias', () => {
  const alias = { ...ofClass(Jobs), isAlias: true };
  const paid = { on: 'paid', kind: 'listener', handler: 'Jobs.paid' };
  expect(entries(background('EventEmitterModule', [], [ofClass(Jobs)]).events())).toStrictEqual([paid]);
  expect(entries(background('EventEmitterModule', [ofClass(Jobs), ofValue('j', new Jobs())]).events())).toEqual([paid]);
  expect(entries(background('EventEmitterModule', [alias]).events())).toEqual([]);
});

it('schedules: times, intervals and timeouts, with the names that they have, and those that code has added', () => {
  const registry = {
    getCronJobs: () =>
      new Map([
        ['of code', {}],
        ['nightly', {}],
      ]),
    getIntervals: () => ['ticking', randomUUID()],
    getTimeouts: () => ['soon', randomUUID()],
  };
  const named = ofValue('SchedulerRegistry', registry);
  expect(entries(background('ScheduleModule', [ofClass(Jobs), named]).schedules())).toStrictEqual([
    { on: '500 ms', kind: 'interval', handler: 'Jobs.every' },
    { on: '900 ms', kind: 'timeout', handler: 'Jobs.once' },
    { on: '0 3 * * *', kind: 'cron', handler: 'Jobs.nightly', options: { name: 'nightly' } },
    { on: 'of code', kind: 'cron in the registry' },
    { on: 'ticking', kind: 'interval in the registry' },
    { on: 'soon', kind: 'timeout in the registry' },
  ]);
});

it('queues: each once, with its processors and jobs, of either package', () => {
  const queue = ofValue('BullQueue_mail', {});
  expect(
    entries(background('BullModule', [queue, { ...queue }, ofClass(Mail), ofClass(Reports)]).queues()),
  ).toStrictEqual([
    { on: 'mail', kind: 'queue' },
    { on: 'mail', kind: 'processor', handler: 'Mail' },
    { on: 'reports', kind: 'processor', handler: 'Reports', options: { concurrency: 2 } },
    { on: 'mail welcome', kind: 'job', handler: 'Mail.welcome' },
    { on: 'mail', kind: 'job', handler: 'Mail.rest' },
    { on: 'mail bill', kind: 'job', handler: 'Mail.rest' },
  ]);
});

it('says which package is not there, and looks into no function that is no class', () => {
  const work = background('ShopModule', [{ ...shared, token: 'f', isNotMetatype: false, metatype: () => 1 }]);
  expect(work.events()).toEqual({ absent: '@nestjs/event-emitter is not in this application.' });
  expect(work.queues()).toEqual({ absent: '@nestjs/bullmq or @nestjs/bull is not in this application.' });
});
