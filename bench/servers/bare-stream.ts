/**
 * Streams as a server would write them that does nothing else.
 */
import type { ServerResponse } from 'node:http';
import { PROGRESS } from '../workload/catalogue.js';

/** One event for each report, each written on its own, then the answer. */
export function streamProgress(res: ServerResponse): void {
  open(res);
  for (let progress = 1; progress <= PROGRESS.reports; progress += 1) {
    const params = { progressToken: 'p', progress, total: PROGRESS.reports };
    send(res, { jsonrpc: '2.0', method: 'notifications/progress', params });
  }
  send(res, { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: PROGRESS.text }] } });
  res.end();
}

/** A stream that says once that it is open, and then nothing. */
export function openStream(res: ServerResponse): void {
  open(res);
  res.write(': open\n\n');
}

function open(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
}

function send(res: ServerResponse, message: object): void {
  res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
