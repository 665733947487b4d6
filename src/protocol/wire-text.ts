/**
 * A message as the text of the wire. A list of tools is long, and the same array for the same set of tools in the same
 * revision: its text is made once and hangs on that array.
 */
import { isObject } from './messages.js';

const listTexts = new WeakMap<object, string>();

/** The JSON of a message: to the byte what `JSON.stringify` gives. */
export function messageText(message: unknown): string {
  if (!isObject(message) || !isObject(message['result'])) return JSON.stringify(message);
  const { jsonrpc, id, result } = message;
  const tools = result['tools'];
  if (!Array.isArray(tools) || !Object.isFrozen(tools) || Object.keys(result)[0] !== 'tools') {
    return JSON.stringify(message);
  }
  const { tools: _, ...rest } = result;
  const members = JSON.stringify(rest);
  const others = members === '{}' ? '}' : `,${members.slice(1)}`;
  return `{"jsonrpc":${JSON.stringify(jsonrpc)},"id":${JSON.stringify(id)},"result":{"tools":${listText(tools)}${others}}`;
}

function listText(tools: readonly unknown[]): string {
  let text = listTexts.get(tools);
  if (text === undefined) listTexts.set(tools, (text = JSON.stringify(tools)));
  return text;
}
