/**
 * The project's folder, and nothing else: what lies outside of it is not read, whatever leads there. Symbolic links are not
 * followed, and a name that somebody asks for is never made a path: files are found by walking.
 */
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

/** A file of the project, as it was found. */
export interface ProjectFile {
  /** From the project's folder, with `/`. */
  readonly path: string;
  /** Changes when the file does. */
  readonly stamp: string;
  readonly bytes: number;
}

/** What is looked for, and how much of it. */
export interface ProjectSearch {
  /** Lower-case, with the dot: `.md`. */
  readonly extensions: readonly string[];
  /** Larger files are left out. */
  readonly maxBytes: number;
  /** Files beyond are left out. */
  readonly maxFiles: number;
  readonly signal?: AbortSignal;
}

export interface FoundFiles {
  readonly files: readonly ProjectFile[];
  /** What was left out for its size, or because there were too many. */
  readonly left: number;
}

/** Holds what others wrote, or what a tool made. */
const NOT_OF_THE_PROJECT = new Set(['node_modules', 'bower_components', 'vendor', 'dist', 'build', 'out', 'coverage']);
const MAX_DEPTH = 24;

/** What is gone by the time that its size is asked for. */
const GONE = { size: Number.POSITIVE_INFINITY, mtimeMs: 0, ino: 0 };
/** Windows has no such flag; there the real path alone decides. */
const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;
/** A pipe that has taken the file's place would keep whoever opens it waiting until somebody writes. */
const NO_WAITING = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0;

/** One project's folder. */
export class ProjectFolder {
  private root: Promise<string> | undefined;

  constructor(private readonly named: string) {}

  /** The folder's real path. */
  real(): Promise<string> {
    return (this.root ??= realpath(this.named));
  }

  /** Every file that fits, in the order of their paths. Folders that cannot be read have none. */
  async find(search: ProjectSearch): Promise<FoundFiles> {
    const root = await this.real();
    const files: ProjectFile[] = [];
    let left = 0;
    const walk = async (folder: string, depth: number): Promise<void> => {
      search.signal?.throwIfAborted();
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const at = join(folder, entry.name);
        if (entry.isDirectory()) {
          const skipped = entry.name.startsWith('.') || NOT_OF_THE_PROJECT.has(entry.name) || depth >= MAX_DEPTH;
          if (!skipped) await walk(at, depth + 1);
        } else if (entry.isFile() && search.extensions.includes(extname(entry.name).toLowerCase())) {
          const { size, mtimeMs, ino } = await lstat(at).catch(() => GONE);
          if (size > search.maxBytes || files.length >= search.maxFiles) left += 1;
          else files.push({ path: slashed(relative(root, at)), stamp: `${ino}:${mtimeMs}:${size}`, bytes: size });
        }
      }
    };
    await walk(root, 0);
    return { files, left };
  }

  /** The text of a file; `undefined` when it is gone, larger than it may be, or not what it was when it was found. */
  async read(path: string, maxBytes: number): Promise<string | undefined> {
    const root = await this.real();
    const at = join(root, path);
    try {
      // Looked at once more, and held open meanwhile: a link may have taken its place, or that of a folder above it.
      const file = await open(at, constants.O_RDONLY | NO_FOLLOW | NO_WAITING);
      try {
        const held = await file.stat();
        if (!held.isFile() || held.size > maxBytes) return undefined;
        // That the path leads into the folder NOW says nothing of what was opened before: it must be the same file. And no link
        // is followed to another file of the project either, which may be a hidden one.
        const real = await realpath(at);
        const there = await lstat(real);
        if (real !== at || !isWithin(root, real) || there.ino !== held.ino || there.dev !== held.dev) return undefined;
        return await textOf(file, held.size);
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }
}

/** The whole text; `undefined` for one that grows while it is read. */
async function textOf(file: FileHandle, size: number): Promise<string | undefined> {
  const bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= size; length += read) {
    ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length));
  }
  return length > size ? undefined : bytes.toString('utf8', 0, length);
}

/** Whether a real path lies in a folder. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
