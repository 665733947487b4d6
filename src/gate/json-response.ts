/**
 * A whole response in one piece: JSON, or nothing but a status. Its headers go beside those of the host.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { messageText } from '../protocol/wire-text.js';

/** `no-transform` keeps a compression middleware from holding events back. */
export const NO_STORE = { 'Cache-Control': 'no-store, no-transform' };

/** Sends a whole response: JSON, or nothing but a status. */
export function sendMcpJson(res: ServerResponse, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  if (body === undefined) {
    const ours = { ...NO_STORE, ...(status !== 204 && { 'Content-Length': 0 }) };
    res.writeHead(status, alongside(headers, ours)).end();
    return;
  }
  const text = messageText(body);
  const ours = {
    'Cache-Control': NO_STORE['Cache-Control'],
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  };
  res.writeHead(status, alongside(headers, ours));
  res.end(text); // as text: Node sends it in one piece with the headers
}

/** They say how a body is sent, and the body is ours. */
const FRAMING = ['content-length', 'content-encoding', 'transfer-encoding'];

/** The host's headers with ours, which win whatever the case of a name: one that is sent twice spoils the response. */
export function alongside(given: OutgoingHttpHeaders | undefined, ours: OutgoingHttpHeaders): OutgoingHttpHeaders {
  if (given === undefined || isEmpty(given)) return ours;
  const taken = new Set([...FRAMING, ...Object.keys(ours).map((name) => name.toLowerCase())]);
  const kept = Object.entries(given).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ours };
}

function isEmpty(headers: OutgoingHttpHeaders): boolean {
  for (const _ in headers) return false;
  return true;
}
