/**
 * A message as the text of the wire. A list of tools (or of resources) is long, and the same array for the same set of tools in the same
 * revision: its text is made once and hangs on that array.
 */
import { isObject } from './messages.js';

const listTexts = new WeakMap<object, string>();

/** Members of results that hold such a list. */
const LISTS: ReadonlySet<string | undefined> = new Set(['tools', 'resources', 'resourceTemplates', 'prompts']);

/** The JSON of a message: to the byte what `JSON.stringify` gives. */
export function messageText(message: unknown): string {
  if (!isObject(message) || !isObject(message['result'])) return JSON.stringify(message);
  const { jsonrpc, id, result } = message;
  const first = firstMember(result);
  const list = LISTS.has(first) ? result[first!] : undefined;
  if (!Array.isArray(list) || !Object.isFrozen(list)) return JSON.stringify(message);
  const { [first!]: _, ...rest } = result;
  const members = JSON.stringify(rest);
  const others = members === '{}' ? '}' : `,${members.slice(1)}`;
  return `{"jsonrpc":${JSON.stringify(jsonrpc)},"id":${JSON.stringify(id)},"result":{"${first}":${listText(list)}${others}}`;
}

function firstMember(result: object): string | undefined {
  for (const key in result) return key;
  return undefined;
}

function listText(list: readonly unknown[]): string {
  let text = listTexts.get(list);
  if (text === undefined) listTexts.set(list, (text = JSON.stringify(list)));
  return text;
}
