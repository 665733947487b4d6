/**
 * A client's file on the disk: read as it is, and written whole or not at all.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { McpConfigFault } from './config-fault.js';

/** The text of a file; `undefined` when there is none. */
export async function readConfigFile(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new McpConfigFault(`it cannot be read (${codeOf(error)})`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new McpConfigFault('it is not UTF-8 text', { cause });
  }
}

/**
 * Writes a file by way of a temporary one beside it, so that nobody ever reads half of it. Its permissions stay, and
 * what a symbolic link points to is written, not the link.
 *
 * @throws McpConfigFault when the file is not any more what was read, and when it cannot be written.
 */
export async function writeConfigFile(path: string, text: string, read: string | undefined): Promise<void> {
  try {
    const target = await realTarget(path);
    await mkdir(dirname(target), { recursive: true });
    const mode = await modeOf(target);
    const temporary = `${target}.${randomUUID()}.tmp`;
    try {
      const file = await open(temporary, 'wx', mode);
      try {
        await file.writeFile(text);
        if (mode !== undefined) await file.chmod(mode); // what umask took
        await file.sync();
      } finally {
        await file.close();
      }
      if ((await readConfigFile(target)) !== read) {
        throw new McpConfigFault('somebody else has changed it in the meantime: run the command again');
      }
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    if (error instanceof McpConfigFault) throw error;
    throw new McpConfigFault(`it cannot be written (${codeOf(error)})`, { cause: error });
  }
}

/** What a chain of links ends in, even where nothing is yet. */
async function realTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    return await realTarget(resolve(dirname(path), await readlink(path)));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return path; // neither a file nor a link
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o7777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'of an unknown cause';
}
