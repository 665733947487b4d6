/**
 * The answer to whoever asks who issues tokens for a gate: the RFC 9728 document, for browsers too (A7).
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { checkMcpAccess } from './access.js';
import { refusal, type McpRefusal } from './admittance.js';
import { badHost, type McpProtection } from './protection.js';
import type { ResolvedGateSettings } from './settings.js';

/**
 * The document is public: a web page of any origin may read it, as it must before it can ask for a token. In lower case,
 * as a framework keeps headers: written otherwise it would stand beside that of the application's own CORS.
 */
const PUBLIC: OutgoingHttpHeaders = { 'access-control-allow-origin': '*' };

/** The answer for the gate at `path`. */
export async function metadataAnswer(
  req: IncomingMessage,
  settings: ResolvedGateSettings,
  protection: McpProtection | undefined,
  path: string,
): Promise<McpRefusal> {
  if (!settings.enabled || protection === undefined) return { status: 404 };
  const { origin: _, ...headers } = req.headers;
  const reason = checkMcpAccess({ remoteAddress: req.socket.remoteAddress, headers }, settings);
  if (reason !== undefined) return refusal(req, 403, reason);
  if (req.method === 'OPTIONS') {
    const asked = {
      'Access-Control-Allow-Methods': 'GET',
      'Access-Control-Allow-Headers': 'mcp-protocol-version, accept',
    };
    return { status: 204, headers: { ...PUBLIC, ...asked } };
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return { ...refusal(req, 405, 'This document is read with GET.'), headers: { Allow: 'GET' } };
  }
  const resource = protection.resourceAt(req, path);
  if (resource === undefined) return badHost(req);
  return { status: 200, headers: PUBLIC, body: await protection.document(resource) };
}
