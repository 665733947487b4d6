/**
 * Which of a file's exports is the application: the module class that Nest starts with.
 */
import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { McpCommandFault } from '../stdio/command-fault.js';

/** The name under which the Nest CLI writes the root module. */
const ROOT_NAME = 'AppModule';

/**
 * The root module among the exports of `file`: the default export, `AppModule`, or the only class with `@Module()`.
 *
 * @param exported what `import()` of the file gave; the file may be an ES module or CommonJS
 * @param file its name, for the messages
 * @throws McpCommandFault when it exports no module, or several without one that stands out.
 */
export function exportedModule(exported: object, file: string): Type {
  const named = exportsOf(exported);
  const modules = [...named].filter((entry): entry is [string, Type] => isModuleClass(entry[1]));
  const root = modules.find(([name]) => name === 'default') ?? modules.find(([name]) => name === ROOT_NAME);
  if (root !== undefined) return root[1];
  const [only, ...others] = new Set(modules.map(([, module]) => module));
  if (only === undefined) throw new McpCommandFault(noModule(file, [...named.keys()]));
  if (others.length === 0) return only;
  throw new McpCommandFault(
    `${file} exports several modules: ${modules.map(([name]) => name).join(', ')}. ` +
      `Export the application's root module as default, or under the name ${ROOT_NAME}.`,
  );
}

/** Exports by their names. Of a CommonJS file `import()` shows as default what it has assigned to `module.exports`. */
function exportsOf(exported: object): Map<string, unknown> {
  const named = new Map<string, unknown>(Object.entries(exported));
  const assigned = named.get('default');
  if (typeof assigned !== 'object' || assigned === null) return named;
  return new Map([...named, ...Object.entries(assigned)]);
}

function isModuleClass(value: unknown): value is Type {
  return typeof value === 'function' && KEYS.some((key) => Reflect.hasOwnMetadata(key, value));
}

/** What `@Module()` writes on a class; a root module has at least one of them, or it would be an empty application. */
const KEYS = Object.values(MODULE_METADATA);

function noModule(file: string, names: readonly string[]): string {
  if (names.includes(ROOT_NAME)) {
    return `${ROOT_NAME} of ${file} is no module of Nest: @Module() does not stand on it, or says nothing.`;
  }
  const others = names.filter((name) => name !== 'default' && name !== 'module.exports' && name !== '__esModule');
  const what = others.length === 0 ? 'nothing' : `no module of Nest, but ${others.join(', ')}`;
  return (
    `${file} exports ${what}. ` +
    "Name the file that exports the application's root module, such as dist/app.module.js."
  );
}
