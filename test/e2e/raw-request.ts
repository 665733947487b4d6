/**
 * A request written by hand, for what no client would send.
 */
import { request, type IncomingHttpHeaders } from 'node:http';

export interface RawRequest {
  body?: string | Buffer;
  headers?: Record<string, string | string[]>;
  method?: string;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends it on a connection of its own; headers default to those of an MCP client, an empty one is left out. */
export function rawRequest(url: URL, { body, headers = {}, method = 'POST' }: RawRequest): Promise<RawAnswer> {
  const merged = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  const sent = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers: sent, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    req.on('error', reject);
    if (body !== undefined) req.setHeader('content-length', Buffer.byteLength(body));
    req.end(body);
  });
}
