/**
 * Packages that generated code imports and the user's project lacks.
 */
import { readFileSync } from 'node:fs';
import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { overwriteJson } from './json-file.js';
import { packageFile, rangeOf } from './project.js';

/** Ours: what an application needs, and in which versions. */
const { peerDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** Peers of this package that generated code needs: DTOs are written with the last two. */
const NEEDED = ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs', 'class-validator', 'class-transformer'];

/** Adds to package.json what it lacks, and has it installed. */
export async function addPackages(tree: Tree, context: SchematicContext, { install = true } = {}): Promise<void> {
  const file = packageFile(tree);
  const lacking = NEEDED.filter((name) => rangeOf(file, name) === undefined);
  if (lacking.length === 0 || !tree.exists('/package.json')) return;
  const all = { ...file.dependencies, ...Object.fromEntries(lacking.map((name) => [name, peerDependencies[name]])) };
  const dependencies = Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  await overwriteJson(tree, '/package.json', { ...file, dependencies });
  if (install) context.addTask(INSTALL);
  else context.logger.info(`Install what package.json lacked: ${lacking.join(', ')}.`);
}

/** The task of @angular-devkit/schematics, without the import: who runs generators has it, who runs the gate need not. */
const INSTALL = {
  toConfiguration: () => ({ name: 'node-package', options: { command: 'install', quiet: true, hideOutput: true } }),
};
