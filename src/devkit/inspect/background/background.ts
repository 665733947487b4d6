/**
 * What runs without a request: listeners of events, schedules and queues, and why something that is decorated does not.
 */
import { Injectable } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { tokenName } from '../names.js';
import { typeOf } from '../providers.js';
import { LEFT, leftOn, type BackgroundFact, type FoundMethod } from './left-by-decorators.js';
import { queuesOf } from './queues.js';
import { schedulesOf, type ScheduleRegistry } from './schedules.js';

/** What there is of one subject, or why there is nothing. */
export type BackgroundFacts = { readonly entries: readonly BackgroundFact[] } | { readonly absent: string };

@Injectable()
export class BackgroundWork {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
  ) {}

  events(): BackgroundFacts {
    return this.orAbsent(this.methods().flatMap(listenersOf), 'EventEmitterModule', '@nestjs/event-emitter');
  }

  schedules(): BackgroundFacts {
    const registry = this.wrappers().find(({ token }) => tokenName(token) === 'SchedulerRegistry');
    const schedules = schedulesOf(this.methods(), registry?.instance as ScheduleRegistry | undefined);
    return this.orAbsent(schedules, 'ScheduleModule', '@nestjs/schedule');
  }

  queues(): BackgroundFacts {
    const tokens = this.wrappers().map(({ token }) => tokenName(token));
    const queues = queuesOf(tokens, this.types(), this.methods());
    return this.orAbsent(queues, 'BullModule', '@nestjs/bullmq or @nestjs/bull');
  }

  private orAbsent(entries: readonly BackgroundFact[], module: string, from: string): BackgroundFacts {
    const isPresent = [...this.modules.values()].some(({ name }) => name === module);
    if (isPresent) return { entries };
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
    return [...new Set(types)].filter((type) => typeof type.prototype === 'object' && type.prototype !== null);
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

function listenersOf({ name, method }: FoundMethod): BackgroundFact[] {
  const left = leftOn<{ event: unknown; options?: unknown }[]>(method, LEFT.event) ?? [];
  return left.map(({ event, options }) => ({
    // a list is ONE event, the parts of its path: joined as the emitter is set up
    on: Array.isArray(event) ? JSON.stringify(event.map(String)) : String(event),
    kind: 'listener',
    handler: name,
    ...(options !== undefined && { options }),
  }));
}
