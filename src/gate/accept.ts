/**
 * What a client takes for an answer, by its `Accept` header (2026-07-28, Streamable HTTP, sending messages).
 */

/** What a client takes. */
export interface McpTaken {
  readonly stream: boolean;
  readonly streamOnly: boolean;
}

/** What the official clients say. */
const USUAL_ACCEPT = 'application/json, text/event-stream';
const USUAL: McpTaken = { stream: true, streamOnly: false };

/** Whether the client takes a stream: it must say so, a bare `*` is a client that knows nothing of MCP. */
export function readAccept(accept: string | undefined): McpTaken {
  if (accept === USUAL_ACCEPT) return USUAL;
  const ranges = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.trim())
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';')[0]!.trim());
  const stream = ranges.includes('text/event-stream');
  const json = ranges.some((range) => range === 'application/json' || range === '*/*' || range === 'application/*');
  return { stream, streamOnly: stream && !json };
}
