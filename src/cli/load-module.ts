/**
 * Finds the application in a file that the developer names. Nothing of Nest is loaded before the file itself is.
 */
import { realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import type { Type } from '@nestjs/common';
import { PACKAGE_FILE } from './version.js';

/**
 * The root module that a file exports: its default export, `AppModule`, or its only class with `@Module()`. A TypeScript
 * file needs a loader that the process was started with.
 *
 * Runs the file, as Node does: what it does on its own when it is imported happens.
 *
 * @param file a path, absolute or from `folder`
 * @param folder where relative paths start. @default the working directory
 * @throws Error that says the way out, for a file that is missing, that uses another copy of this package, that fails when it
 * is imported, or that exports no module or several. What the file's own code threw is shown whole, so the message is for
 * the developer alone.
 */
export async function loadModule(file: string, folder = process.cwd()): Promise<Type> {
  const path = resolve(folder, file);
  await checkFile(path, file, folder);
  await checkCopy(path, file);
  let exported: object;
  try {
    exported = (await import(pathToFileURL(path).href)) as object;
  } catch (cause) {
    throw new Error(importFault(file, cause), { cause });
  }
  const { exportedModule } = await import('../nest/exported-module.js');
  return exportedModule(exported, file);
}

async function checkFile(path: string, file: string, folder: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) {
    throw new Error(
      `There is no file ${file}${path === file ? '' : ` in ${folder}`}. Build the application, and name the file of its ` +
        'root module, such as dist/app.module.js.',
    );
  }
  if (found.isDirectory()) {
    throw new Error(`${file} is a folder: name the file of the application's root module, such as dist/app.module.js.`);
  }
}

/** Of a package that is there twice, each copy has classes of its own: what the one declares the other does not find. */
async function checkCopy(path: string, file: string): Promise<void> {
  const theirs = copyBeside(path);
  if (theirs === undefined) return;
  const [used, own] = await Promise.all([realpath(theirs), realpath(fileURLToPath(PACKAGE_FILE))]);
  if (used === own) return;
  throw new Error(
    `${file} uses the nestjs-mcp-gate in ${dirname(used)}, and this command is that of ${dirname(own)}. ` +
      'Run the one that the application uses: npx nestjs-mcp-gate, in the folder of the application.',
  );
}

/** The file of the package that a file would import; `undefined` when it finds none. */
function copyBeside(path: string): string | undefined {
  try {
    return createRequire(path).resolve('nestjs-mcp-gate/package.json');
  } catch {
    return undefined;
  }
}

function importFault(file: string, cause: unknown): string {
  if (isTypeScript(file) && isUnread(cause)) {
    return (
      `${file} is TypeScript, which Node can not run with decorators. Name the built file, such as dist/app.module.js, or ` +
      "start with a loader: NODE_OPTIONS='--import @swc-node/register/esm-register'."
    );
  }
  return `${file} can not be loaded:\n${thrown(cause)}`;
}

/** Whether Node would have to be helped to run it. */
export function isTypeScript(file: string): boolean {
  return ['.ts', '.mts', '.cts'].includes(extname(file));
}

/** Node takes no such file at all, or strips its types and stumbles over a decorator. */
function isUnread(cause: unknown): boolean {
  const { name, code = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return name === 'SyntaxError' || code === 'ERR_UNKNOWN_FILE_EXTENSION' || code.includes('TYPESCRIPT');
}

/** Whatever was thrown, with the places in the application's own code and without Node's. */
function thrown(cause: unknown): string {
  // A brace behind the last place opens what else the error holds.
  return inspect(cause).replace(/(?:\n\s+at .*\(?node:.*)+/g, (places) => (places.endsWith(' {') ? ' {' : ''));
}
