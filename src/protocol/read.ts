/**
 * A message read into the one shape that every method works with, whichever era it came from.
 */
import { isMcpLogLevel, MCP_LOG_LEVELS, type McpLogLevel } from '../runs/log.js';
import type { McpMessageContext } from './context.js';
import { McpProtocolError } from './errors.js';
import { checkStandardHeaders, headerText } from './headers.js';
import { isObject, type RequestId } from './messages.js';
import {
  checkProtocolVersion,
  eraOf,
  HEADERLESS_VERSION,
  negotiateVersion,
  type McpEra,
  type McpVersion,
} from './revisions.js';

/** Keys of `_meta` in modern messages (2026-07-28, basic, `_meta`). */
export const META_KEY = Object.freeze({
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  logLevel: 'io.modelcontextprotocol/logLevel',
});

/** Longer ids are refused: they would be echoed, and kept as long as the run lasts. */
const MAX_ID_LENGTH = 1_000;

/** A request, understood. */
export interface McpCall {
  /** As it came, with whatever else stands in it. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly version: McpVersion;
  readonly era: McpEra;
  readonly progressToken: RequestId | undefined;
  /** What the client can do; nothing where nobody knows. */
  readonly capabilities: Readonly<Record<string, unknown>> | undefined;
  /** As in `McpRunRequest`. */
  readonly logLevel?: McpLogLevel | 'as-set' | undefined;
}

/** A notification, understood. */
export interface McpNotice {
  readonly id: undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly era: McpEra;
}

const NO_PARAMS: Readonly<Record<string, unknown>> = Object.freeze({});

/** The id of a message that may be anything, if it has a usable one: errors echo it (P14). */
export function readableId(message: unknown): RequestId | undefined {
  return isObject(message) && isRequestId(message['id']) ? message['id'] : undefined;
}

/** The revision that a message names in its `_meta`, whatever that says there. */
export function declaredVersion({ params }: Readonly<Record<string, unknown>>): unknown {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta[META_KEY.version] : undefined;
}

/**
 * Reads one message.
 *
 * @throws McpProtocolError for the first rule that it breaks: id (P3), envelope, params (P4), revision (P5, P6),
 * `_meta` and headers (P11).
 */
export function readMessage(message: unknown, context: McpMessageContext): McpCall | McpNotice {
  if (!isObject(message)) throw McpProtocolError.invalidRequest('A message is a JSON object.');
  const id = message['id'];
  if (id !== undefined && !isRequestId(id)) {
    throw McpProtocolError.invalidRequest(
      `A request id is a string of at most ${MAX_ID_LENGTH} characters or an integer; leave it out for a notification.`,
    );
  }
  const method = readMethod(message);
  const params = readParams(message['params']);
  const meta = readMeta(params);
  if (id === undefined) {
    return { id, method, params, era: eraOf(readVersion(method, params, meta, context)) };
  }
  const version = readVersion(method, params, meta, context);
  const era = eraOf(version);
  if (era === 'modern') checkModernRequest(method, params, meta, context);
  const progressToken = meta?.['progressToken'];
  if (progressToken !== undefined && !isRequestId(progressToken)) {
    throw McpProtocolError.invalidParams('"_meta.progressToken" is a string or an integer.');
  }
  const logLevel = era === 'modern' ? (meta?.[META_KEY.logLevel] as McpLogLevel | undefined) : 'as-set';
  const capabilities = era === 'modern' ? meta?.[META_KEY.capabilities] : context.agreedCapabilities;
  return {
    message,
    id,
    method,
    params,
    version,
    era,
    logLevel,
    progressToken,
    capabilities: isObject(capabilities) ? capabilities : undefined,
  };
}

