/**
 * What routes throw, heard at the place where Nest hands it to exception filters: no filter of the application is changed, and
 * a request that throws nothing costs nothing.
 */
import type { ArgumentsHost } from '@nestjs/common';
import { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';

/** Hears of one exception and the framework's request. */
export type ThrownListener = (request: object, thrown: unknown) => void;

const listeners = new Set<ThrownListener>();
let restore: (() => void) | undefined;

/** Listens until the function that it gives is called. */
export function listenToThrown(listener: ThrownListener): () => void {
  listeners.add(listener);
  restore ??= install();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    restore?.();
    restore = undefined;
  };
}

function install(): () => void {
  const { prototype } = ExceptionsHandler;
  // oxlint-disable-next-line typescript/unbound-method -- called with the handler that it is called on
  const { next } = prototype;
  prototype.next = function (thrown: never, host: ArgumentsHost) {
    const request: unknown = host.getArgByIndex(0);
    if (typeof request === 'object' && request !== null) for (const listener of listeners) listener(request, thrown);
    return next.call(this, thrown, host);
  };
  return () => {
    prototype.next = next;
  };
}
