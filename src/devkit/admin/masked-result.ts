/**
 * The result of a read, whoever made it: the text that it is, the text of a failure, what is structured. Bytes stay as they are.
 */
import type { CallToolResult, McpContentBlock } from '../../tools/result.js';
import { answer } from '../answer.js';
import { maskMarkdown } from '../secrets/markdown.js';
import { maskSecrets } from '../secrets/mask.js';

/** Without its secrets, and no text longer than an answer of the devkit may be. */
export function maskedResult(result: CallToolResult): CallToolResult {
  const { content, ...rest } = result;
  return { ...(masked(rest) as object), content: content.map(maskedBlock) };
}

function maskedBlock(block: McpContentBlock): McpContentBlock {
  if (block.type === 'text') return { ...(masked(block) as typeof block), text: maskedText(block.text) };
  if (block.type === 'image' || block.type === 'audio') return block;
  const isBytes = block.type === 'resource' && 'blob' in (block.resource as object);
  return isBytes ? block : (masked(block) as McpContentBlock);
}

/** JSON is masked as the value that it says: what stands under a secret's name is known by it however deep it is. */
function maskedText(text: string): string {
  const { content } = answer(masked(/^\s*[[{]/.test(text) ? readBack(text) : text));
  return (content[0] as { text: string }).text;
}

/** A read may tell a document, for people. */
function masked(value: unknown): unknown {
  return maskSecrets(value, maskMarkdown);
}

function readBack(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
