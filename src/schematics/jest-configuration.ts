/**
 * Jest that loads CommonJS can not load this package, which is an ES module, before Node 24.9: the package must pass
 * through the transform, which leaves out everything below node_modules unless it is told otherwise.
 */
import { join } from 'node:path/posix';
import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { overwriteJson, readJson } from './json-file.js';
import { isEsm, packageFile, rangeOf } from './project.js';

/** Leaves out what is below node_modules, but not this package and what it imports; where pnpm keeps them, too. */
const IGNORE = '/node_modules/(?!(?:\\.pnpm|nestjs-mcp-gate|jose)/)';
const ADD = `add "transformIgnorePatterns": [${JSON.stringify(IGNORE)}], with a "transform" that also matches .js.`;
const MEND = `let "transformIgnorePatterns" pass it, as ${JSON.stringify(IGNORE)} does.`;

/** What must pass: ES modules both. */
const MODULES = ['/app/node_modules/nestjs-mcp-gate/dist/index.js', '/app/node_modules/jose/dist/webapi/index.js'];

/** The part of a configuration that decides what is transformed. */
interface JestConfiguration {
  readonly preset?: unknown;
  readonly projects?: unknown;
  readonly transform?: Readonly<Record<string, unknown>>;
  readonly transformIgnorePatterns?: readonly string[];
}

/** Where a configuration stands, and how it is written; without a value it is code, which is not. */
interface JestPlace {
  readonly where: string;
  readonly given?: JestConfiguration;
  readonly write?: (configuration: JestConfiguration) => Promise<void>;
}

/** Lets the Jest of a CommonJS project load this package, in each of its configurations; says what it can not write. */
export async function letJestLoadThePackage(tree: Tree, { logger }: SchematicContext): Promise<void> {
  // Nest 12 is made of ES modules: where Jest loads it, it loads this package.
  if (isEsm(tree, '/') || !/^\D*(?:[0-9]|1[01])\b/.test(rangeOf(packageFile(tree), '@nestjs/core') ?? '11')) return;
  for (const { where, given, write } of configurations(tree)) {
    const outcome = given === undefined ? ADD : admit(given);
    if (typeof outcome === 'string') {
      logger.warn(`Jest can not load nestjs-mcp-gate, an ES module, before Node 24.9. In ${where} ${outcome}`);
    } else if (outcome !== given) await write?.(outcome);
  }
}

/** The configuration that transforms this package, the same one when it does already; or what to do by hand. */
function admit(given: JestConfiguration): JestConfiguration | string {
  const { preset, projects, transform, transformIgnorePatterns: ignored } = given;
  const passes = (pattern: string) => MODULES.every((path) => !new RegExp(pattern).test(path));
  if (ignored !== undefined) return ignored.every(passes) ? given : MEND;
  const transforms =
    transform === undefined
      ? preset === undefined && projects === undefined
      : Object.keys(transform).some((pattern) => new RegExp(pattern).test(MODULES[0]!));
  return transforms ? { ...given, transformIgnorePatterns: [IGNORE] } : ADD;
}

/** package.json, the usual names, and the files that a script names. */
function configurations(tree: Tree): JestPlace[] {
  const { jest, scripts = {} } = packageFile(tree);
  const usual = ['json', 'js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map((ending) => `/jest.config.${ending}`);
  const named = Object.values(scripts)
    .filter((script) => script.includes('jest'))
    .flatMap((script) =>
      [...script.matchAll(/(?:--config|-c)[= ]["']?([^\s"']+)/g)].map(([, path]) => join('/', path!)),
    );
  const files = [...new Set([...usual, ...named])].filter((path) => tree.exists(path));
  const found: JestPlace[] = files
    .filter((path) => !isToldAlready(tree, path))
    .map((path) => {
      const given = path.endsWith('.json') ? (readJson(tree, path) as JestConfiguration | undefined) : undefined;
      return { where: path.slice(1), ...(given && { given }), write: (value) => overwriteJson(tree, path, value) };
    });
  if (typeof jest === 'object' && jest !== null) {
    const write = (value: JestConfiguration) =>
      overwriteJson(tree, '/package.json', { ...packageFile(tree), jest: value });
    found.unshift({ where: '"jest" of package.json', given: jest, write });
  }
  const hasNone = files.length === 0 && found.length === 0 && rangeOf(packageFile(tree), 'jest') !== undefined;
  return hasNone ? [{ where: 'its configuration' }] : found;
}

/** Code is not read, but what was written into it by hand is not asked for again. */
function isToldAlready(tree: Tree, path: string): boolean {
  return !path.endsWith('.json') && tree.readText(path).includes('nestjs-mcp-gate');
}
