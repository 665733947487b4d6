/**
 * JSON files of the user's project: read as they are, written back in their own indentation.
 */
import type { Tree } from '@angular-devkit/schematics';
import { formatLikeProject } from './project-style.js';

/** The value; `undefined` when there is no such file, or when it is not JSON (comments are none of it). */
export function readJson(tree: Tree, path: string): unknown {
  try {
    return JSON.parse(tree.read(path)!.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a value over a file that is there. */
export async function overwriteJson(tree: Tree, path: string, value: unknown): Promise<void> {
  const before = tree.read(path)!.toString('utf8');
  const indentation = /^[ \t]+(?=")/m.exec(before)?.[0] ?? '  ';
  const text = JSON.stringify(value, null, indentation) + (before.endsWith('\n') ? '\n' : '');
  tree.overwrite(path, path === '/package.json' ? text : await formatLikeProject(tree, path, text)); // npm's is npm's
}
