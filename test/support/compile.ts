/** Compiles code that stands in memory as if it were files of this project. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The faults that the compiler finds in files that are named relative to `test/`. */
export function compile(sources: ReadonlyMap<string, string>): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => diagnostic },
  );
  const options = { ...config?.options, noEmit: true };
  const host = ts.createCompilerHost(options);
  const files = new Map([...sources].map(([name, code]) => [join(ROOT, 'test', name), code]));
  host.readFile = (name) => files.get(name) ?? ts.sys.readFile(name);
  host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name);
  const folders = new Set([...files.keys()].flatMap(foldersOf));
  host.directoryExists = (name) => folders.has(name) || ts.sys.directoryExists(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && files.has(file.fileName))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === ROOT ? [] : [folder, ...foldersOf(folder)];
}
