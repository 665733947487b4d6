/**
 * The project as the compiler sees it, without anything from outside: it is given the files that were read and no way to
 * read another, so what packages and the language itself declare is unknown to it.
 */
import { dirname } from 'node:path/posix';
import type ts from 'typescript';
import type { ProjectFolder } from '../project/project-folder.js';
import type { ParsedProject } from './source-files.js';
import type { TypeScript } from './typescript.js';

const CONFIGURATION = 'tsconfig.json';
const MAX_CONFIGURATION_BYTES = 100_000;

/** Of the project's own options those that say which file an import means. */
const TAKEN = [
  'allowImportingTsExtensions',
  'baseUrl',
  'customConditions',
  'experimentalDecorators',
  'jsx',
  'moduleSuffixes',
  'paths',
  'pathsBasePath',
  'rootDirs',
] as const;

/** A program of these files; `before` lends what has not changed. */
export async function projectProgram(
  typescript: TypeScript,
  folder: ProjectFolder,
  { files }: ParsedProject,
  before?: ts.Program,
): Promise<ts.Program> {
  const root = (await folder.real()).replaceAll('\\', '/');
  const folders = new Set<string>();
  for (const name of files.keys()) {
    for (let at = dirname(name); at.length >= root.length && !folders.has(at); at = dirname(at)) folders.add(at);
  }
  const host: ts.CompilerHost = {
    getSourceFile: (name) => files.get(name)?.source,
    fileExists: (name) => files.has(name),
    readFile: (name) => files.get(name)?.source.text,
    directoryExists: (name) => folders.has(name),
    getDirectories: () => [],
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getDefaultLibFileName: () => 'lib.d.ts',
    getNewLine: () => '\n',
    writeFile: () => undefined,
  };
  const options = await optionsOf(typescript, folder, root);
  const rootNames = [...files.keys()];
  return typescript.createProgram({ rootNames, options, host, ...(before && { oldProgram: before }) });
}

async function optionsOf(typescript: TypeScript, folder: ProjectFolder, root: string): Promise<ts.CompilerOptions> {
  const options: ts.CompilerOptions = {
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    target: typescript.ScriptTarget.ESNext,
    noLib: true,
    noEmit: true,
    types: [],
    skipLibCheck: true,
  };
  const text = await folder.read(CONFIGURATION, MAX_CONFIGURATION_BYTES);
  if (text === undefined) return options;
  const { config } = typescript.parseConfigFileTextToJson(CONFIGURATION, text) as { config?: object };
  // Only the file itself: what it extends may lie outside.
  const { extends: _, ...own } = (config ?? {}) as Record<string, unknown>;
  const nothing: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    readDirectory: () => [],
    fileExists: () => false,
    readFile: () => undefined,
  };
  const parsed = typescript.parseJsonConfigFileContent(own, nothing, root, undefined, `${root}/${CONFIGURATION}`);
  const taken = TAKEN.flatMap((key) =>
    parsed.options[key] === undefined ? [] : [[key, parsed.options[key]] as const],
  );
  return { ...options, ...(Object.fromEntries(taken) as ts.CompilerOptions) };
}
