/** D: where a name of the project's source is defined and used, and nothing of what lies outside of it. */
import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import typescript from 'typescript';
import { OutOfTime } from '../../src/devkit/project/patience.js';
import { ProjectFolder } from '../../src/devkit/project/project-folder.js';
import { maskSecrets } from '../../src/devkit/secrets/mask.js';
import { SymbolSearch, type SymbolQuestion } from '../../src/devkit/symbols/symbol-search.js';
import { loadTypeScript } from '../../src/devkit/symbols/typescript.js';
import { projectOnDisk, type ProjectOnDisk } from './project.js';

const STOCK = `
import { Injectable } from '@nestjs/common';

/** Knows how much of what there is. More of it below. */
@Injectable()
export class StockService implements StockPort {
  private readonly cache = new Map<string, number>();

  find(sku: string): number {
    return this.cache.get(sku) ?? this.count(sku);
  }

  private count(sku: string): number {
    return sku.length;
  }
}

export interface StockPort {
  find(sku: string): number;
}
`;

const ORDERS = `
import { Injectable } from '@nestjs/common';
import { Audited } from './audited.js';
import { StockService as Stock } from './stock.service.js';
import type { StockPort } from './stock.service.js';

@Injectable()
export class OrdersService {
  constructor(private readonly stock: Stock, private readonly port: StockPort) {}

  @Audited('order')
  place(sku: string) {
    const password = 'correct-horse-battery';
    return this.stock.find(sku) + [sku].find(Boolean).length;
  }

  later(sku: string) {
    return this.port.find(sku);
  }
}

class Shelf {
  find() {
    return 1;
  }
}
export const onShelf = new Shelf().find();
`;

const AUDITED = `export function Audited(what: string): MethodDecorator {
  return () => console.log(what);
}
export const auditedTwice = [Audited('a'), Audited('b')];
`;

const FILES = {
  'package.json': '{ "type": "module" }',
  'src/stock.service.ts': STOCK,
  'src/orders.service.ts': ORDERS,
  'src/audited.ts': AUDITED,
  'node_modules/other/index.ts': 'export class StockService {}',
  '.hidden/stock.ts': 'export class StockService {}',
  'dist/stock.service.ts': 'export class StockService {}',
};

let project: ProjectOnDisk;
let search: SymbolSearch;

beforeEach(() => {
  project = projectOnDisk(FILES, { 'secret.ts': 'export class OutsideClass { hiddenMethod() {} }' });
  search = new SymbolSearch(typescript, new ProjectFolder(project.root));
});
afterEach(() => project.remove());

interface Answer {
  definitions: { name: string; kind: string; at: string; decorators?: string[]; head: string; doc?: string }[];
  uses: { at: string; as: string; in?: string; code: string; byName?: true }[];
  [more: string]: unknown;
}
const ask = async (question: string | SymbolQuestion) =>
  (await search.ask(typeof question === 'string' ? { query: question } : question)) as Answer;
const places = ({ uses }: Answer) => uses.map(({ at, as, in: within }) => `${at} ${as}${within ? ` ${within}` : ''}`);

