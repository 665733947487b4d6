/**
 * Merging into JSON, with or without comments: the new server is put into the text, and no other byte of it changes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { insertProperty, replaceValue } from './json-edit.js';
import { canonicalJson, commentsOf, readJson, type JsonDocument } from './json-document.js';
import { McpConfigFault } from './config-fault.js';
import type { Merged, MergeTarget } from './merge.js';
import type { ServerSettings } from './server.js';

/** @throws McpConfigFault */
export async function mergeJson(given: string, target: MergeTarget): Promise<Merged> {
  const mark = given.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = given.slice(mark.length);
  if (text.trim() === '') {
    const whole = { [target.servers]: { [target.name]: target.wanted(undefined) } };
    return { text: `${mark}${JSON.stringify(whole, undefined, 2)}\n`, replaces: false };
  }
  const document = await readJson(text, target.format === 'jsonc');
  const { root } = document;
  if (root.type !== 'object') throw document.fault(root, 'the file must hold an object { … }');
  const servers = only(document, root, target.servers);
  if (servers === undefined) {
    const value = { [target.name]: target.wanted(undefined) };
    return {
      text: mark + (await checked(document, target, insertProperty(document, root, target.servers, value))),
      replaces: false,
    };
  }
  if (servers.type !== 'object') {
    throw document.fault(servers, `"${target.servers}" must be an object that holds the servers`);
  }
  const standing = only(document, servers, target.name);
  if (standing === undefined) {
    const edited = insertProperty(document, servers, target.name, target.wanted(undefined));
    return { text: mark + (await checked(document, target, edited)), replaces: false };
  }
  if (standing.type !== 'object') throw document.fault(standing, `the server "${target.name}" must be an object`);
  const before = document.valueOf(standing) as ServerSettings;
  const after = target.wanted(before);
  if (isDeepStrictEqual(before, after)) return { text: given, replaces: false };
  const edited = replaceValue(document, standing, after);
  return { text: mark + (await checked(document, target, edited)), replaces: true };
}

/** The value of a property that must not be there twice: readers differ in which one counts. */
function only(document: JsonDocument, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (found.length > 1) throw document.fault(found[1]!, `"${key}" is there twice: leave one`);
  return found[0]?.children?.[1];
}

/** Before anything is written the new text is read again, and must differ from the old in nothing but the server. */
async function checked(before: JsonDocument, target: MergeTarget, text: string): Promise<string> {
  const after = await readJson(text, target.format === 'jsonc');
  const omitted = [target.servers, target.name];
  const rest = canonicalJson(before.root, omitted) === canonicalJson(after.root, omitted);
  if (rest && isDeepStrictEqual(commentsOf(before), commentsOf(after))) return text;
  throw new McpConfigFault(
    `the server "${target.name}" cannot be changed without losing something else, such as a comment inside it: change it by hand`,
  );
}
