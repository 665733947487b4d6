/**
 * Names of the project, looked for: which declarations are meant, and where they are used.
 */
import type ts from 'typescript';
import { bounded } from '../bounded.js';
import { Patience } from '../project/patience.js';
import type { ProjectFolder } from '../project/project-folder.js';
import { withinBound } from '../project/within-bound.js';
import { listOfNames } from '../secrets/mask.js';
import type { Declared, SymbolKind } from './declarations.js';
import { definitionsOf, type Definition } from './definitions.js';
import { describeDeclaration, describeUse, type ToldUse } from './describe.js';
import { projectProgram } from './program.js';
import { SourceFiles, type ParsedFile, type ParsedProject } from './source-files.js';
import type { TypeScript } from './typescript.js';
import { importedFrom, usesIn, type FoundUse, type Meant } from './uses.js';

/** What is asked. */
export interface SymbolQuestion {
  readonly query: string;
  readonly kind?: SymbolKind | undefined;
  /** Narrows the uses. */
  readonly filter?: string | undefined;
}

/** Milliseconds that one question may take. */
const TIME_MS = 10_000;
const MAX_DEFINITIONS = 8;
const MAX_USES = 60;
/** Of a name that is used more often, some uses are not looked at. */
const MOST_USES_FOUND = 2_000;

const BY_NAME =
  'uses marked byName are of something whose type comes from a package: they may mean another of this name';

export class SymbolSearch {
  private readonly sources: SourceFiles;
  private program: ts.Program | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ts: TypeScript,
    private readonly folder: ProjectFolder,
    private readonly timeMs = TIME_MS,
  ) {
    this.sources = new SourceFiles(ts, folder);
  }

  /** The answer to one question; questions wait for each other. @throws OutOfTime */
  ask(question: SymbolQuestion, signal?: AbortSignal): Promise<object> {
    const answer = this.turn.then(() => this.answer(question, new Patience(this.timeMs, signal), signal));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private async answer(question: SymbolQuestion, patience: Patience, signal?: AbortSignal): Promise<object> {
    const project = await this.sources.read(patience, signal);
    if (this.program === undefined || !project.unchanged) {
      this.program = await projectProgram(this.ts, this.folder, project, this.program);
    }
    await patience.breathe();
    const checker = this.program.getTypeChecker();
    const files = [...project.files.values()];
    const { query, kind, filter } = question;
    const name = query.trim().replace(/^@/, '').replace(/\(\)$/, '');
    const { best, others } = definitionsOf(files, name, kind);
    const meant = best.length > 0 ? this.meantBy(checker, best) : await this.imported(checker, files, name, patience);
    const uses: { file: ParsedFile; use: FoundUse }[] = [];
    for (const one of meant) {
      for (const file of files) {
        if (uses.length >= MOST_USES_FOUND) break;
        await patience.breathe();
        uses.push(...usesIn(this.ts, checker, file.source, one).map((use) => ({ file, use })));
      }
    }
    const decorates = uses.some(({ use }) => use.as === 'decorator');
    if (kind === 'decorator' && !decorates) return this.nothing(project, query, 'used as a decorator');
    if (meant.length === 0) return this.nothing(project, query, kind ?? 'declared or imported');

    const certainFirst = uses.toSorted((a, b) => Number(a.use.byName ?? 0) - Number(b.use.byName ?? 0));
    const told: ToldUse[] = certainFirst.map(({ file, use }) => describeUse(this.ts, file, use));
    const from = meant.find((one) => one.from !== undefined)?.from;
    return withinBound(MAX_USES, (limit) => {
      const list = bounded(told, { of: 'uses', filter, limit });
      return {
        definitions: best.slice(0, MAX_DEFINITIONS).map((one) => describeDeclaration(this.ts, one, one.declaration)),
        ...(best.length > MAX_DEFINITIONS && {
          moreDefinitions: `${best.length - MAX_DEFINITIONS} more: ask for Class.${name}, or give kind`,
        }),
        ...(from !== undefined && { declaredIn: `the package ${from}, which is not read` }),
        uses: list.items,
        usesInAll: list.total,
        ...(list.items.some(({ byName }) => byName) && { byName: BY_NAME }),
        ...(list.more !== undefined && { moreUses: list.more }),
        ...(others.length > 0 && { similarNames: listOfNames(others.slice(0, Math.min(limit, 20))) }),
        ...leftOut(project),
      };
    });
  }

  private meantBy(checker: ts.TypeChecker, found: readonly Definition[]): Meant[] {
    const { name } = found[0]!.declaration;
    const declarations = new Set<ts.Declaration>();
    for (const { declaration } of found) {
      declarations.add(declaration.node);
      for (const promised of this.promisedBy(checker, declaration)) {
        for (const one of promised.declarations ?? []) declarations.add(one);
      }
    }
    const isMember = found.every(({ declaration }) => declaration.full !== declaration.name);
    return [{ name, declarations, isMember }];
  }

  /** What a member implements or overrides is used in its stead. */
  private promisedBy(checker: ts.TypeChecker, { node, name }: Declared): ts.Symbol[] {
    const { parent } = node;
    if (!(this.ts.isClassLike(parent) || this.ts.isInterfaceDeclaration(parent))) return [];
    const heritage = parent.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
    return heritage.flatMap((type) => checker.getTypeAtLocation(type).getProperty(name) ?? []);
  }

  /** A name that only packages declare: what the project imports under it. */
  private async imported(
    checker: ts.TypeChecker,
    files: readonly ParsedFile[],
    name: string,
    patience: Patience,
  ): Promise<Meant[]> {
    const origins = new Set<string>();
    for (const { source } of files) {
      if (!source.text.includes(name)) continue;
      await patience.breathe();
      for (const statement of source.statements) {
        if (!this.ts.isImportDeclaration(statement)) continue;
        const bindings = statement.importClause?.namedBindings;
        if (bindings === undefined || !this.ts.isNamedImports(bindings)) continue;
        const specifier = bindings.elements.find((element) => element.name.text === name);
        const symbol = specifier && checker.getSymbolAtLocation(specifier.name);
        const origin = symbol && importedFrom(this.ts, symbol);
        if (origin !== undefined) origins.add(origin);
      }
    }
    return [...origins].map((from) => ({ name, declarations: new Set(), from, isMember: false }));
  }

  private nothing(project: ParsedProject, query: string, what: string): object {
    return {
      definitions: [],
      uses: [],
      note: `Nothing called "${query}" is ${what} in the ${project.files.size} TypeScript files of the project. A part of a name finds it too.`,
      ...leftOut(project),
    };
  }
}

function leftOut({ left }: ParsedProject): object {
  return left > 0 ? { leftOut: `${left} files are too large or too many, and were not read` } : {};
}
