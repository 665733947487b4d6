/**
 * How long each guard, interceptor and pipe of a request takes, and the route's own method: measured where Nest runs them, for
 * the requests of one profile alone, and taken away again when it is over.
 */
import type { CallHandler, CanActivate, ExecutionContext, NestInterceptor, PipeTransform } from '@nestjs/common';
import { GuardsConsumer } from '@nestjs/core/guards/index.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/index.js';
import { PipesConsumer } from '@nestjs/core/pipes/index.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { defer, tap, type Observable } from 'rxjs';
import { className } from '../inspect/names.js';

/** The header that marks the requests of a profile. */
export const PROFILE_HEADER = 'x-nest-profile';

export type EnhancerKind = 'guard' | 'interceptor' | 'pipe' | 'handler';

/** What one of them took, in all requests together. */
export interface EnhancerTime {
  readonly kind: EnhancerKind;
  readonly name: string;
  readonly calls: number;
  /** Milliseconds. */
  readonly sum: number;
}

/** The parts of a request that are not Nest's enhancers, in all requests together, in milliseconds. */
export interface PhaseTimes {
  readonly requests: number;
  /** Until the first guard, interceptor or the method: middleware, body, routing. */
  readonly before: number;
  /** From the end of the outermost interceptor until the answer is handed to the system. */
  readonly after: number;
}

/** One request on its way. */
interface Passage {
  began: number;
  entered?: number;
  left?: number;
  /** When the last pipe was done. */
  piped: number;
}

/** Patches what Nest runs enhancers with. `mark` is the header's value, which nobody else knows. */
export class EnhancerTimes {
  private readonly times = new Map<string, { kind: EnhancerKind; name: string; calls: number; sum: number }>();
  private readonly phases = { requests: 0, before: 0, after: 0 };
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
      if (this.isMarked((message as { request: IncomingMessage }).request)) this.close(this.passage);
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

  /** What was measured, the slowest first. */
  enhancers(): EnhancerTime[] {
    return [...this.times.values()].toSorted((a, b) => b.sum - a.sum);
  }

  between(): PhaseTimes {
    return this.phases;
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
          const timed = interceptors.map((one: NestInterceptor) => times.timedInterceptor(one));
          const method = async (): Promise<unknown> => {
            const began = performance.now();
            try {
              return await times.within.run(passage, next);
            } finally {
              times.add('handler', `${instance.constructor.name}.${callback.name}`, began, passage.piped);
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
          return pipes.length === 0 ? original.call(this, value, metadata, pipes) : piped;
        },
    );
  }

  /** What is its own: all of it, but what comes further in. */
  private timedInterceptor(interceptor: NestInterceptor): NestInterceptor {
    const { add } = this;
    return {
      async intercept(context: ExecutionContext, inner: CallHandler) {
        const began = performance.now();
        let within = 0;
        const handle = (): Observable<unknown> =>
          defer(() => {
            const from = performance.now();
            const back = () => void (within += performance.now() - from);
            return inner.handle().pipe(tap({ complete: back, error: back }));
          });
        let over = false;
        const done = () => {
          if (!over) add('interceptor', className(interceptor.constructor), began + within);
          over = true;
        };
        try {
          return (await interceptor.intercept(context, { handle })).pipe(tap({ complete: done, error: done }));
        } catch (error) {
          done();
          throw error;
        }
      },
    };
  }

  private isMarked(request: unknown): boolean {
    return (request as Partial<IncomingMessage> | undefined)?.headers?.[PROFILE_HEADER] === this.mark;
  }

  private enter(): Passage {
    this.passage.entered ??= performance.now();
    return this.passage;
  }

  private close({ began, entered, left }: Passage): void {
    const now = performance.now();
    this.phases.requests += 1;
    if (began === 0 || entered === undefined) return;
    this.phases.before += entered - began;
    if (left !== undefined) this.phases.after += now - left;
  }

  private start(kind: EnhancerKind, part: object): () => void {
    const began = performance.now();
    return () => this.add(kind, className(part.constructor), began);
  }

  private readonly add = (kind: EnhancerKind, name: string, began: number, notBefore = 0): void => {
    const key = `${kind} ${name}`;
    const time = this.times.get(key) ?? { kind, name: name.slice(0, 80) || '(anonymous)', calls: 0, sum: 0 };
    time.calls += 1;
    time.sum += Math.max(0, performance.now() - Math.max(began, notBefore));
    this.times.set(key, time);
  };

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
