/**
 * A message as the text of the wire. A list of tools (of resources, of prompts) is long, and the same array for the same set in
 * the same revision: its text is made once and hangs on that array, and so do its bytes.
 */
import { isObject } from './messages.js';

/** What a list that may be remembered is in JSON, as far as somebody has asked. */
interface ListText {
  text?: string;
  bytes?: Uint8Array;
}

const listTexts = new WeakMap<object, ListText>();

/** Characters. What is shorter is sooner encoded again than sent in a piece of its own. */
const LONG = 8_192;

/** Members of results that hold such a list. */
const LISTS: ReadonlySet<string | undefined> = new Set(['tools', 'resources', 'resourceTemplates', 'prompts']);

/** JSON with a long piece in it whose bytes are there already. They belong to all who ask: they are read and never written. */
export type McpWirePieces = readonly [before: string, long: Uint8Array, after: string];

/** The JSON of a message: to the byte what `JSON.stringify` gives. */
export function messageText(message: unknown): string {
  const around = aroundList(message);
  return around === undefined ? JSON.stringify(message) : around.before + textOf(around.list) + around.after;
}

/** The same for those who write bytes: in pieces, where a long one is the same for many messages. */
export function messageWire(message: unknown): string | McpWirePieces {
  const around = aroundList(message);
  if (around === undefined) return JSON.stringify(message);
  const text = textOf(around.list);
  if (text.length < LONG) return around.before + text + around.after;
  const known = listTexts.get(around.list)!;
  known.bytes ??= new TextEncoder().encode(text);
  return [around.before, known.bytes, around.after];
}

/** A list that is remembered, and the JSON before and behind it; `undefined` for a message without one. */
function aroundList(message: unknown): { before: string; list: object; after: string } | undefined {
  if (!isObject(message) || !isObject(message['result'])) return undefined;
  const { jsonrpc, id, result } = message;
  const first = firstMember(result);
  const list = LISTS.has(first) ? result[first!] : undefined;
  if (!Array.isArray(list) || !listTexts.has(list)) return undefined;
  const { [first!]: _, ...rest } = result;
  const members = JSON.stringify(rest);
  return {
    before: `{"jsonrpc":${JSON.stringify(jsonrpc)},"id":${JSON.stringify(id)},"result":{"${first}":`,
    list,
    after: `${members === '{}' ? '}' : `,${members.slice(1)}`}}`,
  };
}

function firstMember(result: object): string | undefined {
  for (const key in result) return key;
  return undefined;
}

/**
 * Says of an array that it and all that is in it stay as they are: what was declared, published. A tool's own value, however
 * frozen it looks, is not.
 */
export function rememberText(list: object): void {
  if (!listTexts.has(list)) listTexts.set(list, {});
}

function textOf(list: object): string {
  const known = listTexts.get(list)!;
  return (known.text ??= JSON.stringify(list));
}
