/**
 * The body of a gate's request on Fastify, read in the route's `preParsing`. Fastify's parsers are then told that there
 * is none: they would measure it by the application's limit, refuse other media types in their own words and fail on
 * `__proto__`.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readMcpBody } from '../gate/body.js';
import { exchangeOf } from './exchange.js';
import type { PlacedRoute } from './gate.route.js';

/** What is used of a request of Fastify. Setting `headers` lays them over those of the raw request. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  get headers(): IncomingHttpHeaders;
  set headers(headers: IncomingHttpHeaders | undefined);
  body: unknown;
}

type PreParsing = (request: FastifyRequestLike, reply: unknown, payload: IncomingMessage) => Promise<unknown>;
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
    const covered = new WeakMap<FastifyRequestLike, IncomingHttpHeaders | undefined>();
    const read: PreParsing = async (request, _reply, payload) => {
      await stash(request, payload, route.bodyLimit);
      covered.set(request, cover(request));
      return payload;
    };
    const uncover: PreValidation = (request, _reply, done) => {
      if (covered.has(request)) request.headers = covered.get(request);
      done();
    };
    options.preParsing = [...listed(options.preParsing), read];
    options.preValidation = [uncover, ...listed(options.preValidation)];
  });
}

async function stash(request: FastifyRequestLike, payload: IncomingMessage, limit: number): Promise<void> {
  // A hook of the application may have put another stream in the body's place, for instance to inflate it.
  const source = payload === request.raw ? payload : Object.assign(payload, { headers: request.headers });
  const body = await readMcpBody(source, limit);
  exchangeOf(request).body = body;
  if ('value' in body) request.body = body.value;
}

/** Hides the headers that announce a body, and gives what uncovers them again. */
function cover(request: FastifyRequestLike): IncomingHttpHeaders | undefined {
  const before = request.headers;
  request.headers = {
    ...before,
    'content-type': undefined,
    'content-length': undefined,
    'transfer-encoding': undefined,
  };
  return before === request.raw.headers ? undefined : before;
}

function listed<T>(hooks: T | T[] | undefined): T[] {
  return hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks];
}
