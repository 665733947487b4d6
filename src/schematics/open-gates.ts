/**
 * Whether an application has a gate, as far as its sources say so.
 */
import { join } from 'node:path/posix';
import type { DirEntry, Tree } from '@angular-devkit/schematics';

/** A file that opens a gate; `undefined` when none below that folder does. */
export function fileWithGate(tree: Tree, folder: string): string | undefined {
  for (const file of sources(tree.getDir(folder))) {
    if (/\bMcpModule\s*\.\s*forRoot/.test(tree.readText(file))) return file;
  }
  return undefined;
}

/** TypeScript files; tests open gates of their own. */
function* sources(folder: DirEntry): Generator<string> {
  for (const file of folder.subfiles) if (/(?<!\bspec)\.ts$/.test(file)) yield join(folder.path, file);
  for (const name of folder.subdirs) if (name !== 'node_modules' && name !== 'dist') yield* sources(folder.dir(name));
}
