/**
 * Faults by which answers and messages are spoilt on the way: for pages, for large messages, for streams.
 */
import type { KnownFault } from './known-fault.js';

export const WIRE_FAULTS = {
  'preflight-refused': {
    check: 'cors',
    means: "The browser's question before a request is not answered well, so the page cannot call.",
    change: 'Let the proxy pass OPTIONS on without asking for a login, and list the origin in allowedOrigins.',
  },
  'origin-refused': {
    check: 'cors',
    means: 'The page cannot call the gate: its origin is not listed.',
    change: 'List the origin in allowedOrigins, exactly, with scheme and port.',
  },
  'preflight-headers': {
    check: 'cors',
    means: 'The browser sends no header that is not allowed, and MCP needs them.',
    change:
      'Leave CORS of this path to the gate, or allow content-type, authorization, mcp-protocol-version, mcp-method and mcp-name.',
  },
  'answer-hidden': {
    check: 'cors',
    means: 'The page may send, and must not read the answer.',
    change: 'Leave CORS of this path to the gate: let the proxy pass Access-Control-Allow-Origin on.',
  },
  'cors-twice': {
    check: 'cors',
    means: 'Two answers to the question who may read are none: browsers refuse.',
    change: 'Let one of both set CORS headers for this path: the gate, or the proxy.',
  },
  'challenge-hidden': {
    check: 'cors',
    means: 'The page cannot read WWW-Authenticate, so it never learns where to sign in.',
    change: 'Let Access-Control-Expose-Headers name WWW-Authenticate.',
  },
  'document-hidden': {
    check: 'cors',
    means: 'The page must not read the RFC 9728 document, so it never learns where to sign in.',
    change: 'Let the proxy pass Access-Control-Allow-Origin of /.well-known/oauth-protected-resource on.',
  },
  'body-limit-before': {
    check: 'body',
    means: 'Something before the gate takes smaller messages than the gate, and its refusal is none that clients read.',
    change:
      'Raise its limit to the bodyLimit of the gate (4 MiB by default): client_max_body_size of nginx, SecRequestBodyLimit of ModSecurity, the limit of an API gateway.',
  },
  'body-cut': {
    check: 'body',
    means: 'A larger message ends in a broken connection.',
    change: 'Look for a limit of sizes or of time for request bodies in the proxy.',
  },
  compressed: {
    check: 'stream',
    means: 'A compressed stream is held back until a block is full: progress arrives late or never.',
    change: 'Do not compress text/event-stream: take it out of gzip_types and the like, and keep no-transform.',
  },
  buffered: {
    check: 'stream',
    means: 'Progress is held back and comes at once with the result.',
    change:
      'Switch buffering off for this path: proxy_buffering off of nginx (it must not ignore X-Accel-Buffering), flush_interval -1 of Caddy, no response buffering of a CDN.',
  },
  'stream-cut': {
    check: 'stream',
    means: 'Calls that last longer end in a broken connection, and what they did is lost.',
    change:
      "Let the proxy wait longer than the gate's heartbeat (15 s) between two pieces, and longer than your longest call in all: proxy_read_timeout of nginx, the idle timeout of a load balancer.",
  },
  'gave-up-waiting': {
    check: 'stream',
    means: 'The proxy gave up before the gate had begun to answer.',
    change:
      "Let the proxy wait longer than stream.graceMs of the gate (5 s) for an answer's beginning, or make that shorter.",
  },
} as const satisfies Readonly<Record<string, KnownFault>>;
