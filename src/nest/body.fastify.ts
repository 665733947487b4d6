/**
 * The body of a gate's request on Fastify, read in the route's `preParsing`. Fastify's parsers are then told that there
 * is none: they would measure it by the application's limit, refuse other media types in their own words and fail on
 * `__proto__`.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readMcpBody, type McpBody } from '../gate/body.js';
import { exchangeOf, type McpCoveredHeaders } from './exchange.js';
import type { PlacedRoute } from './gate.route.js';

/** What is used of a request of Fastify. Setting `headers` lays them over those of the raw request. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  get headers(): IncomingHttpHeaders;
  set headers(headers: IncomingHttpHeaders | undefined);
  body: unknown;
}

type PreParsing = (
  request: FastifyRequestLike,
  reply: unknown,
  payload: IncomingMessage,
  parse: (error: null, payload: IncomingMessage) => void,
) => void;
type PreValidation = (request: FastifyRequestLike, reply: unknown, done: () => void) => void;

interface RouteOptions {
  preParsing?: PreParsing | PreParsing[];
  preValidation?: PreValidation | PreValidation[];
}

/** What is used of a Fastify instance. */
export interface FastifyLike {
  addHook(name: 'onRoute', hook: (route: RouteOptions) => void): unknown;
}

/** Adds the hooks to the gates' routes. They answer nothing: guards have their turn first, then the controller. */
export function stashBodyOnFastify(app: FastifyLike, registering: () => PlacedRoute | undefined): void {
  app.addHook('onRoute', (options) => {
    const route = registering();
    if (route === undefined) return;
    const read: PreParsing = (request, _reply, payload, parse) => {
      void readMcpBody(sourceOf(request, payload), route.bodyLimit).then((body) => {
        stash(request, body);
        return parse(null, payload);
      });
    };
    const uncover: PreValidation = (request, _reply, done) => {
      const { covered } = exchangeOf(request);
      if (covered !== undefined) request.headers = covered.headers;
      done();
    };
    options.preParsing = [...listed(options.preParsing), read];
    options.preValidation = [uncover, ...listed(options.preValidation)];
  });
}

function stash(request: FastifyRequestLike, body: McpBody): void {
  const exchange = exchangeOf(request);
  exchange.body = body;
  if ('value' in body) request.body = body.value;
  exchange.covered = cover(request);
}

/** A hook of the application may have put another stream in the body's place, for instance to inflate it. */
function sourceOf(request: FastifyRequestLike, payload: IncomingMessage): IncomingMessage {
  return payload === request.raw ? payload : Object.assign(payload, { headers: request.headers });
}

/** The headers that announce a body. Fastify lays what is set over the headers of the raw request. */
const COVER: IncomingHttpHeaders = Object.freeze({
  'content-type': undefined,
  'content-length': undefined,
  'transfer-encoding': undefined,
});

/** Hides the headers that announce a body, and gives what to put back. */
function cover(request: FastifyRequestLike): McpCoveredHeaders {
  const headers = request.headers;
  if (headers === request.raw.headers) {
    request.headers = COVER;
    return NONE_SET;
  }
  request.headers = { ...headers, ...COVER };
  return { headers };
}

const NONE_SET: McpCoveredHeaders = { headers: undefined };

function listed<T>(hooks: T | T[] | undefined): T[] {
  return hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks];
}
