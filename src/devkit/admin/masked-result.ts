/**
 * The result of a read, whoever made it: the text that it is, the text of a failure, what is structured. Bytes stay as they are.
 */
import type { CallToolResult, McpContentBlock } from '../../tools/result.js';
import { answer } from '../answer.js';
import { DEVKIT_ANSWER_MAX_CHARS } from '../bounded.js';
import { maskMarkdown } from '../secrets/markdown.js';
import { maskSecrets } from '../secrets/mask.js';

/** Of all blocks but bytes: one that is as long as it may be, and what stands around it. */
const MAX_CHARS = DEVKIT_ANSWER_MAX_CHARS + 4_000;

/** Without its secrets, no text longer than an answer of the devkit may be, and no more of them than one needs. */
export function maskedResult(result: CallToolResult): CallToolResult {
  const { content, ...rest } = result;
  const beside = Object.entries(masked(rest) as object).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'object' ? JSON.parse(bounded(value)) : value,
  ]);
  return { ...(Object.fromEntries(beside) as object), content: fitting(content) };
}

/** As many as there is room for. */
function fitting(blocks: readonly McpContentBlock[]): McpContentBlock[] {
  const told: McpContentBlock[] = [];
  let room = MAX_CHARS;
  for (const block of blocks) {
    const one = withoutBytes(block);
    room -= lengthOf(one);
    if (room < 0) break;
    told.push(withBytes(one, block) as McpContentBlock);
  }
  const left = blocks.length - told.length;
  return left === 0
    ? told
    : [...told, { type: 'text', text: `${left} more blocks are left out: narrow the question.` }];
}

type Fields = Readonly<Record<string, unknown>>;

const APART = new Set(['text', 'resource', 'data', 'blob']);

/** A block, or what a resource holds, without its secrets. */
function withoutBytes(block: Fields): Fields {
  const { text, resource } = block;
  const rest = Object.entries(block).filter(([name]) => !APART.has(name));
  return {
    ...(masked(Object.fromEntries(rest)) as Fields),
    ...(typeof text === 'string' && { text: maskedText(text) }),
    ...(resource !== undefined && { resource: withoutBytes(resource as Fields) }),
  };
}

function withBytes(one: Fields, { type, data, resource }: Fields): Fields {
  if (type === 'image' || type === 'audio') return { ...one, data };
  const { blob } = (resource ?? {}) as Fields;
  return blob === undefined ? one : { ...one, resource: { ...(one['resource'] as Fields), blob } };
}

/** Of a text as it is, and not as JSON has to write it. */
function lengthOf({ text = '', resource, ...rest }: Fields): number {
  return (
    (text as string).length + JSON.stringify(rest).length + (resource === undefined ? 0 : lengthOf(resource as Fields))
  );
}

/** JSON is masked as the value that it says: what stands under a secret's name is known by it however deep it is. */
function maskedText(text: string): string {
  return bounded(masked(/^\s*[[{]/.test(text) ? readBack(text) : text));
}

function bounded(value: unknown): string {
  return (answer(value).content[0] as { text: string }).text;
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
