/**
 * Messages of a client of any revision: what it sends, with the headers that mirror it, and what it reads.
 */
import { isObject } from '../../protocol/messages.js';
import { META_KEY } from '../../protocol/read.js';
import { eraOf } from '../../protocol/revisions.js';
import { VERSION } from '../version.js';
import { sseReader } from './sse.js';

/** What the command says of itself. */
export const CLIENT_INFO = { name: 'nestjs-mcp-gate', version: VERSION };

export const ACCEPT = { json: 'application/json, text/event-stream', streamOnly: 'text/event-stream' } as const;

/** The revision in which older clients shake hands. */
export const LEGACY_VERSION = '2025-11-25';

/** A message with its headers. */
export interface RpcMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
}

/** A request in the words of `version`. */
export function rpcRequest(
  version: string,
  { id, method, params = {} }: { readonly id: number | string; readonly method: string; readonly params?: object },
): RpcMessage {
  const modern = eraOf(version) === 'modern';
  const given = params as { readonly _meta?: object; readonly name?: unknown };
  const own = { [META_KEY.version]: version, [META_KEY.capabilities]: {}, [META_KEY.clientInfo]: CLIENT_INFO };
  return {
    headers: {
      'content-type': 'application/json',
      accept: ACCEPT.json,
      ...(method !== 'initialize' && { 'mcp-protocol-version': version }),
      ...(modern && { 'mcp-method': method }),
      ...(modern && typeof given.name === 'string' && { 'mcp-name': headerValue(given.name) }),
    },
    message: { jsonrpc: '2.0', id, method, params: modern ? { ...params, _meta: { ...own, ...given._meta } } : params },
  };
}

/** The parameters of a legacy handshake. */
export function initializeParams(version: string): object {
  return { protocolVersion: version, capabilities: {}, clientInfo: CLIENT_INFO };
}

/** Plain where it is visible ASCII, else Base64 as the specification has it (2026-07-28, Streamable HTTP, value encoding). */
export function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** A message that came back. */
export interface RpcReply {
  readonly jsonrpc: '2.0';
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The messages of an answer, as JSON or as a stream; none when it is neither. */
export function rpcReplies(answer: {
  readonly text: string;
  readonly headers: { readonly 'content-type'?: string };
}): RpcReply[] {
  const texts: string[] = [];
  if (isStream(answer.headers)) sseReader((data) => texts.push(data))(answer.text);
  else texts.push(answer.text);
  return texts.flatMap((text) => parseReply(text) ?? []);
}

/** Whether an answer is a stream of events. */
export function isStream(headers: { readonly 'content-type'?: string }): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** The message in a text, if it is one: with a method, a result, or an error that can be read. */
export function parseReply(text: string): RpcReply | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isReply(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isReply(value: unknown): value is RpcReply {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  const { method, params, result, error } = value;
  if (method !== undefined) return typeof method === 'string' && (params === undefined || isObject(params));
  if (error === undefined) return isObject(result);
  return isObject(error) && typeof error['code'] === 'number' && typeof error['message'] === 'string';
}
