/**
 * A request as guards see it that are asked again while its stream is open: everything that came with it is there, and nothing
 * that was kept on it since. Request-scoped providers are made anew, and headers that a guard writes go nowhere: those of the
 * answer were sent long ago.
 */
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';
import { ownExchange } from './exchange.js';
import { SilentResponse } from './silent-response.js';

/** Another view of a framework's request: what is written on it stays there. */
export function requestAnew(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  const view = withoutContext(request) as { raw?: unknown };
  // Fastify's has Node's below it, where Nest looks, too.
  if (typeof view.raw === 'object' && view.raw !== null) hide(view, 'raw', withoutContext(view.raw));
  ownExchange(view, new SilentResponse());
  return view;
}

function withoutContext(request: object): object {
  const view = Object.create(request) as object;
  hide(view, REQUEST_CONTEXT_ID, undefined);
  return view;
}

function hide(view: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(view, key, { value, writable: true, configurable: true });
}
