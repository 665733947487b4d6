/**
 * The style of the user's project: its own Prettier with its own configuration, when it has one.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tree } from '@angular-devkit/schematics';

interface Prettier {
  format(text: string, options: object): string | Promise<string>;
  resolveConfig(path: string, options?: object): Promise<object | null>;
}

/** The text as the project's Prettier writes it; as it is when there is none, or when Prettier fails. */
export async function formatLikeProject(tree: Tree, path: string, text: string): Promise<string> {
  if (!/"prettier"\s*:/.test(tree.read('/package.json')?.toString('utf8') ?? '')) return text;
  try {
    const root = process.cwd(); // of the tree: the Nest CLI runs generators there
    const entry = createRequire(join(root, 'package.json')).resolve('prettier');
    const { default: prettier } = (await import(pathToFileURL(entry).href)) as { default: Prettier };
    const filepath = join(root, path);
    return await prettier.format(text, {
      ...(await prettier.resolveConfig(filepath, { editorconfig: true })),
      filepath,
    });
  } catch {
    return text; // it is not installed, or it has no parser for what it is given
  }
}
