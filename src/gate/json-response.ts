/**
 * A whole response in one piece: JSON, or nothing but a status. Its headers go beside those of the host.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { messageWire, type McpWirePieces } from '../protocol/wire-text.js';

/** `no-transform` keeps a compression middleware from holding events back. */
export const NO_STORE = { 'Cache-Control': 'no-store, no-transform' };

/** Sends a whole response: JSON, or nothing but a status. */
export function sendMcpJson(res: ServerResponse, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  if (body === undefined) {
    const ours = { ...NO_STORE, ...(status !== 204 && { 'Content-Length': 0 }) };
    res.writeHead(status, alongside(headers, ours)).end();
    return;
  }
  const wire = messageWire(body);
  if (typeof wire === 'string') sendText(res, status, wire, headers);
  else sendPieces(res, status, wire, headers);
}

function sendText(res: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders | undefined): void {
  const length = Buffer.byteLength(text);
  res.writeHead(status, alongside(headers, jsonOf(length)));
  // As text: Node sends it in one piece with the headers. ASCII is the same in both encodings, and copied in one of them alone.
  res.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** One system call as well, and what is long is not even copied. */
function sendPieces(
  res: ServerResponse,
  status: number,
  [before, long, after]: McpWirePieces,
  headers: OutgoingHttpHeaders | undefined,
): void {
  const length = Buffer.byteLength(before) + long.byteLength + Buffer.byteLength(after);
  res.writeHead(status, alongside(headers, jsonOf(length)));
  res.cork();
  res.write(before);
  res.write(long);
  res.end(after);
}

function jsonOf(length: number): OutgoingHttpHeaders {
  return {
    'Cache-Control': NO_STORE['Cache-Control'],
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
  };
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
