/**
 * The last requests, in places that are used over and over: noting one makes nothing that must be collected again, because
 * what stands before every request of an application may cost it next to nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a framework knows of a request, as far as it is looked at. */
export interface ObservedRequest {
  readonly user?: unknown;
  /** Express's. */
  readonly route?: { readonly path?: unknown };
  readonly baseUrl?: string;
}

/** One request. Its place is taken by another when the ring has gone round. */
export class ObservedExchange {
  /** Milliseconds, of the clock of the process. */
  began = 0;
  /** `-1` while it is under way. */
  took = -1;
  method = '';
  /** The pattern of its route; `''` while none has taken it. */
  route = '';
  status = 0;
  subject = '';
  /** The class of the exception that a route, a guard, a pipe or an interceptor threw. */
  error = '';
  /** Node's own, while it is under way. */
  raw: IncomingMessage | undefined = undefined;
  response: ServerResponse | undefined = undefined;
  /** The framework's request, while it is under way. */
  request: ObservedRequest | undefined = undefined;
}

export class RequestRing {
  private readonly places: ObservedExchange[];
  private next = 0;

  constructor(size: number) {
    this.places = Array.from({ length: size }, () => new ObservedExchange());
  }

  /** A request has come. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const place = this.places[this.next]!;
    this.next = this.next + 1 === this.places.length ? 0 : this.next + 1;
    place.began = performance.now();
    place.took = -1;
    place.method = request.method ?? '';
    place.route = '';
    place.status = 0;
    place.subject = '';
    place.error = '';
    place.raw = request;
    place.response = response;
    place.request = request as ObservedRequest;
  }

  /** Its answer was handed to the system. */
  end(request: IncomingMessage, response: ServerResponse): void {
    const place = this.underWay(request);
    if (place === undefined) return;
    const known = place.request!;
    place.took = performance.now() - place.began;
    place.status = response.statusCode;
    if (place.route === '') place.route = expressRoute(known);
    place.subject = subjectOf(known);
    place.raw = undefined;
    place.response = undefined;
    place.request = undefined;
  }

  /** The framework has a route for it. */
  routed(raw: IncomingMessage, route: string, request: ObservedRequest): void {
    const place = this.underWay(raw);
    if (place === undefined) return;
    place.route = route;
    place.request = request;
  }

  /** Something was thrown on the way to its answer. */
  failed(raw: IncomingMessage, error: string): void {
    const place = this.underWay(raw);
    if (place !== undefined) place.error = error;
  }

  /**
   * Where a request is noted; `undefined` when the ring has gone round meanwhile. Looked for from the newest on, where almost
   * all are: to mark the request itself would make each one larger, which costs more.
   */
  private underWay(raw: IncomingMessage): ObservedExchange | undefined {
    const { places } = this;
    for (let at = this.next - 1; at >= 0; at -= 1) if (places[at]!.raw === raw) return places[at];
    for (let at = places.length - 1; at >= this.next; at -= 1) if (places[at]!.raw === raw) return places[at];
    return undefined;
  }

  /** What is remembered, the newest first. */
  newestFirst(): ObservedExchange[] {
    const { places, next } = this;
    return [...places.slice(next), ...places.slice(0, next)].filter(({ method }) => method !== '').toReversed();
  }
}

/**
 * The pattern of the route that Express has found, `''` while it has none. Below a router that is mounted, Express knows what
 * was asked for and not the pattern: that is left out.
 */
export function expressRoute({ route, baseUrl = '' }: ObservedRequest): string {
  const path = route?.path;
  return typeof path === 'string' ? (baseUrl === '' ? path : `…${path}`) : '';
}

const MAX_SUBJECT = 64;

/** Who asks, as far as the application's own authentication has said: an id and nothing else. */
function subjectOf(request: ObservedRequest): string {
  try {
    const { user } = request;
    if (typeof user !== 'object' || user === null) return '';
    const { sub, id, userId } = user as Record<string, unknown>;
    const subject = sub ?? id ?? userId;
    return typeof subject === 'string' || typeof subject === 'number' ? String(subject).slice(0, MAX_SUBJECT) : '';
  } catch {
    return ''; // a getter of the application's: what is thrown in a diagnostics channel ends the process
  }
}
