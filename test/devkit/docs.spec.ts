/** D: passages of the project's documents and of this package's, and nothing of what lies outside. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { DocumentSearch, type DocumentQuestion } from '../../src/devkit/docs/document-search.js';
import { passagesOf } from '../../src/devkit/docs/passages.js';
import { OutOfTime } from '../../src/devkit/project/patience.js';
import { ProjectFolder } from '../../src/devkit/project/project-folder.js';
import { projectOnDisk, type ProjectOnDisk } from './project.js';

const README = `# The shop

Sells knives.

## Deployment

Deploy with \`make ship\`, on Thursdays. The zeppelin must be moored.

\`\`\`sh
# not a heading
make ship
\`\`\`

## Refunds

A refund is granted within thirty days. DATABASE_PASSWORD=hunter2butlonger is for the clerk.
`;

let project: ProjectOnDisk;
let documents: DocumentSearch;

beforeEach(() => {
  project = projectOnDisk(
    {
      'README.md': README,
      'docs/adr/001-queues.md': '# Queues\n\nWe chose a queue for refunds.',
      'node_modules/x/README.md': '# zeppelin',
    },
    { 'secret.md': '# Outside\n\nThe crown jewels.' },
  );
  documents = new DocumentSearch(new ProjectFolder(project.root));
});
afterEach(() => project.remove());

interface Answer {
  passages: { at: string; heading?: string; text: string }[];
  total: number;
  [more: string]: unknown;
}
const ask = async (question: string | DocumentQuestion) =>
  (await documents.ask(typeof question === 'string' ? { query: question } : question)) as Answer;

describe('nest_docs', () => {
  it('gives the passage that answers best first, with its place and the headings above it', async () => {
    const { passages } = await ask('zeppelin deploy');
    expect(passages[0]).toMatchObject({ at: 'README.md:5', heading: 'The shop > Deployment' });
    expect(passages[0]?.text).toContain('# not a heading');
    expect(passages.every(({ at }) => !at.includes('node_modules/x'))).toBe(true);
  });

  it('finds a word that is written a little otherwise, or only begun', async () => {
    expect((await ask('zepelin')).passages[0]?.at).toBe('README.md:5');
    expect((await ask('thursd')).passages[0]?.at).toBe('README.md:5');
  });

  it("knows this package's documentation, and keeps its other files to itself", async () => {
    const { passages } = await ask('ticket is redeemed');
    expect(passages.map(({ at }) => at)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^nestjs-mcp-gate\/docs\/ticket-sessions\.md:/)]),
    );
    expect((await ask({ query: 'conformance', filter: 'nestjs-mcp-gate/bench' })).total).toBe(0);
  });

  it('narrows by words of the file or the heading', async () => {
    const { passages } = await ask({ query: 'refund', filter: 'docs/adr' });
    expect(passages.map(({ at }) => at)).toEqual(['docs/adr/001-queues.md:1']);
  });

  it('reads again what has changed, is new, or is gone', async () => {
    expect((await ask('zeppelin')).total).toBeGreaterThan(0);
    project.write('README.md', '# The shop\n\nThe blimp must be moored.');
    project.write('docs/new.md', '# Gondolas\n\nMind the gondola.');
    rmSync(join(project.root, 'docs/adr/001-queues.md'));
    expect((await ask({ query: 'zeppelin', filter: 'README' })).total).toBe(0);
    expect((await ask('blimp')).passages[0]?.at).toBe('README.md:1');
    expect((await ask('gondola')).passages[0]?.at).toBe('docs/new.md:1');
    expect((await ask({ query: 'queue', filter: 'adr' })).total).toBe(0);
  });

  it('masks what looks like a secret, and is no way to find out what it is', async () => {
    const { passages } = await ask('refund thirty days');
    expect(JSON.stringify(passages)).not.toContain('hunter2');
    expect((await ask('hunter2butlonger')).passages.filter(({ at }) => at.startsWith('README'))).toEqual([]);
  });

  it('stays under the bound with a thousand documents, and says how many more there are', async () => {
    for (let at = 0; at < 1_000; at += 1)
      project.write(`docs/many/${at}.md`, `# Page ${at}\n\n${'flamingo and more '.repeat(60)}`);
    const answer = await ask('flamingo');
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(16_000);
    expect(answer['more']).toMatch(/more passages: narrow with filter/);
    expect(answer['leftOut']).toMatch(/too large or too many/);
  });

  it('says so when nothing fits', async () => {
    expect((await ask('qqxzzyq'))['note']).toMatch(/^None of the \d+ documents says it/);
  });

  it('gives up when its time is over', async () => {
    for (let at = 0; at < 60; at += 1)
      project.write(`docs/many/${at}.md`, `# Page ${at}\n\n${'lorem ipsum dolor '.repeat(900)}`);
    const hurried = new DocumentSearch(new ProjectFolder(project.root), 1);
    await expect(hurried.ask({ query: 'lorem' })).rejects.toBeInstanceOf(OutOfTime);
  });
});

describe('The documents that nest_docs reads', () => {
  it('are none that a symbolic link leads to', async () => {
    symlinkSync(join(project.outside, 'secret.md'), join(project.root, 'docs/linked.md'));
    symlinkSync(project.outside, join(project.root, 'docs/folder'));
    expect((await ask('crown jewels')).passages.filter(({ text }) => text.includes('jewels'))).toEqual([]);
  });

  it.each(['../project-of-another/secret.md', '/etc/passwd', '(a+)+$', '[', '\\', '.*', `${'a'.repeat(299)}!`])(
    'are searched for %j as for any text',
    async (query) => {
      const began = performance.now();
      expect(JSON.stringify(await ask({ query, filter: query }))).not.toContain('jewels');
      expect(performance.now() - began).toBeLessThan(5_000);
    },
  );

  it('leave out what is too large', async () => {
    project.write('docs/large.md', `# Mammoth\n\n${'mammoth '.repeat(70_000)}`);
    expect((await ask({ query: 'mammoth', filter: 'docs' })).total).toBe(0);
  });
});

describe('Passages', () => {
  it('hold every word of a document once, in its order, and none is long', () => {
    const line = fc.oneof(
      fc.constantFrom('', '# A', '## B', '### C', '```', '~~~', '#no'),
      fc.string({ maxLength: 300 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const document = lines.join('\n');
        const passages = passagesOf(document);
        const all = passages.map(({ text }) => text).join(' ');
        expect(all.replaceAll(/\s+/g, '')).toBe(document.replaceAll(/\s+/g, ''));
        for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(1_200);
        const at = passages.map((passage) => passage.line);
        expect(at).toEqual(at.toSorted((a, b) => a - b));
        expect(new Set(at).size).toBe(at.length);
      }),
    );
  });
});
