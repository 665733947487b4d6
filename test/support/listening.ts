/** A client that listens over real HTTP, on a connection of its own, and what it is told there. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { CLIENT_HEADERS, eventsOf } from './http.js';
import { holdNotification } from './official-schemas.js';
import { request } from './protocol.js';

const TAG = 'io.modelcontextprotocol/subscriptionId';
const tagged = (method: string, id: unknown, params: object = {}) => ({
  jsonrpc: '2.0',
  method,
  params: { _meta: { [TAG]: id }, ...params },
});

export const acknowledged = (notifications: object, id: unknown = 1) =>
  tagged('notifications/subscriptions/acknowledged', id, { notifications });
export const changed = (what = 'tools', id: unknown = 1) => tagged(`notifications/${what}/list_changed`, id);
export const updated = (uri: string, id: unknown = 1) => tagged('notifications/resources/updated', id, { uri });
/** What ends a subscription from the server's side. */
export const ended = (id: unknown = 1, serverInfo: object = { name: 'shop', version: '0.0.0' }) => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', _meta: { [TAG]: id, 'io.modelcontextprotocol/serverInfo': serverInfo } },
});

export interface Listening {
  readonly res: IncomingMessage;
  /** The next message. */
  next(): Promise<unknown>;
  /** All that comes before that a URI is told of. */
  before(uri: string): Promise<unknown[]>;
  /** All that comes until the server ends the stream. */
  rest(): Promise<unknown[]>;
  leave(): void;
}

export interface Listener {
  id?: string | number;
  headers?: OutgoingHttpHeaders;
  path?: string;
}

/** Opens a subscription. Every notification that comes is held against the official schemas. */
export async function listen(
  port: number,
  notifications: object,
  { id = 1, headers = {}, path = '/mcp' }: Listener = {},
): Promise<Listening> {
  const { message, headers: own } = request('2026-07-28', 'subscriptions/listen', { notifications }, id);
  const all = { ...(own as OutgoingHttpHeaders), ...CLIENT_HEADERS, ...headers };
  const req = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers: all });
  req.on('error', () => undefined);
  req.end(JSON.stringify(message));
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  res.setEncoding('utf8');
  res.on('error', () => undefined);
  return new Stream(res, () => req.destroy());
}

class Stream implements Listening {
  private text = '';
  private taken = 0;
  private readonly waiting: unknown[] = [];

  constructor(
    readonly res: IncomingMessage,
    readonly leave: () => void,
  ) {}

  async next(): Promise<unknown> {
    for (;;) {
      this.take();
      if (this.waiting.length > 0) return this.waiting.shift();
      if (this.res.readableEnded) throw new Error(`The stream has ended: ${this.text}`);
      await once(this.res, 'readable');
    }
  }

  async before(uri: string): Promise<unknown[]> {
    const messages: unknown[] = [];
    for (;;) {
      const message = (await this.next()) as { params?: { uri?: string } };
      if (message.params?.uri === uri) return messages;
      messages.push(message);
    }
  }

  async rest(): Promise<unknown[]> {
    const end = once(this.res, 'end');
    this.res.on('readable', () => this.take());
    this.take();
    if (!this.res.readableEnded) await end;
    return this.waiting.splice(0);
  }

  private take(): void {
    const { res } = this;
    for (let chunk = res.read() as string | null; chunk !== null; chunk = res.read() as string | null) {
      this.text += chunk;
    }
    const messages = eventsOf(this.text).slice(this.taken);
    this.taken += messages.length;
    for (const each of messages) if ('method' in each) holdNotification(each);
    this.waiting.push(...messages);
  }
}
