/**
 * What leaves the devkit: without secrets, and never longer than an agent can use.
 */
import type { CallToolResult } from '../tools/result.js';
import { summarise } from '../tools/summary.js';
import { DEVKIT_ANSWER_MAX_CHARS } from './bounded.js';
import { maskSecrets } from './secrets/mask.js';

/** A tool's answer: JSON, or a text as it is. */
export function answer(value: unknown): CallToolResult {
  const masked = maskSecrets(value);
  const text = typeof masked === 'string' ? masked : (JSON.stringify(masked) ?? ''); // of a value that says of itself that it has none
  return {
    content: [{ type: 'text', text: text.length <= DEVKIT_ANSWER_MAX_CHARS ? text : summarise(masked, text) }],
  };
}
