/**
 * Takes the headers that a guard writes, in the words of Express, Fastify and Node, where nobody receives them.
 */
export class SilentResponse {
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
