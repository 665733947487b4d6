/**
 * The module that something generated belongs to, found from its folder upwards as Nest's generators do.
 */
import { dirname, join } from 'node:path/posix';
import { ModuleFinder } from '@nestjs/schematics';
import type { DirEntry, SchematicContext, Tree } from '@angular-devkit/schematics';
import { declare, importedFrom, specifier, type Declaration } from './declaration.js';
import { isEsm } from './project.js';
import { formatLikeProject } from './project-style.js';

/** The nearest `*.module.ts`. */
export function nearestModule(tree: Tree, folder: string): string | undefined {
  return new ModuleFinder(tree).find({ name: '', path: folder as never }) ?? undefined;
}

/** The nearest `*.gate.ts` or `*.module.ts`; of both in one folder the gate, which serves what its module provides. */
export function nearestGate(tree: Tree, folder: string): string | undefined {
  const module = nearestModule(tree, folder);
  for (let at: DirEntry | null = tree.getDir(folder); at !== null; at = at.parent) {
    const [gate, ...others] = at.subfiles.filter((file) => file.endsWith('.gate.ts'));
    if (gate !== undefined && others.length === 0) return join(at.path, gate); // of several none is meant
    if (module !== undefined && dirname(module) === at.path) return module;
  }
  return module;
}

/** What is declared, and the file or the package that exports it. */
interface Exported extends Omit<Declaration, 'from'> {
  readonly file: string;
}

/** Declares what a file exports in a module, or says what to write where it can not. */
export async function declareIn(
  tree: Tree,
  { logger }: SchematicContext,
  module: string | undefined,
  { file, ...declaration }: Exported,
): Promise<void> {
  const { property, symbol, entry = symbol } = declaration;
  if (module === undefined)
    return logger.warn(`No module was found to declare it in: add ${entry} to the ${property} of one.`);
  const before = tree.readText(module);
  const from = file.startsWith('/') ? specifier(module, file, isEsm(tree, dirname(module))) : file;
  const after = declare(before, { ...declaration, from });
  if (after === undefined) {
    const other = importedFrom(before, symbol) ?? from;
    const why = other === from ? 'could not be changed' : `has another ${symbol}, of "${other}"`;
    const what = other === from ? entry : `${entry} of "${from}"`;
    return logger.warn(`${module.slice(1)} ${why}: add ${what} to the ${property} of its @Module().`);
  }
  if (after === before) return;
  const wasInStyle = (await formatLikeProject(tree, module, before)) === before;
  tree.overwrite(module, wasInStyle ? await formatLikeProject(tree, module, after) : after);
}
