/**
 * What a client calls a gate.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Clients make prefixes of tool names of it, so it has the characters of a tool name. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;

/**
 * The name that was given, else that of the package in `folder`.
 *
 * @throws Error when there is none, or one that clients cannot use.
 */
export async function serverName(given: string | undefined, folder: string): Promise<string> {
  const name = given ?? (await packageName(folder));
  if (name === undefined) throw new Error('--name is missing: there is no package.json here to take the name from.');
  if (NAME.test(name)) return name;
  throw new Error(`"${name}" cannot be the name of a server: 1 to 64 letters, digits, "_" or "-", a letter first.`);
}

async function packageName(folder: string): Promise<string | undefined> {
  try {
    const { name } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name.replace(/^@[^/]*\//, '').replaceAll('.', '-') : undefined;
  } catch {
    return undefined;
  }
}
