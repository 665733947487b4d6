/**
 * A value as the text that an agent reads: whole while it is short, a summary to act on when it is not (T9).
 */
import { jsonText } from './json-text.js';
import type { CallToolResult } from './result.js';
import { summarise } from './summary.js';

/** Above this many characters a text goes out as a summary. */
export const MCP_TEXT_MAX_CHARS = 32_000;

/**
 * A result that says `value` in text: a string as it is, anything else as compact JSON, nothing for `undefined`. Above
 * `MCP_TEXT_MAX_CHARS` characters it says a summary instead, marked as one: the kind of value, counts, keys, the first
 * items, and how to ask for less. Never throws.
 *
 * @param isError marks a business failure, for the agent to read and correct. @default false
 */
export function mcpText(value: unknown, isError = false): CallToolResult {
  const text = typeof value === 'string' ? value : jsonText(value);
  const result: CallToolResult = {
    content:
      text === undefined
        ? []
        : [{ type: 'text', text: text.length > MCP_TEXT_MAX_CHARS ? summarise(value, text) : text }],
  };
  if (isError) result.isError = true;
  return result;
}
