/**
 * Files that were not there: all of them are written, or none.
 */
import type { Tree } from '@angular-devkit/schematics';
import { formatLikeProject } from './project-style.js';

/**
 * Writes files, in the style of the project.
 *
 * @throws Error when one of them exists, before any is written.
 */
export async function writeNewFiles(tree: Tree, files: ReadonlyMap<string, string>): Promise<void> {
  const taken = [...files.keys()].filter((path) => tree.exists(path));
  if (taken.length > 0) {
    throw new Error(
      `${taken.map((path) => path.slice(1)).join(', ')}: there already, so nothing was written. Take another name or path.`,
    );
  }
  for (const [path, text] of files) tree.create(path, await formatLikeProject(tree, path, text));
}
