/**
 * The HTTP request that guards and tools see in a test. Every exchange has one of its own, as over HTTP: request-scoped
 * providers and what a guard writes on the request are not shared by two calls.
 */
import { exchangeOf } from '../nest/exchange.js';
import { SilentResponse } from '../nest/silent-response.js';

type Headers = Record<string, unknown>;

/** A copy of what the test gives. It has `headers`, with lower-cased names as Node gives them. */
export function testRequest(given: object = {}): object {
  const request = Object.assign(Object.create(Object.getPrototypeOf(given) as object) as object, given, {
    headers: lowerCased((given as { headers?: Headers }).headers ?? {}),
  });
  exchangeOf(request).response = new SilentResponse();
  return request;
}

function lowerCased(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
