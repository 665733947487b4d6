/**
 * The body of a gate's request on Express, read before any parser of the application: theirs finds the stream consumed
 * and lets it be, so the gate's limit holds and not theirs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMcpBody } from '../gate/body.js';
import { exchangeOf } from './exchange.js';
import type { PlacedRoute } from './gate.route.js';

type ExpressRequest = IncomingMessage & { body?: unknown };
type Middleware = (req: ExpressRequest, res: ServerResponse, next: () => void) => void | Promise<void>;

/** What is used of an Express application. */
export interface ExpressLike {
  use(middleware: Middleware): unknown;
}

/**
 * Adds the middleware. It answers nothing: CORS, guards and the refusal of other verbs have their turn first, and the
 * controller tells what is wrong with the body.
 */
export function stashBodyOnExpress(app: ExpressLike, gateAt: (path: string) => PlacedRoute | undefined): void {
  app.use((req, _res, next) => {
    const route = gateAt(routedPath(req.url ?? ''));
    // A server that wraps the application may have parsed the body already.
    return route === undefined || req.readableEnded ? next() : stash(req, route.bodyLimit, next);
  });
}

async function stash(req: ExpressRequest, limit: number, next: () => void): Promise<void> {
  const body = await readMcpBody(req, limit);
  exchangeOf(req).body = body;
  if ('value' in body) req.body = body.value;
  else if (!req.readableEnded) hide(req);
  next();
}

/** What is refused is still being drained. Parsers know of a body by these headers, so without them they leave it alone. */
function hide({ headers }: IncomingMessage): void {
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** The path as this application routes it: without what a router above it has cut off. */
function routedPath(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
