/**
 * The version of this package, as its own file says it.
 */
import { readFileSync } from 'node:fs';

/** Where `package.json` is. */
export const PACKAGE_FILE = new URL('../../package.json', import.meta.url);

export const VERSION = (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string }).version;
