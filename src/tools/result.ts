/**
 * What a tool call gives back, and how a handler's value becomes it (T10).
 */
import { jsonValue } from './json-text.js';
import { mcpText } from './text.js';

/** One part of a result: text, image, audio, an embedded resource or a link to one. */
export type McpContentBlock =
  | { type: 'text'; text: string; [key: string]: unknown }
  | { type: 'image' | 'audio'; data: string; mimeType: string; [key: string]: unknown }
  | { type: 'resource'; resource: McpResourceContents; [key: string]: unknown }
  | { type: 'resource_link'; uri: string; name: string; [key: string]: unknown };

/** What an embedded resource holds: text, or bytes in Base64. */
export type McpResourceContents =
  { uri: string; text: string; [key: string]: unknown } | { uri: string; blob: string; [key: string]: unknown };

/** The result of a call, in the newest revision's shape. */
export interface CallToolResult {
  content: McpContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [key: string]: unknown;
}

const BLOCK_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource_link', ['uri', 'name']],
]);

/**
 * Whether a handler's value is a result already: an object whose `content` holds nothing but content blocks. An object
 * that merely has a field named `content` is data.
 */
export function isCallToolResult(value: unknown): value is CallToolResult {
  if (typeof value !== 'object' || value === null) return false;
  const { content, isError, _meta } = value as Record<string, unknown>;
  if (!Array.isArray(content) || !content.every(isContentBlock)) return false;
  if (isError !== undefined && typeof isError !== 'boolean') return false;
  if (_meta !== undefined && (typeof _meta !== 'object' || _meta === null)) return false;
  return content.length > 0 || 'structuredContent' in value || isError !== undefined || Object.keys(value).length === 1;
}

/**
 * The result for a handler's value: itself when it is one, as far as JSON can say it, else text.
 *
 * @throws what reading the value throws.
 */
export function toCallToolResult(value: unknown): CallToolResult {
  return isCallToolResult(value) ? (jsonValue(value) as CallToolResult) : mcpText(value);
}

/** Whether a value is one part of a result. */
export function isContentBlock(value: unknown): value is McpContentBlock {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Record<string, unknown>;
  if (block['type'] === 'resource') {
    const resource = block['resource'] as Record<string, unknown> | null | undefined;
    if (typeof resource !== 'object' || resource === null || typeof resource['uri'] !== 'string') return false;
    return typeof resource['text'] === 'string' || typeof resource['blob'] === 'string';
  }
  const fields = BLOCK_FIELDS.get(block['type']);
  return fields !== undefined && fields.every((field) => typeof block[field] === 'string');
}
