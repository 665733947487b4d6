/**
 * What the room knows of one HTTP exchange beside the framework's own request: the body that was read before the
 * framework's parser could, the response, and whether the gate has taken it over. Kept off the framework's objects.
 */
import type { McpBody } from '../gate/body.js';

export interface McpExchange {
  body?: McpBody;
  response?: unknown;
  /** The gate writes the answer: nobody else may. */
  taken?: boolean;
}

const exchanges = new WeakMap<object, McpExchange>();

/** The exchange of a framework's request. */
export function exchangeOf(request: object): McpExchange {
  let exchange = exchanges.get(request);
  if (exchange === undefined) exchanges.set(request, (exchange = {}));
  return exchange;
}

/** The framework's response to a request that a gate has taken. */
export function responseTo(request: unknown): unknown {
  return typeof request === 'object' && request !== null ? exchanges.get(request)?.response : undefined;
}
