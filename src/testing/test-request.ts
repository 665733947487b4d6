/**
 * The HTTP request that guards and tools see in a test. Every exchange has one of its own, as over HTTP: request-scoped
 * providers and what a guard writes on the request are not shared by two calls.
 */
import { exchangeOf } from '../nest/exchange.js';

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

/** Takes the headers that a guard writes, in the words of Express, Fastify and Node; nobody receives them. */
class SilentResponse {
  private readonly headers = new Map<string, unknown>();

  setHeader(name: string, value: unknown): this {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }

  header(name: string, value: unknown): this {
    return this.setHeader(name, value);
  }

  set(name: string, value: unknown): this {
    return this.setHeader(name, value);
  }

  getHeader(name: string): unknown {
    return this.headers.get(name.toLowerCase());
  }
}
