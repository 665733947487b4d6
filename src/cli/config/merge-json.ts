/**
 * Merging into JSON, with or without comments: the new server is put into the text, and no other byte of it changes.
 */
import { isDeepStrictEqual } from 'node:util';
import { changeObject } from './json-change.js';
import { insertProperty } from './json-edit.js';
import { canonicalJson, commentsOf, propertyOf, readJson, type JsonDocument } from './json-document.js';
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
  const read = (edited: string) => readJson(edited, target.format === 'jsonc');
  const document = await read(text);
  const { root } = document;
  if (root.type !== 'object') throw document.fault(root, 'the file must hold an object { … }');
  const servers = propertyOf(document, root, target.servers);
  if (servers !== undefined && servers.type !== 'object') {
    throw document.fault(servers, `"${target.servers}" must be an object that holds the servers`);
  }
  const standing = servers && propertyOf(document, servers, target.name);
  if (standing !== undefined && standing.type !== 'object') {
    throw document.fault(standing, `the server "${target.name}" must be an object`);
  }
  const before = standing && (document.valueOf(standing) as ServerSettings);
  const wanted = target.wanted(before);
  if (isDeepStrictEqual(before, wanted)) return { text: given, replaces: false };
  const edited =
    servers === undefined
      ? insertProperty(document, root, target.servers, { [target.name]: wanted })
      : standing === undefined
        ? insertProperty(document, servers, target.name, wanted)
        : (await changeObject(document, [target.servers, target.name], wanted, read)).text;
  if (!keepsTheRest(document, await read(edited), target, wanted)) {
    throw new McpConfigFault(
      `the server "${target.name}" cannot be changed without losing something else, such as a comment inside it: change it by hand`,
    );
  }
  return { text: mark + edited, replaces: standing !== undefined };
}

/** Before anything is written the new text was read again: it must differ from the old in nothing but the server. */
function keepsTheRest(before: JsonDocument, after: JsonDocument, target: MergeTarget, wanted: ServerSettings): boolean {
  const { servers, name } = target;
  const now = propertyOf(after, propertyOf(after, after.root, servers)!, name);
  return (
    canonicalJson(before.root, [servers, name]) === canonicalJson(after.root, [servers, name]) &&
    isDeepStrictEqual(commentsOf(before), commentsOf(after)) &&
    isDeepStrictEqual(now && after.valueOf(now), wanted)
  );
}
