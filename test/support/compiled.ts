/** The compiled twin of a file, which a child process can start: `compile-for-processes.mjs` wrote it before the tests. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** Where it is. A folder has a twin, too. */
export function compiled(source: URL): string {
  const path = relative(fileURLToPath(ROOT), fileURLToPath(source));
  return fileURLToPath(new URL(`.compiled/${path.replace(/\.ts$/, '.js')}`, ROOT));
}

/** What a child is started with: Node's words for a TypeScript file. Stack traces name the places in TypeScript. */
export function wordsFor(source: URL): string[] {
  return ['--enable-source-maps', compiled(source)];
}
