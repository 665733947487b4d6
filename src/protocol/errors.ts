/**
 * Errors that cross the wire: a code, a sentence that says the way out, and the HTTP status that carries them.
 */
import type { JsonRpcError, RequestId } from './messages.js';

/** Codes of JSON-RPC 2.0 and of the specification (2026-07-28, basic, error codes). */
export const MCP_ERROR = Object.freeze({
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** Before 2026-07-28; since then it is one of invalid parameters. */
  resourceNotFound: -32002,
});

/**
 * An answer that is an error of the protocol. Its message goes to the client: it never holds the text of an exception,
 * a path or a secret (P15).
 */
export class McpProtocolError extends Error {
  override readonly name = 'McpProtocolError';
  /** Set when a challenge must go with the error. */
  insufficientScopes?: readonly string[];
  /** Set when it says that a resource is not there, for which revisions have different codes. */
  isResourceNotFound?: true;

  constructor(
    /** The HTTP status; other transports ignore it. */
    readonly status: number,
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }

  static parse(message: string, status = 400): McpProtocolError {
    return new McpProtocolError(status, MCP_ERROR.parse, message);
  }

  static invalidRequest(message: string, status = 400): McpProtocolError {
    return new McpProtocolError(status, MCP_ERROR.invalidRequest, message);
  }

  /** `404` for a method that is not implemented (2026-07-28, Streamable HTTP, protocol version header). */
  static methodNotFound(method: string): McpProtocolError {
    return new McpProtocolError(404, MCP_ERROR.methodNotFound, `Method not found: ${shortened(method)}`);
  }

  static invalidParams(message: string, status = 400, data?: unknown): McpProtocolError {
    return new McpProtocolError(status, MCP_ERROR.invalidParams, message, data);
  }

  /**
   * Nothing is under this URI, or nothing for this caller: one answer (T12; 2026-07-28, resources, error handling).
   *
   * @param message what the application says of it
   */
  static resourceNotFound(uri: string, message?: string): McpProtocolError {
    const error = McpProtocolError.invalidParams(
      `Resource not found: ${shortened(uri)}${message === undefined ? '' : `. ${message}`}`,
      200,
      { uri: uri.length > MAX_URI_ECHO ? shortened(uri) : uri },
    );
    error.isResourceNotFound = true;
    return error;
  }

  static headerMismatch(message: string): McpProtocolError {
    return new McpProtocolError(400, MCP_ERROR.headerMismatch, message);
  }

  static unsupportedVersion(message: string, data: { supported: string[]; requested: string }): McpProtocolError {
    return new McpProtocolError(400, MCP_ERROR.unsupportedVersion, message, data);
  }

  /** What is asked for needs a client that can do more (2026-07-28, basic, capability negotiation). */
  static missingCapability(message: string, requiredCapabilities: Readonly<Record<string, object>>): McpProtocolError {
    return new McpProtocolError(400, MCP_ERROR.missingCapability, message, { requiredCapabilities });
  }

  /** A fault of the server, met after the request was understood: the HTTP exchange itself went well. */
  static internal(message: string): McpProtocolError {
    return new McpProtocolError(200, MCP_ERROR.internal, message);
  }

  /** The caller's token does not reach for this call; `scopes` are all that the operation needs (A4). */
  static insufficientScope(message: string, scopes: readonly string[]): McpProtocolError {
    const error = new McpProtocolError(403, MCP_ERROR.invalidRequest, message);
    error.insufficientScopes = scopes;
    return error;
  }

  /** The message of the wire. Without an `id` when it could not be read: absent or `null`, as the revision has it. */
  toMessage(id: RequestId | null | undefined): JsonRpcError {
    const error = { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
    return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
  }
}

/** The most characters of a client's own text that an error repeats. */
const MAX_ECHO = 200;

/** A URI is echoed whole, so that its client finds it again, unless it is none that anybody would send. */
const MAX_URI_ECHO = 8_192;

/** A client's text as an error may repeat it. */
export function shortened(text: string): string {
  return text.length <= MAX_ECHO ? text : `${text.slice(0, MAX_ECHO)}…`;
}
