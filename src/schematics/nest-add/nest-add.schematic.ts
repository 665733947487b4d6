/**
 * `nest add nestjs-mcp-gate`: what it takes until the application answers at /mcp, written once.
 */
import { join } from 'node:path/posix';
import type { Rule, Tree } from '@angular-devkit/schematics';
import { importedFrom } from '../declaration.js';
import { letJestLoadThePackage } from '../jest-configuration.js';
import { declareIn, nearestModule } from '../nearest-module.js';
import { fileWithGate } from '../open-gates.js';
import { addPackages } from '../packages.js';
import { sourceRootOf } from '../place.js';
import { packageFile } from '../project.js';

/** The options of `nest-add/schema.json`. */
export interface NestAddOptions {
  readonly name?: string;
  readonly sourceRoot?: string;
  readonly project?: string;
  readonly skipInstall?: boolean;
}

/** Imports `McpModule` into the application's module, unless the application has a gate. */
export function nestAdd({ name, skipInstall = false, ...place }: NestAddOptions): Rule {
  return async (tree, context) => {
    const sourceRoot = join('/', sourceRootOf(tree, place));
    await addPackages(tree, context, { install: !skipInstall });
    await letJestLoadThePackage(tree, context);
    const gate = fileWithGate(tree, sourceRoot);
    if (gate !== undefined) return context.logger.info(`${gate.slice(1)} opens a gate already: no other is opened.`);
    const called = name ?? packageFile(tree).name ?? 'app';
    const entry = `McpModule.forRoot({ name: ${quote(called)} })`;
    const declaration = { property: 'imports', symbol: 'McpModule', entry, file: 'nestjs-mcp-gate' } as const;
    await declareIn(tree, context, applicationModule(tree, sourceRoot), declaration);
    context.logger.info('The gate answers POST /mcp. A tool for it: nest g -c nestjs-mcp-gate tool <name>');
  };
}

/** The module that `main.ts` starts, else the one in its folder. */
function applicationModule(tree: Tree, sourceRoot: string): string | undefined {
  const main = tree.read(join(sourceRoot, 'main.ts'))?.toString('utf8') ?? '';
  const started = /\bNestFactory\s*\.\s*create\w*\s*(?:<[^>]*>)?\s*\(\s*(\w+)/.exec(main)?.[1] ?? 'AppModule';
  const named = importedFrom(main, started);
  const imported = named?.startsWith('.') ? named.replace(/\.[jt]s$/, '') : './app.module';
  const file = join(sourceRoot, `${imported}.ts`);
  return tree.exists(file) ? file : nearestModule(tree, sourceRoot);
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
