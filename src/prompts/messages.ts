/**
 * How the value of a prompt's method becomes its messages.
 */
import { jsonValue } from '../tools/json-text.js';
import { isContentBlock } from '../tools/result.js';
import { isObject } from '../tools/schemas/walk.js';
import type { McpPromptMessage, McpPromptResult } from './prompt.js';

/**
 * The result for a value: what is said without a role the user says.
 *
 * @throws TypeError for what is no message; what reading the value throws.
 */
export function toPromptResult(name: string, value: unknown, description: string | undefined): McpPromptResult {
  const {
    messages: given,
    description: own = description,
    _meta,
  }: Given = isResult(value) ? value : { messages: value };
  const messages = Array.from<unknown>(Array.isArray(given) ? given : [given]).map(toMessage);
  if (!messages.every((message) => message !== undefined)) {
    throw new TypeError(
      `The value of prompt "${name}" is none: give a string, { role, content }, a list of them, or { messages }.`,
    );
  }
  return {
    ...(typeof own === 'string' && { description: own }),
    messages,
    ...(isObject(_meta) && { _meta: jsonValue(_meta) as Record<string, unknown> }),
  };
}

/** What is read of a value: whatever else stands beside it is not the author's to say (P8, T11). */
interface Given {
  readonly messages: unknown;
  readonly description?: unknown;
  readonly _meta?: unknown;
}

function isResult(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && Array.isArray((value as { messages?: unknown }).messages);
}

function toMessage(value: unknown): McpPromptMessage | undefined {
  const block = toBlock(value);
  if (block !== undefined) return { role: 'user', content: block };
  if (typeof value !== 'object' || value === null) return undefined;
  const { role, content } = value as { role?: unknown; content?: unknown };
  const said = toBlock(content);
  return (role === 'user' || role === 'assistant') && said !== undefined ? { role, content: said } : undefined;
}

function toBlock(value: unknown): McpPromptMessage['content'] | undefined {
  if (typeof value === 'string') return { type: 'text', text: value };
  return isContentBlock(value) ? (jsonValue(value) as McpPromptMessage['content']) : undefined;
}
