/**
 * An object in the text of a JSON file brought to what it should hold, one property after the other: what stays, and the
 * way in which it is written, keeps every byte.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import { insertProperty, removeProperty, replaceValue } from './json-edit.js';
import { propertyOf, type JsonDocument } from './json-document.js';
import { asSettings, type ServerSettings } from './server.js';

/** Reads a text that may have been edited. */
type Read = (text: string) => Promise<JsonDocument>;

/**
 * The document in which the object at `path` holds what is wanted.
 *
 * @throws McpConfigFault for a property that is there twice.
 */
export async function changeObject(
  document: JsonDocument,
  path: readonly string[],
  wanted: ServerSettings,
  read: Read,
): Promise<JsonDocument> {
  let changed = document;
  const object = (): Node => nodeAt(changed, path);
  const standing = changed.valueOf(object()) as ServerSettings;
  for (const [key, value] of Object.entries(wanted)) {
    if (isDeepStrictEqual(standing[key], value)) continue;
    const [before, after] = [asSettings(standing[key]), asSettings(value)];
    if (before !== undefined && after !== undefined) {
      changed = await changeObject(changed, [...path, key], after, read);
    } else if (Object.hasOwn(standing, key)) {
      changed = await read(replaceValue(changed, nodeAt(changed, [...path, key]), value));
    } else {
      changed = await read(insertProperty(changed, object(), key, value));
    }
  }
  for (const key of Object.keys(standing)) {
    if (!Object.hasOwn(wanted, key)) changed = await read(removeProperty(changed, object(), key));
  }
  return changed;
}

/** What stands at a path that is there. */
function nodeAt(document: JsonDocument, path: readonly string[]): Node {
  return path.reduce((node, key) => propertyOf(document, node, key)!, document.root);
}
