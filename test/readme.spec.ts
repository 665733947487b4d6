import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const DOCUMENTS = ['README.md', 'docs/authorization.md', 'docs/command-line.md'];

/** Every TypeScript block of a document, under the line that it starts at. */
function snippetsOf(document: string): Map<string, string> {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const snippets = new Map<string, string>();
  for (const { 1: code, index } of text.matchAll(/^```ts\n([^]*?)^```$/gm)) {
    snippets.set(`${document.replaceAll('/', '-')}.line-${text.slice(0, index).split('\n').length}.ts`, code ?? '');
  }
  return snippets;
}

/** The faults that the compiler finds in snippets that stand in memory, as if they were files of the project. */
function compile(snippets: Map<string, string>): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => diagnostic },
  );
  const options = { ...config?.options, noEmit: true };
  const host = ts.createCompilerHost(options);
  const files = new Map([...snippets].map(([name, code]) => [join(ROOT, 'test', name), code]));
  host.readFile = (name) => files.get(name) ?? ts.sys.readFile(name);
  host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && files.has(file.fileName))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

/** A snippet that must not compile: it shows that the others could fail. */
const BROKEN = 'broken.line-0.ts';

describe('the documents that a user reads', () => {
  const snippets = new Map(DOCUMENTS.flatMap((document) => [...snippetsOf(document)]));
  let faults: string[];

  beforeAll(() => {
    const broken = "import { NoSuchName } from 'nestjs-mcp-gate';\nNoSuchName();";
    faults = compile(new Map([...snippets, [BROKEN, broken]]));
  });

  it('show only code that compiles', () => {
    expect(snippets.size).toBeGreaterThan(8);
    expect(faults.filter((fault) => !fault.includes(BROKEN))).toEqual([]);
  });

  it('would be caught with code that does not', () => {
    expect(faults.filter((fault) => fault.includes(BROKEN))).toHaveLength(1);
  });
});
