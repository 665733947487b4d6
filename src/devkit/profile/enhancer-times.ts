/**
 * How long each guard, interceptor and pipe of a request takes, and the route's own method: measured where Nest runs them, for
 * the requests of one profile alone, and taken away again when it is over.
 */
import type { CanActivate, NestInterceptor, PipeTransform } from '@nestjs/common';
import { GuardsConsumer } from '@nestjs/core/guards/index.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/index.js';
import { PipesConsumer } from '@nestjs/core/pipes/index.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { tap, type Observable } from 'rxjs';
import { className } from '../inspect/names.js';
import { EnhancerSums, type MeasuredKind, type Passage } from './enhancer-sums.js';
import { timedInterceptor } from './timed-interceptor.js';

/** The header that marks the requests of a profile. */
export const PROFILE_HEADER = 'x-nest-profile';

/** Patches what Nest runs enhancers with. `mark` is the header's value, which nobody else knows. */
export class EnhancerTimes {
  readonly sums = new EnhancerSums();
  private readonly within = new AsyncLocalStorage<Passage>();
  private passage: Passage = { began: 0, piped: 0 };
  private readonly undo: (() => void)[] = [];

  constructor(private readonly mark: string) {}

  begin(): void {
    this.patchGuards();
    this.patchInterceptors();
    this.patchPipes();
    const began = (message: unknown) => {
      if (this.isMarked((message as { request: IncomingMessage }).request)) {
        this.passage = { began: performance.now(), piped: 0 };
      }
    };
    const ended = (message: unknown) => {
      if (this.isMarked((message as { request: IncomingMessage }).request)) this.sums.close(this.passage);
    };
    subscribe('http.server.request.start', began);
    subscribe('http.server.response.finish', ended);
    this.undo.push(
      () => unsubscribe('http.server.request.start', began),
      () => unsubscribe('http.server.response.finish', ended),
    );
  }

  end(): void {
    for (const undo of this.undo.splice(0)) undo();
  }

  private patchGuards(): void {
    this.patch(
      GuardsConsumer.prototype,
      'tryActivate',
      (original, times) =>
        async function (guards, args, ...rest) {
          if (!times.isMarked(args[0])) return original.call(this, guards, args, ...rest);
          times.enter();
          for (const guard of guards as CanActivate[]) {
            const timed = times.start('guard', guard);
            const may = await Promise.resolve(original.call(this, [guard], args, ...rest)).finally(timed);
            if (may !== true) return false;
          }
          return true;
        },
    );
  }

  private patchInterceptors(): void {
    this.patch(
      InterceptorsConsumer.prototype,
      'intercept',
      (original, times) =>
        function (interceptors, args, instance, callback, next, ...rest) {
          if (!times.isMarked(args[0]))
            return original.call(this, interceptors, args, instance, callback, next, ...rest);
          const passage = times.enter();
          const timed = interceptors.map((one: NestInterceptor) =>
            timedInterceptor(one, (began) => times.sums.add('interceptor', className(one.constructor), began)),
          );
          const method = async (): Promise<unknown> => {
            const began = performance.now();
            try {
              return await times.within.run(passage, next);
            } finally {
              times.sums.add(
                'handler',
                `${instance.constructor.name}.${callback.name}`,
                Math.max(began, passage.piped),
              );
            }
          };
          const leave = () => void (passage.left = performance.now());
          const result: unknown = original.call(this, timed, args, instance, callback, method, ...rest);
          return Promise.resolve(result).then((given) =>
            isObservable(given) ? given.pipe(tap({ complete: leave, error: leave })) : (leave(), given),
          );
        },
    );
  }

  private patchPipes(): void {
    this.patch(
      PipesConsumer.prototype,
      'apply',
      (original, times) =>
        async function (value, metadata, pipes) {
          const passage = times.within.getStore();
          if (passage === undefined) return original.call(this, value, metadata, pipes);
          let piped: unknown = value;
          for (const pipe of pipes as PipeTransform[]) {
            const timed = times.start('pipe', pipe);
            piped = await Promise.resolve(original.call(this, piped, metadata, [pipe])).finally(timed);
          }
          passage.piped = Math.max(passage.piped, performance.now());
          return piped;
        },
    );
  }

  private isMarked(request: unknown): boolean {
    return (request as Partial<IncomingMessage> | undefined)?.headers?.[PROFILE_HEADER] === this.mark;
  }

  private enter(): Passage {
    this.passage.entered ??= performance.now();
    return this.passage;
  }

  private start(kind: MeasuredKind, part: object): () => void {
    const began = performance.now();
    return () => this.sums.add(kind, className(part.constructor), began);
  }

  private patch<K extends string>(
    // oxlint-disable-next-line typescript/no-explicit-any -- stands in for methods of Nest, whatever they take
    prototype: Record<K, any>,
    name: K,
    make: (original: Patched, times: EnhancerTimes) => Patched,
  ): void {
    const original = prototype[name] as Patched;
    prototype[name] = make(original, this);
    this.undo.push(() => void (prototype[name] = original));
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- see above
type Patched = (this: unknown, ...args: any[]) => unknown;

function isObservable(value: unknown): value is Observable<unknown> {
  return typeof (value as { subscribe?: unknown } | undefined)?.subscribe === 'function';
}
