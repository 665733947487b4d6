/**
 * What reading a resource gives back, and how a method's value becomes it.
 */
import { jsonText, jsonValue } from '../tools/json-text.js';
import type { McpResourceContents } from '../tools/result.js';

/** Where a value was read, and what its declaration says of it. */
export interface ReadFrom {
  readonly uri: string;
  readonly mimeType?: string;
}

/**
 * The contents that a value is: text, bytes, ready contents as they are, anything else as JSON; `undefined` for no value,
 * which is no resource.
 *
 * @throws what reading the value throws.
 */
export function toResourceContents(value: unknown, from: ReadFrom): readonly McpResourceContents[] | undefined {
  if (value === undefined || value === null) return undefined;
  const ready = readyContents(value);
  if (ready !== undefined) return ready.map((contents) => completed(contents, from));
  if (typeof value === 'string') return [{ uri: from.uri, mimeType: from.mimeType ?? 'text/plain', text: value }];
  const bytes = bytesOf(value);
  if (bytes !== undefined) {
    return [{ uri: from.uri, mimeType: from.mimeType ?? 'application/octet-stream', blob: base64(bytes) }];
  }
  return [{ uri: from.uri, mimeType: jsonType(from.mimeType), text: jsonText(value) ?? 'null' }];
}

/** Contents that say their own URI; bytes in them are still to be made Base64. */
interface ReadyContents {
  readonly uri: string;
  readonly text?: unknown;
  readonly blob?: unknown;
}

/** A value that is contents already, several, or a whole result. Data that merely looks like a part of them is data. */
function readyContents(value: unknown): readonly ReadyContents[] | undefined {
  const contents = (value as { contents?: unknown }).contents;
  const given: readonly unknown[] = Array.isArray(value) ? value : Array.isArray(contents) ? contents : [value];
  const list = Array.from(given); // `every` would pass over holes
  return list.length > 0 && list.every(isReady) ? list : undefined;
}

function isReady(value: unknown): value is ReadyContents {
  if (typeof value !== 'object' || value === null) return false;
  const { uri, text, blob } = value as Partial<ReadyContents>;
  return (
    typeof uri === 'string' && (typeof text === 'string' || typeof blob === 'string' || bytesOf(blob) !== undefined)
  );
}

function completed(contents: ReadyContents, { mimeType }: ReadFrom): McpResourceContents {
  const { text, blob, ...rest } = contents;
  const bytes = bytesOf(blob);
  const sendable = jsonValue(rest) as { uri: string; text: string };
  return {
    ...(mimeType !== undefined && { mimeType }),
    ...sendable,
    ...(typeof text === 'string' && { text }),
    ...(bytes !== undefined && { blob: base64(bytes) }),
    ...(typeof blob === 'string' && { blob }),
  };
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** JSON is declared as JSON of some kind, or it is called so. */
function jsonType(declared: string | undefined): string {
  return declared !== undefined && /[/+]json\b/.test(declared) ? declared : 'application/json';
}
