/**
 * The messages of the wire, as far as this server reads and writes them.
 */

/** Identifies a request. Never `null`, never fractional (P3). */
export type RequestId = string | number;

/** What is sent without an answer being awaited. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What a server asks of a client (in legacy revisions; a modern client is asked by a result). */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A result, whole. */
export interface JsonRpcResult {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: Readonly<Record<string, unknown>>;
}

/** An error. Without `id` when it could not be read. */
export interface JsonRpcError {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What answers one request. */
export type JsonRpcResponse = JsonRpcResult | JsonRpcError;

/** Whether a message of a client answers one of ours. */
export function isResponse(message: unknown): message is Record<string, unknown> {
  return isObject(message) && !('method' in message) && ('result' in message || 'error' in message);
}

/** `typeof value === 'object'` without `null` and arrays. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
