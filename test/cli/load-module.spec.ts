import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadModule } from '../../src/cli/load-module.js';
import { compiled, wordsFor } from '../support/compiled.js';

const MODULES = fileURLToPath(new URL('modules', import.meta.url));

describe('the module class of an application, found in a file', () => {
  it.each([
    ['the default export, before any other', 'by-default.ts', 'RootModule'],
    ['AppModule, where the default is none', 'by-name.ts', 'AppModule'],
    ['the only module, under whatever names', 'only-one.ts', 'ShopModule'],
  ])('is %s', async (_, file, name) => {
    expect((await loadModule(file, MODULES)).name).toBe(name);
  });

  it('is found by an absolute path, and from the working directory by any other', async () => {
    const absolute = await loadModule(join(MODULES, 'by-name.ts'), tmpdir());
    expect(absolute.name).toBe('AppModule');
    expect(await loadModule('test/cli/modules/by-name.ts')).toBe(absolute);
  });

  it.each([
    ['a file that is not there', 'dist/app.module.js', /no file dist\/app\.module\.js in \/.*modules\. Build/],
    ['a folder', '.', /^\. is a folder: name the file .*dist\/app\.module\.js\.$/],
    ['a file without any module', 'none.ts', /none\.ts exports no module of Nest, but bootstrap, port\. Name the file/],
    ['a file without exports', 'nothing.ts', /nothing\.ts exports nothing\. Name the file/],
    ['an AppModule without its decorator', 'undecorated.ts', /AppModule of undecorated\.ts is no module of Nest/],
    ['several modules', 'several.ts', /exports several modules: BillingModule, OrdersModule\. Export .* AppModule\.$/],
    ['what is thrown that is no error', 'throws-a-value.ts', /can not be loaded:\n\{ reason: 'no settings' \}$/],
  ])('is not found in %s, and the message says the way out', async (_, file, says) => {
    await expect(loadModule(file, MODULES)).rejects.toThrow(says);
  });
});

describe('in a process of its own', () => {
  let outcomes: Record<string, string>;

  /** What came of each file, in a process that is started with these words. */
  async function load(cwd: string, words: readonly string[], ...files: string[]): Promise<Record<string, string>> {
    const env = { ...process.env, SWC_NODE_PROJECT: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)) };
    const { stdout } = await promisify(execFile)(process.execPath, [...words, ...files], { cwd, env });
    return JSON.parse(stdout) as Record<string, string>;
  }

  beforeAll(async () => {
    const script = new URL('processes/load-modules.ts', import.meta.url);
    const loader = ['--import', '@swc-node/register/esm-register', fileURLToPath(script)];
    const twins = compiled(new URL('modules', import.meta.url));
    const found = await Promise.all([
      load(MODULES, loader, 'by-default.ts', 'throws.ts'),
      load(
        twins,
        wordsFor(script),
        'common.cjs',
        'assigned.cjs',
        'typescript.mts',
        'missing-package.mjs',
        '../../../README.md',
      ),
    ]);
    outcomes = { ...found[0], ...found[1] };
  }, 60_000);

  it('is found in TypeScript that a loader reads', () => {
    expect(outcomes['by-default.ts']).toBe('RootModule');
  });

  it('is found in CommonJS, by the same rules', () => {
    expect(outcomes['common.cjs']).toBe('RootModule');
    expect(outcomes['assigned.cjs']).toBe('AppModule');
  });

  it('is not found in TypeScript that no loader reads, and the message names one', () => {
    expect(outcomes['typescript.mts']).toMatch(
      /typescript\.mts is TypeScript.*dist\/app\.module\.js.*--import @swc-node/,
    );
  });

  it('is not found in a file that fails: the error is shown with its places in the application, and none in Node', () => {
    expect(outcomes['throws.ts']).toMatch(
      /^Error: throws\.ts can not be loaded:\nError: The variable SHOP_DATABASE_URL is/,
    );
    expect(outcomes['throws.ts']).toMatch(/\n +at required .*throws\.ts/);
    expect(outcomes['throws.ts']).not.toContain('node:');
  });

  it('is not found in what Node cannot import, and the message is whole', () => {
    expect(outcomes['../../../README.md']).toMatch(
      /README\.md can not be loaded:\nTypeError.*README\.md \{\n  code: 'ERR_UNKNOWN_FILE_EXTENSION'\n\}$/,
    );
  });

  it('is not found where a package is missing, and the message names the package', () => {
    expect(outcomes['missing-package.mjs']).toMatch(/can not be loaded:\n.*'a-package-that-nobody-has-installed'/);
  });
});
