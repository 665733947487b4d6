import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './support/compile.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const DOCUMENTS = [
  'README.md',
  'docs/asking.md',
  'docs/authorization.md',
  'docs/command-line.md',
  'docs/devkit.md',
  'docs/generators.md',
  'docs/subscriptions.md',
  'docs/logging.md',
  'docs/ticket-sessions.md',
];

/** Every TypeScript block of a document, under the line that it starts at. */
function snippetsOf(document: string): Map<string, string> {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const snippets = new Map<string, string>();
  for (const { 1: code, index } of text.matchAll(/^```ts\n([^]*?)^```$/gm)) {
    snippets.set(`${document.replaceAll('/', '-')}.line-${text.slice(0, index).split('\n').length}.ts`, code ?? '');
  }
  return snippets;
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
