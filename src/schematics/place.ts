/**
 * Where generated files go, by the options that Nest's own generators have.
 */
import { join } from 'node:path/posix';
import { mergeSourceRoot, NameParser } from '@nestjs/schematics';
import type { Tree } from '@angular-devkit/schematics';
import { readJson } from './json-file.js';

/** What the Nest CLI passes on to every generator. */
export interface PlaceOptions {
  readonly name: string;
  readonly path?: string;
  readonly sourceRoot?: string;
  readonly project?: string;
  readonly language?: string;
  readonly flat?: boolean;
  readonly spec?: boolean;
  readonly specFileSuffix?: string;
  readonly skipImport?: boolean;
}

/** The folder, and the last part of a name such as `desk/orders`. */
export interface Place {
  readonly name: string;
  /** The folder that the name is generated in: its own one is below it, unless it is to be flat. */
  readonly parent: string;
}

/** @throws Error for a project that nest-cli.json does not name, and for a project in JavaScript. */
export function placeOf(tree: Tree, { name, path = '', language = 'ts', ...options }: PlaceOptions): Place {
  if (language !== 'ts' && language !== 'TypeScript')
    throw new Error(`The language of the project is ${language}: only TypeScript is written.`);
  const location = new NameParser().parse({ name, path });
  const merged = { path: location.path as string, sourceRoot: sourceRootOf(tree, options) };
  void mergeSourceRoot(merged)(tree, undefined as never); // it reads the tree and no context
  return { name: location.name, parent: join('/', merged.path) };
}

interface NestCliConfiguration {
  readonly sourceRoot?: string;
  readonly projects?: Readonly<Record<string, { readonly sourceRoot?: string }>>;
}

/**
 * The source root: said by the Nest CLI, or else read from nest-cli.json.
 *
 * @throws Error for a project that nest-cli.json does not name; the CLI would take the root for it.
 */
export function sourceRootOf(
  tree: Tree,
  { sourceRoot, project }: Pick<PlaceOptions, 'sourceRoot' | 'project'>,
): string {
  const configuration = readJson(tree, '/nest-cli.json') as NestCliConfiguration | undefined;
  const { projects = {} } = configuration ?? {};
  if (project !== undefined && configuration !== undefined && projects[project] === undefined) {
    const known = Object.keys(projects).join(', ') || 'none';
    throw new Error(`nest-cli.json has no project "${project}". Its projects are: ${known}.`);
  }
  return sourceRoot ?? projects[project ?? '']?.sourceRoot ?? configuration?.sourceRoot ?? 'src';
}