describe('nest_symbols', () => {
  it('tells where a class is defined, with its decorators, its head and what its author says of it', async () => {
    const { definitions } = await ask('StockService');
    expect(definitions).toEqual([
      {
        name: 'StockService',
        kind: 'class',
        at: 'src/stock.service.ts:6',
        decorators: ['@Injectable'],
        head: 'StockService implements StockPort',
        doc: 'Knows how much of what there is. More of it below.',
      },
    ]);
  });

  it('follows a class through an import under another name to where it is injected', async () => {
    expect(places(await ask('StockService'))).toEqual(['src/orders.service.ts:4 import']);
    expect(places(await ask({ query: 'Stock', kind: 'class' }))).toEqual(['src/orders.service.ts:4 import']);
  });

  it('tells the uses of one method from those of another with its name', async () => {
    const answer = await ask('StockService.find');
    expect(places(answer)).toEqual(
      [
        'src/stock.service.ts:20 reference StockPort.find',
        'src/orders.service.ts:14 call OrdersService.place',
        'src/orders.service.ts:18 call OrdersService.later',
        'src/orders.service.ts:14 call OrdersService.place',
      ].filter((place) => !place.includes('reference')),
    );
    expect(answer.uses.map(({ byName }) => byName === true)).toEqual([false, false, true]);
    expect((await ask('Shelf.find')).uses.filter(({ byName }) => !byName)).toEqual([
      { at: 'src/orders.service.ts:27', as: 'call', code: 'export const onShelf = new Shelf().find();' },
    ]);
  });

  it('tells where a decorator of the project stands, and one of a package', async () => {
    const own = await ask({ query: '@Audited', kind: 'decorator' });
    expect(own.definitions.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['function Audited']);
    expect(places(own)).toContain('src/orders.service.ts:11 decorator OrdersService.place');
    const foreign = await ask({ query: 'Injectable', kind: 'decorator' });
    expect(foreign['declaredIn']).toContain('@nestjs/common');
    expect(places(foreign).filter((place) => place.includes('decorator'))).toEqual([
      'src/orders.service.ts:7 decorator OrdersService',
      'src/stock.service.ts:5 decorator StockService',
    ]);
  });

  it('proposes two names of which one speaks of secrets: they are no secret and its value', async () => {
    writeFileSync(
      join(project.root, 'src/reset.ts'),
      'export class Forgot {}\nexport class ForgotPassword {}\nexport class ForgotPage {}\n',
    );
    const { similarNames } = await ask('Forgot');
    expect(maskSecrets({ similarNames })).toEqual({ similarNames: ['ForgotPassword', 'ForgotPage'] });
  });

  it('finds a name by a part of it, and proposes the others that fit', async () => {
    const answer = await ask('orders');
    expect(answer.definitions.map(({ name }) => name)).toEqual(['OrdersService']);
    expect(answer['similarNames']).toEqual(expect.arrayContaining(['OrdersService.place', 'OrdersService.later']));
  });

  it('says so when there is nothing of that name', async () => {
    expect((await ask('Nothing'))['note']).toMatch(/Nothing called "Nothing" is declared or imported in the 3 /);
  });

  it('reads again what has changed, is new, or is gone', async () => {
    expect((await ask('OrdersService.place')).definitions).toHaveLength(1);
    project.write('src/orders.service.ts', ORDERS.replaceAll('place', 'submit'));
    project.write('src/extra.ts', 'export class Extra {}');
    rmSync(join(project.root, 'src/audited.ts'));
    expect((await ask('OrdersService.submit')).definitions).toHaveLength(1);
    expect((await ask('Extra')).definitions).toHaveLength(1);
    expect((await ask('auditedTwice')).definitions).toEqual([]);
    expect((await ask('OrdersService.place')).definitions).toEqual([]);
  });

  it('narrows the uses by words of their file, their place or their kind', async () => {
    const answer = await ask({ query: 'Audited', filter: 'decorator orders' });
    expect(places(answer)).toEqual(['src/orders.service.ts:11 decorator OrdersService.place']);
  });

  it('masks what looks like a secret in a line, a head and a comment, and no filter finds out what it is', async () => {
    const long = 'x'.repeat(125);
    project.write(
      'src/connect.ts',
      [
        '/** With password=tangerine1 it opens. */',
        "export function connect(user: string, password = 'tangerine2') {}",
        `connect('${long}'); const token = 'tangerine3';`,
        "connect('ada', 'x'); setPassword('tangerine4');",
      ].join('\n'),
    );
    const answer = await ask('connect');
    expect(answer.uses).toHaveLength(2);
    expect(JSON.stringify(answer)).not.toMatch(/tange/);
    expect((await ask({ query: 'connect', filter: 'tangerine' })).usesInAll).toBe(0);
  });

  it('stays under the bound when a name is used a thousand times, and says how to narrow', async () => {
    for (let at = 0; at < 50; at += 1) {
      project.write(
        `src/many/${at}.ts`,
        `import { Audited } from '../audited.js';\n${`Audited('${'x'.repeat(120)}');\n`.repeat(20)}`,
      );
    }
    const answer = await ask('Audited');
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(16_000);
    expect(answer['usesInAll']).toBeGreaterThan(1_000);
    expect(answer['moreUses']).toMatch(/^\d+ more uses: narrow with filter$/);
  });

  it('gives up when its time is over, and answers once there is more of it', async () => {
    for (let at = 0; at < 40; at += 1) project.write(`src/many/${at}.ts`, `export class Many${at} {}\n`.repeat(400));
    const hurried = new SymbolSearch(typescript, new ProjectFolder(project.root), 1);
    await expect(hurried.ask({ query: 'Many1' })).rejects.toBeInstanceOf(OutOfTime);
    Object.assign(hurried, { timeMs: 60_000 });
    expect(((await hurried.ask({ query: 'Many1' })) as Answer).definitions.length).toBeGreaterThan(0);
  });

  it('ends with the run that asked', async () => {
    await expect(search.ask({ query: 'StockService' }, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect((await ask('StockService')).definitions).toHaveLength(1);
  });
});

describe('The project that nest_symbols reads', () => {
  const outside = async (query = 'OutsideClass') => (await ask(query)).definitions;

  it('follows no symbolic link to a file or a folder outside', async () => {
    symlinkSync(join(project.outside, 'secret.ts'), join(project.root, 'src/linked.ts'));
    symlinkSync(project.outside, join(project.root, 'src/folder'));
    symlinkSync('/', join(project.root, 'everything'));
    expect(await outside()).toEqual([]);
  });

  it('reads nothing through a folder that became a link after it was found', async () => {
    project.write('src/inner/a.ts', 'export class Inner {}');
    const folder = new ProjectFolder(project.root);
    const found = await folder.find({ extensions: ['.ts'], maxBytes: 1_000, maxFiles: 100 });
    expect(found.files.map(({ path }) => path)).toContain('src/inner/a.ts');
    renameSync(join(project.root, 'src/inner'), join(project.root, 'src/was'));
    symlinkSync(project.outside, join(project.root, 'src/inner'));
    linkSync(join(project.outside, 'secret.ts'), join(project.outside, 'a.ts'));
    expect(await folder.read('src/inner/a.ts', 1_000)).toBeUndefined();
  });

  it.each(['../project-of-another/secret.ts', 'src/../../project-of-another/secret.ts', '/etc/passwd'])(
    'gives nothing for the path %s',
    async (path) => {
      expect(await new ProjectFolder(project.root).read(path, 1_000_000)).toBeUndefined();
    },
  );

  it.each([
    '../project-of-another/secret',
    '../../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    '\u0000',
    '..\\..\\x',
  ])('takes %j for a name and not for a path', async (query) => {
    expect(await outside(query)).toEqual([]);
  });

  it('waits for no pipe that has taken the place of a file, and reads none that another took while it was opened', async () => {
    const folder = new ProjectFolder(project.root);
    execFileSync('mkfifo', [join(project.root, 'src/pipe.ts')]);
    expect(await folder.read('src/pipe.ts', 1_000)).toBeUndefined();
    project.write('src/swapped/a.ts', 'inside');
    writeFileSync(join(project.outside, 'a.ts'), 'outside');
    const at = join(project.root, 'src/swapped');
    const read: (string | undefined)[] = [];
    // The folder is a link when the file is opened, and itself again when its path is looked at.
    for (let turn = 0; turn < 300; turn += 1) {
      renameSync(at, `${at}-away`);
      symlinkSync(project.outside, at);
      const reading = folder.read('src/swapped/a.ts', 1_000);
      for (let turns = 0; turns < turn % 8; turns += 1) await setImmediate();
      rmSync(at);
      renameSync(`${at}-away`, at);
      read.push(await reading);
    }
    expect(read.filter((text) => text === 'outside')).toEqual([]);
  });

  it('follows no link to what is hidden in the project either, in place of a file or of a folder', async () => {
    project.write('.hidden/a.ts', '// hidden');
    project.write('src/shown/a.ts', '// shown');
    project.write('src/b.ts', '// shown');
    const folder = new ProjectFolder(project.root);
    expect(await folder.read('src/shown/a.ts', 1_000)).toBe('// shown');
    for (const path of ['src/shown', 'src/b.ts']) rmSync(join(project.root, path), { recursive: true });
    symlinkSync('../.hidden', join(project.root, 'src/shown'));
    symlinkSync('../.hidden/a.ts', join(project.root, 'src/b.ts'));
    expect(await folder.read('src/shown/a.ts', 1_000)).toBeUndefined();
    expect(await folder.read('src/b.ts', 1_000)).toBeUndefined();
  });

  it('finds files alone, as deep as twenty-four folders, until nobody waits any more', async () => {
    const deep = (folders: number) => `${'in/'.repeat(folders)}${folders}.deep`;
    for (const folders of [24, 25]) project.write(deep(folders), 'deep');
    symlinkSync(join(project.root, deep(24)), join(project.root, 'link.deep'));
    execFileSync('mkfifo', [join(project.root, 'pipe.deep')]);
    const folder = new ProjectFolder(project.root);
    const search = { extensions: ['.deep'], maxBytes: 1_000, maxFiles: 100 };
    expect((await folder.find(search)).files.map(({ path }) => path)).toEqual([deep(24)]);
    await expect(folder.find({ ...search, signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  });

  it('reads no file that grows while it is read', async () => {
    project.write('src/growing.ts', '// first\n');
    const path = join(project.root, 'src/growing.ts');
    const handle = await open(path);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const grows = jest.spyOn(prototype, 'stat').mockImplementation(async () => {
      const seen = statSync(path);
      appendFileSync(path, '// more\n');
      return Promise.resolve(seen);
    });
    try {
      expect(await new ProjectFolder(project.root).read('src/growing.ts', 1_000)).toBeUndefined();
      expect(grows).toHaveBeenCalledTimes(1);
    } finally {
      grows.mockRestore();
    }
    expect(await new ProjectFolder(project.root).read('src/growing.ts', 1_000)).toBe('// first\n// more\n');
  });

  it('reads no file that is larger by now than it may be', async () => {
    project.write('src/log.ts', '// first\n');
    const folder = new ProjectFolder(project.root);
    expect(await folder.read('src/log.ts', 10)).toBe('// first\n');
    expect(await folder.read('src/log.ts', 8)).toBeUndefined();
  });

  it('imports nothing from outside, whatever a file or its configuration says', async () => {
    project.write(
      'src/tempted.ts',
      "import { OutsideClass } from '../../project-of-another/secret.js';\nnew OutsideClass().hiddenMethod();",
    );
    project.write(
      'src/typed.ts',
      '/// <reference path="../../project-of-another/secret.ts" />\nexport const typed = 1;',
    );
    project.write(
      'tsconfig.json',
      JSON.stringify({
        extends: '../project-of-another/tsconfig.json',
        compilerOptions: {
          paths: { '*': ['../project-of-another/*'] },
          rootDirs: ['..'],
          typeRoots: ['..'],
          types: ['project-of-another'],
        },
        files: ['../project-of-another/secret.ts'],
        include: ['..'],
      }),
    );
    expect(await outside()).toEqual([]);
    expect(await outside('hiddenMethod')).toEqual([]);
  });

  it('leaves out packages, hidden folders and what was built', async () => {
    expect((await ask('StockService')).definitions).toHaveLength(1);
  });

  it('leaves out files that are too large, and says so', async () => {
    project.write('src/large.ts', `export class Large {}\n${'// '.padEnd(1_000_001, 'x')}`);
    expect((await ask('Large')).definitions).toEqual([]);
    expect((await ask('Large'))['leftOut']).toMatch(/^1 files/);
  });

  it('survives folders that lead back into themselves', async () => {
    mkdirSync(join(project.root, 'src/loop'));
    symlinkSync('..', join(project.root, 'src/loop/back'));
    expect((await ask('StockService')).definitions).toHaveLength(1);
  });

  it.each(['(a+)+$', '((((((((((', '[', '\\', '^(([a-z])+.)+[A-Z]([a-z])+$', `${'a'.repeat(199)}!`, '*', '.*'])(
    'compares %j as text, and never compiles it',
    async (query) => {
      project.write('src/bait.ts', `export const ${'a'.repeat(5_000)} = 1;`);
      const compiled = jest.spyOn(globalThis, 'RegExp');
      const began = performance.now();
      const answer = await ask({ query, filter: query });
      expect(compiled.mock.calls.filter(([source]) => String(source).includes(query))).toEqual([]);
      compiled.mockRestore();
      expect(answer).toBeDefined();
      expect(performance.now() - began).toBeLessThan(5_000);
    },
  );
});

describe('TypeScript, for nest_symbols', () => {
  const absent = () => Promise.reject(new Error('not there'));

  it('is named, with what to install, when it is not there', async () => {
    expect(await loadTypeScript(absent)).toEqual({
      missing: expect.stringContaining('npm install --save-dev typescript@6'),
    });
  });

  it('may be the one that is published beside TypeScript 7, which cannot be asked', async () => {
    const seven = { default: { version: '7.0.2' } };
    const load = (name: string) =>
      name === 'typescript' ? Promise.resolve(seven) : Promise.resolve({ default: typescript });
    expect(await loadTypeScript(load)).toEqual({ typescript });
    const alone = (name: string) => (name === 'typescript' ? Promise.resolve(seven) : absent());
    expect(await loadTypeScript(alone)).toEqual({ missing: expect.stringContaining('@typescript/typescript6') });
  });

  it('is the one of the project', async () => {
    expect(await loadTypeScript()).toHaveProperty('typescript.createProgram');
  });
});
