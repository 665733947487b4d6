/**
 * A server into the text of a client's file, so that everything else stays as it is, to the byte where the format allows
 * it. Pure: text in, text out.
 */
import type { ConfigFormat } from './clients.js';
import type { ServerSettings } from './server.js';
import { mergeJson } from './merge-json.js';
import { mergeToml } from './merge-toml.js';

/** Where a server goes, and what becomes of one that stands there. */
export interface MergeTarget {
  readonly format: ConfigFormat;
  /** The setting that holds the servers. */
  readonly servers: string;
  readonly name: string;
  /** What is to stand there, given what does. Asked once. */
  readonly wanted: (standing: ServerSettings | undefined) => ServerSettings;
}

/** The text with the server in it, and whether another server of that name had to give way. */
export interface Merged {
  readonly text: string;
  readonly replaces: boolean;
}

/**
 * The merged text; the text itself when the server stands there already. An empty text is a file without settings.
 *
 * @throws McpConfigFault for a text that is not of the format, or holds something else where the server belongs.
 */
export async function mergeServer(text: string, target: MergeTarget): Promise<Merged> {
  return target.format === 'toml' ? mergeToml(text, target) : mergeJson(text, target);
}
