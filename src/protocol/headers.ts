/**
 * The headers that mirror a modern request's body, so that intermediaries need not parse it; a request whose headers
 * and body disagree is refused (2026-07-28, Streamable HTTP, request metadata and server validation).
 */
import type { McpHeaderParameter } from '../tools/header-parameters.js';
import { McpProtocolError } from './errors.js';
import type { McpCall } from './read.js';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Methods whose subject is mirrored in `Mcp-Name`, with the parameter that names it. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** One header's text; several fields of one name come joined, so that they match nothing. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/**
 * Checks `Mcp-Method` and `Mcp-Name` against the body.
 *
 * @throws McpProtocolError `-32020`.
 */
export function checkStandardHeaders(
  headers: Headers,
  method: string,
  params: Readonly<Record<string, unknown>>,
): void {
  expectHeader('Mcp-Method', headerText(headers, 'mcp-method'), method);
  const parameter = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  if (parameter === undefined) return;
  const subject = params[parameter];
  if (typeof subject !== 'string') return; // the method itself refuses it
  const sent = headerText(headers, 'mcp-name');
  expectHeader('Mcp-Name', sent === undefined ? undefined : decodeHeaderValue('Mcp-Name', sent), subject);
}

/**
 * Checks `Mcp-Param-*` of a tool against the arguments: a value needs its header, an absent or `null` one must have none.
 * Only clients of a modern revision send them, and only where there are headers.
 *
 * @throws McpProtocolError `-32020`.
 */
export function checkParameterHeaders(
  { era }: Pick<McpCall, 'era'>,
  headers: Headers | undefined,
  parameters: readonly McpHeaderParameter[],
  args: Readonly<Record<string, unknown>>,
): void {
  if (headers === undefined || era === 'legacy') return;
  for (const { header, path } of parameters) {
    const name = `Mcp-Param-${header}`;
    const raw = headerText(headers, name.toLowerCase());
    const value = valueAt(args, path);
    const argument = `the argument "${path.join('.')}"`;
    if (value === undefined || value === null) {
      if (raw !== undefined) throw mismatch(`${name} is sent, but ${argument} is not. Leave it out.`);
      continue;
    }
    if (!isMirrorable(value)) {
      throw mismatch(`${name} cannot mirror ${argument}: send a text, a boolean, or an integer within 2^53 - 1.`);
    }
    if (raw === undefined) throw mismatch(`${name} is missing: it must mirror ${argument}.`);
    if (!sameValue(decodeHeaderValue(name, raw), value)) throw mismatch(`${name} does not match ${argument}.`);
  }
}

/**
 * The text behind a header value: plain visible ASCII, or Base64 between `=?base64?` and `?=`.
 *
 * @throws McpProtocolError `-32020` for characters or Base64 that the specification does not allow.
 */
export function decodeHeaderValue(name: string, raw: string): string {
  if (raw.startsWith('=?base64?') && raw.endsWith('?=') && raw.length >= '=?base64??='.length) {
    const encoded = raw.slice('=?base64?'.length, -'?='.length);
    const text = decodeBase64(encoded);
    if (text === undefined) throw mismatch(`${name} holds Base64 that is not valid UTF-8 text.`);
    return text;
  }
  if (!/^[\x20-\x7e\t]*$/.test(raw))
    throw mismatch(`${name} holds characters outside ASCII; send them as =?base64?...?=.`);
  return raw;
}

function decodeBase64(encoded: string): string | undefined {
  try {
    const binary = atob(encoded);
    if (btoa(binary) !== encoded) return undefined; // without its padding, with spaces, or with bits that no byte has
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Whether a header can say a value: never an object, which of a client's making cannot even be relied on to become a text,
 * nor an integer that is not exactly what was sent any more (2026-07-28, tools, `x-mcp-header`: the safe range).
 */
function isMirrorable(value: unknown): value is string | number | boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value === 'string' || typeof value === 'boolean';
}

/** A value of another type than the declared one is the tool's to refuse, in words for its agent. */
function sameValue(sent: string, value: string | number | boolean): boolean {
  if (Number.isInteger(value)) return /^-?\d+(?:\.0+)?$/.test(sent) && Number(sent) === value;
  return sent === String(value);
}

/** The argument at the end of a path. */
export function valueAt(args: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function expectHeader(name: string, sent: string | undefined, expected: string): void {
  if (sent === undefined) throw mismatch(`${name} is missing: it must mirror the body.`);
  if (sent !== expected) throw mismatch(`${name} does not match the body.`);
}

function mismatch(message: string): McpProtocolError {
  return McpProtocolError.headerMismatch(`Header mismatch: ${message}`);
}
