/**
 * Sees the requests of the application as Node does, in its diagnostics channels: no middleware and no interceptor stands in
 * their way. On Express the route is read off the request, on Fastify its handler is told which it is.
 */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { thrownKind } from '../../tools/thrown.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { RequestRing, type ObservedRequest } from './request-ring.js';
import { listenToThrown } from './thrown-in-routes.js';

const BEGAN = 'http.server.request.start';
const ENDED = 'http.server.response.finish';

/** What Node publishes. */
interface Published {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

@Injectable()
export class RequestObserver implements OnModuleDestroy {
  private readonly ring: RequestRing;
  private server: unknown;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(DEVKIT_SETTINGS) { remember }: ResolvedDevkitSettings,
  ) {
    this.ring = new RequestRing(remember);
    host.init$.subscribe(() => this.install());
  }

  /** Whether there is HTTP to observe: not in a process that speaks over standard input and output. */
  get observes(): boolean {
    return this.stopListening !== undefined;
  }

  /** What is remembered, the newest first. */
  newestFirst(): ReturnType<RequestRing['newestFirst']> {
    return this.ring.newestFirst();
  }

  onModuleDestroy(): void {
    if (!this.observes) return;
    unsubscribe(BEGAN, this.began);
    unsubscribe(ENDED, this.ended);
    this.stopListening?.();
  }

  private install(): void {
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    if (adapter === null) return;
    if (adapter.getType() === 'fastify') tellRoutesOnFastify(adapter.getInstance<FastifyLike>(), this.ring);
    subscribe(BEGAN, this.began);
    subscribe(ENDED, this.ended);
    this.stopListening = listenToThrown((request, thrown) => this.ring.failed(rawOf(request), kindOf(thrown)));
  }

  private readonly began = (message: unknown): void => {
    const { request, response, server } = message as Published;
    if (server === (this.server ??= this.host.httpAdapter.getHttpServer())) this.ring.begin(request, response);
  };

  private readonly ended = (message: unknown): void => {
    const { request, response } = message as Published;
    this.ring.end(request, response);
  };
}

type FastifyHandler = (this: unknown, request: FastifyRequestLike, reply: unknown) => unknown;
type FastifyRequestLike = ObservedRequest & { readonly raw: IncomingMessage };

/** What is used of a Fastify instance. */
interface FastifyLike {
  addHook(name: 'onRoute', hook: (route: { readonly url: string; handler: FastifyHandler }) => void): unknown;
}

function tellRoutesOnFastify(app: FastifyLike, ring: RequestRing): void {
  app.addHook('onRoute', (route) => {
    const { url, handler } = route;
    route.handler = function (request, reply) {
      ring.routed(request.raw, url, request);
      return handler.call(this, request, reply);
    };
  });
}

function rawOf(request: object): IncomingMessage {
  return 'raw' in request ? (request.raw as IncomingMessage) : (request as IncomingMessage);
}

/** The class alone, and only while it is a name: somebody may have put more into it. */
function kindOf(thrown: unknown): string {
  const kind = thrownKind(thrown);
  return /^[\w$.]{1,80}$/.test(kind) ? kind : 'Error';
}
