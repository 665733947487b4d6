/**
 * An interceptor whose own time is measured: all of it, but what comes further in.
 */
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, tap, type Observable } from 'rxjs';

/** The same interceptor. `done` is told once when it would have begun if nothing had come further in. */
export function timedInterceptor(interceptor: NestInterceptor, done: (began: number) => void): NestInterceptor {
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
      const end = () => {
        if (!over) done(began + within);
        over = true;
      };
      try {
        return (await interceptor.intercept(context, { handle })).pipe(tap({ complete: end, error: end }));
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}
