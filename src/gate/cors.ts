/**
 * What a browser must be told before a listed web page may call a gate; nothing is said to any other origin (G5).
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

const ALLOWED_HEADERS = ['content-type', 'accept', 'authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
const PREFLIGHT_SECONDS = 600;

/** Headers of any response to a request whose `Origin` was found on the list. */
export function corsHeaders(origin: string): OutgoingHttpHeaders {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'WWW-Authenticate', Vary: 'Origin' };
}

/** Whether a request is a browser's question before the real one. */
export function isPreflight(req: IncomingMessage): boolean {
  const { origin } = req.headers;
  return req.method === 'OPTIONS' && origin !== undefined && 'access-control-request-method' in req.headers;
}

/** Headers that answer it: POST, with the headers of MCP, among them those that mirror a tool's arguments. */
export function preflightHeaders(req: IncomingMessage): OutgoingHttpHeaders {
  const mirrored = (req.headers['access-control-request-headers'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name));
  return {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...mirrored].join(', '),
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
}
