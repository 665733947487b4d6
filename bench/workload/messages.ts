/**
 * What clients send, in both eras: the bytes are the same for every server that speaks the era.
 */

/** *modern*: `_meta` on every request, mirrored in headers; *legacy*: one header names the revision. */
export type Era = 'modern' | 'legacy';

export const ERAS: readonly Era[] = ['modern', 'legacy'];

/** One HTTP request, ready to send. */
export interface BenchRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const REVISION = { modern: '2026-07-28', legacy: '2025-11-25' } as const;

const CLIENT = {
  'io.modelcontextprotocol/protocolVersion': REVISION.modern,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The numbers that every call adds, and what comes out. */
export const SUM = { args: { a: 2, b: 3 }, text: '5' } as const;

/** A `tools/call`; a progress token goes along when the tool is to report. */
export function callRequest(era: Era, name: string, args: object = SUM.args, progressToken?: string): BenchRequest {
  const token = progressToken === undefined ? undefined : { progressToken };
  return request(era, 'tools/call', { name, arguments: args }, token, { 'mcp-name': name });
}

/** A `tools/list`. */
export function listRequest(era: Era): BenchRequest {
  return request(era, 'tools/list', {}, undefined, {});
}

/** The arguments alone, as a route of one's own would take them. */
export function plainRequest(path: string, body: object = SUM.args): BenchRequest {
  return { path, headers: JSON_HEADERS, body: JSON.stringify(body) };
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function request(
  era: Era,
  method: string,
  params: object,
  meta: object | undefined,
  modernHeaders: Readonly<Record<string, string>>,
): BenchRequest {
  const modern = era === 'modern';
  const _meta = modern ? { ...CLIENT, ...meta } : meta;
  return {
    path: '/mcp',
    headers: {
      ...JSON_HEADERS,
      'mcp-protocol-version': REVISION[era],
      ...(modern && { 'mcp-method': method, ...modernHeaders }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, ...(_meta && { _meta }) } }),
  };
}
