/** A project on disk for one test, with a folder of somebody else's beside it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ProjectOnDisk {
  readonly root: string;
  /** Not the project's. */
  readonly outside: string;
  write(path: string, text: string): void;
  remove(): void;
}

export function projectOnDisk(
  files: Readonly<Record<string, string>>,
  foreign: Readonly<Record<string, string>> = {},
): ProjectOnDisk {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'devkit-')));
  const [root, outside] = [join(base, 'project'), join(base, 'project-of-another')];
  const put = (folder: string, path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(root);
  mkdirSync(outside);
  for (const [path, text] of Object.entries(files)) put(root, path, text);
  for (const [path, text] of Object.entries(foreign)) put(outside, path, text);
  return {
    root,
    outside,
    write: (path, text) => put(root, path, text),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
