/**
 * The Markdown of the project and of this package, searched: ranked passages, read again when a file has changed. What looks
 * like a secret is masked before it is searched, so that no question finds out what it is.
 */
import { fileURLToPath } from 'node:url';
import type MiniSearch from 'minisearch';
import type { SearchOptions } from 'minisearch';
import { bounded } from '../bounded.js';
import { Patience } from '../project/patience.js';
import { ProjectFolder, type ProjectFile } from '../project/project-folder.js';
import { withinBound } from '../project/within-bound.js';
import { maskMarkdown } from '../secrets/markdown.js';
import { maskText } from '../secrets/shapes.js';
import { passagesOf } from './passages.js';

/** What is asked. */
export interface DocumentQuestion {
  readonly query: string;
  /** Words that a passage's file or heading must hold. */
  readonly filter?: string | undefined;
}

interface Indexed {
  /** `docs/authorization.md:12` */
  readonly id: string;
  readonly file: string;
  readonly heading: string;
  readonly text: string;
}

const SEARCH = { extensions: ['.md', '.mdx', '.markdown'], maxBytes: 500_000, maxFiles: 1_000 };
const TIME_MS = 10_000;
const MAX_PASSAGES = 8;
/** Beyond, documents are left out: they are somebody's data. */
const MAX_INDEXED = 20_000;

/** This package's own folder, and the name that its documents are told under. */
const OWN_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const OWN_NAME = 'nestjs-mcp-gate';

const RANKING: SearchOptions = {
  boost: { heading: 3, file: 1.5 },
  prefix: (term) => term.length >= 3,
  fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
};

export class DocumentSearch {
  private readonly own = new ProjectFolder(OWN_FOLDER);
  private index: MiniSearch<Indexed> | undefined;
  /** What is in the index of each file. */
  private readonly held = new Map<string, { stamp: string; ids: readonly string[] }>();
  private passages = 0;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: ProjectFolder,
    private readonly timeMs = TIME_MS,
  ) {}

  /** The passages that answer a question best; questions wait for each other. @throws OutOfTime */
  ask(question: DocumentQuestion, signal?: AbortSignal): Promise<object> {
    const answer = this.turn.then(() => this.answer(question, signal));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private async answer({ query, filter }: DocumentQuestion, signal?: AbortSignal): Promise<object> {
    const { index, left } = await this.upToDate(new Patience(this.timeMs, signal), signal);
    // Every word first; where nothing has them all, any.
    const all = index.search(query, { ...RANKING, combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(query, RANKING);
    const told = found.map(({ id, heading, text }) => ({
      at: String(id),
      ...(heading !== '' && { heading: String(heading) }),
      text: String(text),
    }));
    return withinBound(MAX_PASSAGES, (limit) => {
      const place = ({ at, heading = '' }: (typeof told)[number]) => `${at} ${heading}`;
      const { items, total, more } = bounded(told, { of: 'passages', filter, limit, text: place });
      return {
        passages: items,
        total,
        ...(more !== undefined && { more }),
        ...(total === 0 && { note: `None of the ${this.held.size} documents says it. Ask with other or fewer words.` }),
        ...(left > 0 && { leftOut: `${left} documents are too large or too many, and were not read` }),
      };
    });
  }

  private async upToDate(
    patience: Patience,
    signal?: AbortSignal,
  ): Promise<{ index: MiniSearch<Indexed>; left: number }> {
    const index = (this.index ??= await emptyIndex());
    const project = await this.folder.find({ ...SEARCH, ...(signal && { signal }) });
    const files = new Map<string, { file: ProjectFile; folder: ProjectFolder }>();
    for (const file of project.files) files.set(file.path, { file, folder: this.folder });
    for (const file of await this.ownDocuments(signal)) {
      files.set(`${OWN_NAME}/${file.path}`, { file, folder: this.own });
    }
    for (const [name, { stamp }] of this.held) if (files.get(name)?.file.stamp !== stamp) this.drop(index, name);
    let { left } = project;
    for (const [name, { file, folder }] of files) {
      if (this.held.has(name)) continue;
      await patience.breathe();
      if (this.passages >= MAX_INDEXED) left += 1;
      else this.take(index, name, file.stamp, (await folder.read(file.path, SEARCH.maxBytes)) ?? '');
    }
    return { index, left };
  }

  private take(index: MiniSearch<Indexed>, file: string, stamp: string, document: string): void {
    const passages = passagesOf(maskMarkdown(document)).map(({ heading, line, text }) => ({
      id: `${file}:${line}`,
      file,
      heading: maskText(heading),
      text: maskText(text),
    }));
    index.addAll(passages);
    this.passages += passages.length;
    this.held.set(file, { stamp, ids: passages.map(({ id }) => id) });
  }

  private drop(index: MiniSearch<Indexed>, file: string): void {
    const ids = this.held.get(file)?.ids ?? [];
    index.discardAll([...ids]);
    this.passages -= ids.length;
    this.held.delete(file);
  }

  /** The README and the documents that this package is published with; none where the project is this package. */
  private async ownDocuments(signal?: AbortSignal): Promise<readonly ProjectFile[]> {
    if ((await this.own.real()) === (await this.folder.real())) return [];
    const { files } = await this.own.find({ ...SEARCH, ...(signal && { signal }) });
    return files.filter(({ path }) => path === 'README.md' || path.startsWith('docs/'));
  }
}

async function emptyIndex(): Promise<MiniSearch<Indexed>> {
  const { default: Search } = await import('minisearch');
  return new Search<Indexed>({ fields: ['heading', 'text', 'file'], storeFields: ['heading', 'text'] });
}
