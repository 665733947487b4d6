/**
 * Real HTTP on 127.0.0.1: a server per test file, and requests whose every byte a test controls.
 */
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A server on a free port, and its end. */
export async function listen(
  listener: RequestListener,
): Promise<{ port: number; server: Server; close(): Promise<void> }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    server,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The messages of an SSE stream, or the one message of a JSON answer. */
  readonly messages: readonly Record<string, unknown>[];
}

export interface Asked {
  method?: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer;
}

/** What an MCP client sends with every POST. */
export const CLIENT_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One request on a connection of its own, answered to the end. A header that is `undefined` is not sent. */
export async function send(port: number, { method = 'POST', headers = {}, body }: Asked): Promise<Answer> {
  const all = Object.entries<string | string[] | undefined>({ ...CLIENT_HEADERS, ...headers });
  const sent = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Record<string, string | string[]>;
  const req = request({ port, host: '127.0.0.1', method, headers: sent, agent: false });
  req.end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let text = '';
  res.setEncoding('utf8');
  for await (const chunk of res) text += chunk as string;
  return { status: res.statusCode ?? 0, headers: res.headers, text, messages: messagesOf(res.headers, text) };
}

function messagesOf(headers: IncomingHttpHeaders, text: string): Record<string, unknown>[] {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) return eventsOf(text);
  return type.startsWith('application/json') && text !== '' ? [JSON.parse(text) as Record<string, unknown>] : [];
}

/** The messages of complete SSE events; comments are none. */
export function eventsOf(text: string): Record<string, unknown>[] {
  return [...text.matchAll(/^event: message\ndata: (.*)\n\n/gm)].map(
    ([, data]) => JSON.parse(data!) as Record<string, unknown>,
  );
}

/** A connection written to by hand. */
export interface Wire {
  readonly socket: Socket;
  /** All that came back so far. */
  readonly text: string;
  /** Waits until what came back matches. */
  until(pattern: RegExp): Promise<string>;
}

export async function dial(port: number): Promise<Wire> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  let text = '';
  let look: () => void = () => undefined;
  socket.on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return {
    socket,
    get text() {
      return text;
    },
    until: (pattern) =>
      new Promise((resolve) => {
        look = () => {
          if (pattern.test(text)) resolve(text);
        };
        look();
      }),
  };
}

/** The text of a POST. */
export function postText(body: string, headers: Record<string, string> = {}): string {
  const all = { host: 'localhost', ...CLIENT_HEADERS, 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
