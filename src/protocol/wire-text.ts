/**
 * A message as the text of the wire. A list of tools (of resources, of prompts) is long, and the same array for the same set in
 * the same revision: its text is made once and hangs on that array.
 */
import { isObject } from './messages.js';

/** Texts of the lists that may be remembered; empty until one is written. */
const listTexts = new WeakMap<object, string>();

const NOT_WRITTEN = '';

/** Members of results that hold such a list. */
const LISTS: ReadonlySet<string | undefined> = new Set(['tools', 'resources', 'resourceTemplates', 'prompts']);

/** The JSON of a message: to the byte what `JSON.stringify` gives. */
export function messageText(message: unknown): string {
  if (!isObject(message) || !isObject(message['result'])) return JSON.stringify(message);
  const { jsonrpc, id, result } = message;
  const first = firstMember(result);
  const list = LISTS.has(first) ? result[first!] : undefined;
  const known = Array.isArray(list) ? listTexts.get(list) : undefined;
  if (known === undefined) return JSON.stringify(message);
  const { [first!]: _, ...rest } = result;
  const members = JSON.stringify(rest);
  const others = members === '{}' ? '}' : `,${members.slice(1)}`;
  return `{"jsonrpc":${JSON.stringify(jsonrpc)},"id":${JSON.stringify(id)},"result":{"${first}":${known === NOT_WRITTEN ? listText(list as object) : known}${others}}`;
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
  if (!listTexts.has(list)) listTexts.set(list, NOT_WRITTEN);
}

function listText(list: object): string {
  const text = JSON.stringify(list);
  listTexts.set(list, text);
  return text;
}
