/**
 * What the room knows of one HTTP exchange beside the framework's own request: the body that was read before the
 * framework's parser could, the response, and whether the gate has taken it over. Kept under one symbol: a WeakMap of
 * requests costs the collector more than the protocol costs.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { McpBody } from '../gate/body.js';

/** What a request's own `headers` were set to, if they were. */
export interface McpCoveredHeaders {
  readonly headers: IncomingHttpHeaders | undefined;
}

export interface McpExchange {
  body?: McpBody;
  response?: unknown;
  /** The gate writes the answer: nobody else may. */
  taken?: boolean;
  /** What the framework knew of headers that are hidden from its parsers. */
  covered?: McpCoveredHeaders;
}

const EXCHANGE = Symbol('nestjs-mcp-gate:exchange');

type Known = { [EXCHANGE]?: McpExchange };

/** The exchange of a framework's request. */
export function exchangeOf(request: object): McpExchange {
  return ((request as Known)[EXCHANGE] ??= { body: undefined, response: undefined, taken: false, covered: undefined });
}

/** Gives a view of a request an exchange of its own: what is answered to the request itself does not concern it. */
export function ownExchange(view: object, response: unknown): void {
  Object.defineProperty(view, EXCHANGE, { value: { body: undefined, response, taken: false, covered: undefined } });
}

/** The framework's response to a request that a gate has taken. */
export function responseTo(request: unknown): unknown {
  return typeof request === 'object' && request !== null ? (request as Known)[EXCHANGE]?.response : undefined;
}
