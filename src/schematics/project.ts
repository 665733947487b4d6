/**
 * What is known of the user's project from its package.json.
 */
import { dirname, join } from 'node:path/posix';
import type { Tree } from '@angular-devkit/schematics';
import { readJson } from './json-file.js';

/** The parts of package.json that generators look at. */
export interface PackageFile {
  readonly name?: string;
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly jest?: unknown;
}

/** package.json at the root of the tree; empty when there is none. */
export function packageFile(tree: Tree): PackageFile {
  return (readJson(tree, '/package.json') as PackageFile | undefined) ?? {};
}

/** The version range of a package that the project names. */
export function rangeOf({ dependencies, devDependencies }: PackageFile, name: string): string | undefined {
  return dependencies?.[name] ?? devDependencies?.[name];
}

/** Whether Node takes the files of a folder for ES modules: relative imports end in `.js` there. */
export function isEsm(tree: Tree, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const nearest = readJson(tree, join(at, 'package.json')) as PackageFile | undefined;
    if (nearest !== undefined) return nearest.type === 'module';
    if (at === dirname(at)) return false;
  }
}
