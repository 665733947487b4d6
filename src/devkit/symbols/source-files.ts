/**
 * The project's source files, parsed: once each, and again when one has changed on disk.
 */
import { setImmediate } from 'node:timers/promises';
import type ts from 'typescript';
import type { Patience } from '../project/patience.js';
import type { ProjectFolder } from '../project/project-folder.js';
import { declarationsIn, type Declared } from './declarations.js';
import type { TypeScript } from './typescript.js';

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts'];
const MAX_FILE_BYTES = 1_000_000;
const MAX_FILES = 5_000;
/** Parsing it takes as long as everybody else should wait. */
const LONG_TEXT = 200_000;

/** A file of the project. */
export interface ParsedFile {
  /** From the project's folder. */
  readonly path: string;
  readonly stamp: string;
  readonly source: ts.SourceFile;
  readonly declared: readonly Declared[];
}

/** All files at this moment. */
export interface ParsedProject {
  /** By their absolute names, as the compiler has them. */
  readonly files: ReadonlyMap<string, ParsedFile>;
  /** How many were left out for their size or number. */
  readonly left: number;
  /** Nothing has changed since the last time: the very same object. */
  readonly unchanged: boolean;
}

export class SourceFiles {
  private files = new Map<string, ParsedFile>();

  constructor(
    private readonly ts: TypeScript,
    private readonly folder: ProjectFolder,
  ) {}

  /** Reads what is new or has changed. @throws OutOfTime; what was read is kept for the next question. */
  async read(patience: Patience, signal?: AbortSignal): Promise<ParsedProject> {
    const root = await this.folder.real();
    const search = { extensions: EXTENSIONS, maxBytes: MAX_FILE_BYTES, maxFiles: MAX_FILES };
    const { files: found, left } = await this.folder.find({ ...search, ...(signal && { signal }) });
    const names = new Set(found.map(({ path }) => nameIn(root, path)));
    let unchanged = true;
    for (const name of this.files.keys()) {
      if (names.has(name)) continue;
      this.files.delete(name);
      unchanged = false;
    }
    for (const { path, stamp } of found) {
      const name = nameIn(root, path);
      if (this.files.get(name)?.stamp === stamp) continue;
      await patience.breathe();
      unchanged = false;
      const text = await this.folder.read(path, MAX_FILE_BYTES);
      if (text === undefined) this.files.delete(name);
      else this.files.set(name, this.parse(name, path, stamp, text));
      if (text !== undefined && text.length > LONG_TEXT) await setImmediate();
    }
    return { files: this.files, left, unchanged };
  }

  private parse(name: string, path: string, stamp: string, text: string): ParsedFile {
    const source = this.ts.createSourceFile(name, text, this.ts.ScriptTarget.Latest, true);
    return { path, stamp, source, declared: declarationsIn(this.ts, source) };
  }
}

/** The compiler's names have `/` everywhere. */
function nameIn(root: string, path: string): string {
  return `${root.replaceAll('\\', '/')}/${path}`;
}
