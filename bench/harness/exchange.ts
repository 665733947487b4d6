/**
 * One exchange, looked at closely: what a server answers is checked before anything is counted.
 */
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { BenchRequest } from '../workload/messages.js';

export interface Exchange {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The messages in the answer: one of a JSON body, all of a stream. */
  readonly messages: readonly Message[];
}

export interface Message {
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

export async function exchange(port: number, request: BenchRequest): Promise<Exchange> {
  const { path, headers, body } = request;
  const req = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers });
  req.setTimeout(60_000, () => req.destroy(new Error(`${path} did not answer within a minute`)));
  req.end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await res.toArray()).toString();
  const type = res.headers['content-type'] ?? '';
  try {
    return { status: res.statusCode ?? 0, type, body: text, messages: messagesOf(type, text) };
  } catch {
    throw new Error(`${path} answered ${res.statusCode} with what is no JSON: ${text.slice(0, 300)}`);
  }
}

function messagesOf(type: string, text: string): Message[] {
  if (!type.startsWith('text/event-stream')) return [JSON.parse(text) as Message];
  return text
    .split('\n\n')
    .map((event) => dataOf(event))
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data) as Message);
}

function dataOf(event: string): string {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
}
