/**
 * The body of a gate's request on Express, read before Express itself begins. Parsers of the application find the stream
 * consumed and let it be, so the gate's limit holds and not theirs; and Node reads a request that Express has not given
 * another prototype yet much faster: it makes the difference to an ordinary route.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMcpBody, type McpBody } from '../gate/body.js';
import { exchangeOf } from './exchange.js';
import type { PlacedRoute } from './gate.route.js';

type ExpressRequest = IncomingMessage & { body?: unknown };
type Handle = (this: unknown, req: ExpressRequest, res: ServerResponse, ...rest: unknown[]) => unknown;

/** What is used of an Express application. */
export interface ExpressLike {
  handle: Handle;
}

/**
 * Stands before the application. It answers nothing: CORS, guards and the refusal of other verbs have their turn, and
 * the controller tells what is wrong with the body.
 */
export function stashBodyOnExpress(app: ExpressLike, gateAt: (path: string) => PlacedRoute | undefined): void {
  const { handle } = app;
  app.handle = function (req, res, ...rest) {
    const route = gateAt(routedPath(req.url ?? ''));
    // A server that wraps the application may have parsed the body already.
    if (route === undefined || req.readableEnded) return handle.call(this, req, res, ...rest);
    void readMcpBody(req, route.bodyLimit).then((body) => {
      stash(req, body);
      return goOn(res, rest, () => handle.call(this, req, res, ...rest));
    });
    return undefined;
  };
}

/** Unless somebody has answered meanwhile (a server around the application that lost its patience); what is thrown goes on. */
function goOn(res: ServerResponse, [next]: readonly unknown[], handle: () => unknown): unknown {
  if (res.headersSent || res.destroyed) return undefined;
  try {
    return handle();
  } catch (error) {
    if (typeof next !== 'function') return res.destroy();
    return (next as (error: unknown) => unknown)(error);
  }
}

function stash(req: ExpressRequest, body: McpBody): void {
  exchangeOf(req).body = body;
  if ('value' in body) req.body = body.value;
  else if (!req.readableEnded) hide(req);
}

/** What is refused is still being drained. Parsers know of a body by these headers, so without them they leave it alone. */
function hide({ headers }: IncomingMessage): void {
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

/** The path as this application routes it: without what a router above it has cut off, also of an absolute URL (P14). */
function routedPath(url: string): string {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}