function readMethod(message: Record<string, unknown>): string {
  if (message['jsonrpc'] !== '2.0') throw McpProtocolError.invalidRequest('"jsonrpc" must be "2.0".');
  const method = message['method'];
  if (typeof method === 'string' && method !== '') return method;
  if ('result' in message || 'error' in message) {
    throw McpProtocolError.invalidRequest('No request of this server awaits a response.');
  }
  throw McpProtocolError.invalidRequest('"method" must be a string that names a method.');
}

function readParams(params: unknown): Readonly<Record<string, unknown>> {
  if (params === undefined) return NO_PARAMS;
  if (Array.isArray(params)) throw McpProtocolError.invalidParams('"params" is an object: name the parameters.');
  if (!isObject(params)) throw McpProtocolError.invalidRequest('"params" is an object when it is present.');
  return params;
}

function readMeta(params: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const meta = params['_meta'];
  if (meta === undefined) return undefined;
  if (!isObject(meta)) throw McpProtocolError.invalidParams('"_meta" is an object when it is present.');
  return meta;
}

/** The revision that a message is spoken in: what `_meta` says, else the header, else what the transport assumes. */
function readVersion(
  method: string,
  params: Readonly<Record<string, unknown>>,
  meta: Record<string, unknown> | undefined,
  context: McpMessageContext,
): McpVersion {
  const { headers, server } = context;
  const declared = meta?.[META_KEY.version];
  const header = headers && headerText(headers, 'mcp-protocol-version');
  if (declared !== undefined) {
    if (typeof declared !== 'string')
      throw McpProtocolError.invalidParams(`"_meta" "${META_KEY.version}" is a string.`);
    if (headers && header !== declared && (header !== undefined || eraOf(declared) === 'modern')) {
      throw McpProtocolError.headerMismatch(
        header === undefined
          ? 'Header mismatch: MCP-Protocol-Version is missing: it must mirror the version in "_meta".'
          : 'Header mismatch: MCP-Protocol-Version does not match the version in "_meta".',
      );
    }
    return checkProtocolVersion(declared, server.versions);
  }
  // "initialize" agrees on the revision (P7): the header of a client that has spoken to others before binds nobody.
  if (method === 'initialize' && (header === undefined || eraOf(header) === 'legacy')) {
    const requested = params['protocolVersion'];
    if (typeof requested !== 'string') {
      throw McpProtocolError.invalidParams('"protocolVersion" of "initialize" is a string.');
    }
    return negotiateVersion(requested, server.versions);
  }
  if (header !== undefined) return checkProtocolVersion(header, server.versions);
  const assumed = context.assumedVersion ?? HEADERLESS_VERSION;
  if (server.versions.includes(assumed)) return assumed;
  throw McpProtocolError.headerMismatch(
    `Header mismatch: MCP-Protocol-Version is missing. This server speaks ${server.versions.join(', ')}.`,
  );
}

function checkModernRequest(
  method: string,
  params: Readonly<Record<string, unknown>>,
  meta: Record<string, unknown> | undefined,
  context: McpMessageContext,
): void {
  if (meta?.[META_KEY.version] === undefined) throw missingMeta(META_KEY.version);
  if (!isObject(meta[META_KEY.capabilities])) throw missingMeta(META_KEY.capabilities);
  if (meta[META_KEY.clientInfo] !== undefined && !isObject(meta[META_KEY.clientInfo])) {
    throw McpProtocolError.invalidParams(`"_meta" "${META_KEY.clientInfo}" is an object when it is present.`);
  }
  const logLevel = meta[META_KEY.logLevel];
  if (logLevel !== undefined && !isMcpLogLevel(logLevel)) {
    throw McpProtocolError.invalidParams(`"_meta" "${META_KEY.logLevel}" is one of ${MCP_LOG_LEVELS.join(', ')}.`);
  }
  if (context.headers) checkStandardHeaders(context.headers, method, params);
}

function missingMeta(key: string): McpProtocolError {
  return McpProtocolError.invalidParams(`"_meta" must carry "${key}" on every request.`);
}

/** Larger integers are not what the client sent any more: their echo would match no request of its. */
function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value);
}
