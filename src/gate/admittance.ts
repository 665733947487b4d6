/**
 * What is decided before the body counts: a gate that is off, a stranger, a browser's question, a verb.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { MCP_ERROR, McpProtocolError } from '../protocol/errors.js';
import { refuseMcpMessage } from '../protocol/handle-message.js';
import { checkMcpAccess } from './access.js';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.js';
import type { ResolvedGateSettings } from './settings.js';

/** An answer without asking the protocol. */
export interface McpRefusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: OutgoingHttpHeaders;
}

/** Why a request does not come in; `undefined` when it does. */
export function refuseEntry(req: IncomingMessage, settings: ResolvedGateSettings): McpRefusal | undefined {
  if (!settings.enabled) return { status: 404 };
  const reason = checkMcpAccess({ remoteAddress: req.socket.remoteAddress, headers: req.headers }, settings);
  if (reason !== undefined) return refusal(req, 403, reason);
  if (isPreflight(req)) return { status: 204, headers: preflightHeaders(req) };
  if (req.method === 'POST') return undefined;
  return { ...refusal(req, 405, 'This gate is called with POST.'), headers: { Allow: 'POST' } };
}

/**
 * A refusal with a sentence for whoever reads the body. `message` is what was sent, where it was read already: the answer
 * has its id.
 */
export function refusal(
  req: Pick<IncomingMessage, 'headers'>,
  status: number,
  text: string,
  message?: unknown,
): McpRefusal {
  const code = status >= 500 ? MCP_ERROR.internal : MCP_ERROR.invalidRequest;
  return refuseMcpMessage(new McpProtocolError(status, code, text), req, message);
}

/**
 * The headers of any answer: the host's, and CORS for an origin on the list where the host has set none of its own. Beside
 * the host's own a page may read our challenge all the same, or it could neither log in nor step up.
 */
export function answerHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  given: OutgoingHttpHeaders | undefined,
  allowedOrigins: readonly string[],
): OutgoingHttpHeaders | undefined {
  const { origin } = req.headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return given;
  const set = (name: string) =>
    res.getHeader(name) ?? Object.entries(given ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
  if (set('access-control-allow-origin') === undefined) return { ...given, ...corsHeaders(origin) };
  const exposed = [set(EXPOSED) ?? [], 'WWW-Authenticate'].flat().join(', ');
  return { ...given, [EXPOSED]: exposed };
}

/** In lower case, as frameworks keep it, so that it takes the place of theirs. */
const EXPOSED = 'access-control-expose-headers';
