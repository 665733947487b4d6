/** N1: the gate that is written, and where. */
import { gate, type GateOptions } from '../../src/schematics/gate/gate.schematic.js';
import { APP_MODULE, generate, nestProject, packageJson, type MemoryTree } from './memory-tree.js';

/** What the Nest CLI passes on when nothing else is said. */
const CLI = { sourceRoot: 'src', spec: true, flat: false, specFileSuffix: 'spec', language: 'ts', skipImport: false };

async function gateIn(tree: MemoryTree, options: Partial<GateOptions> = {}) {
  const before = new Map(tree.files);
  const outcome = await generate(tree, gate({ ...CLI, name: 'shop', ...options }));
  const changed = [...tree.files].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  return { ...outcome, changed, text: (path: string) => tree.readText(path) };
}

describe('a gate', () => {
  it('is a module with tools and a test, imported into the nearest module', async () => {
    const { changed, text, said, tasks } = await gateIn(nestProject());
    expect(changed.filter((path) => path.includes('shop'))).toEqual([
      '/src/shop/shop.gate.ts',
      '/src/shop/shop.tools.ts',
      '/src/shop/shop.gate.spec.ts',
    ]);
    expect(text('/src/app.module.ts')).toBe(
      APP_MODULE.replace('imports: []', 'imports: [ShopGateModule]').replace(
        "'./app.controller';\n",
        "'./app.controller';\nimport { ShopGateModule } from './shop/shop.gate';\n",
      ),
    );
    expect(said.at(-1)).toBe('info: The gate "shop" answers POST /mcp/shop, to callers on this machine.');
    expect(tasks).toEqual([]);
  });

  it('is local unless it is told otherwise', async () => {
    const { text } = await gateIn(nestProject());
    expect(text('/src/shop/shop.gate.ts')).not.toMatch(/allowRemote|authorization/);
    expect(text('/src/shop/shop.tools.ts')).not.toMatch(/Require|ActsForUser/);
  });

  it('takes tokens with --type oauth, and acts for an account that is to be found', async () => {
    const { changed, text, said } = await gateIn(nestProject(), { type: 'oauth' });
    expect(changed).toContain('/src/shop/shop.accounts.ts');
    expect(text('/src/shop/shop.gate.ts')).toMatch(/issuers: \[fromEnvironment\('SHOP_ISSUER'\)\]/);
    expect(text('/src/shop/shop.gate.ts')).toMatch(/publicUrl: fromEnvironment\('SHOP_PUBLIC_URL'\)/);
    expect(text('/src/shop/shop.gate.ts')).not.toMatch(/anonymous/);
    expect(text('/src/shop/shop.tools.ts')).toMatch(/@RequireAuth\(\)\n  find\(/); // nor at a gate for everybody
    expect(text('/src/shop/shop.tools.ts')).toMatch(/@RequireScopes\('shop:write'\)\n  async rebuild\(/);
    expect(text('/src/shop/shop.tools.ts')).toMatch(
      /name: 'shop_me'[^]*@RequireScopes\('shop:read'\)\n  @ActsForUser\(\)/,
    );
    expect(said.at(-1)).toBe(
      'info: Set SHOP_ISSUER and SHOP_PUBLIC_URL: without them the application does not start. ' +
        'Find accounts in src/shop/shop.accounts.ts.',
    );
  });

  it('reserves the long tool with --type mixed', async () => {
    const { changed, text } = await gateIn(nestProject(), { type: 'mixed', name: 'orderDesk' });
    expect(changed).not.toContain('/src/order-desk/order-desk.accounts.ts');
    expect(text('/src/order-desk/order-desk.gate.ts')).toMatch(/anonymous: true/);
    expect(text('/src/order-desk/order-desk.tools.ts')).toMatch(
      /@RequireScopes\('order-desk:write'\)\n  async rebuild\(/,
    );
    expect(text('/src/order-desk/order-desk.tools.ts').match(/@Require/g)).toHaveLength(1);
  });

  it.each(['oauth', 'mixed'] as const)(
    'trusts nobody by default with --type %s: only its test names an issuer',
    async (type) => {
      const { text, changed } = await gateIn(nestProject(), { type, name: 'orderDesk' });
      const sources = changed.filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'));
      for (const path of sources) expect(text(path)).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)|process\.env\.|\?\?/);
      const test = text('/src/order-desk/order-desk.gate.spec.ts');
      expect(test).toContain("\nprocess.env.ORDER_DESK_ISSUER = 'https://login.example';\n");
      expect(test).toContain("\nprocess.env.ORDER_DESK_PUBLIC_URL = 'http://127.0.0.1:3000/mcp/order-desk';\n");
    },
  );

  it('is exposed as --expose says, too; a contradiction and any other word are refused', async () => {
    const { text } = await gateIn(nestProject(), { expose: 'mixed', type: 'mixed' });
    expect(text('/src/shop/shop.gate.ts')).toMatch(/anonymous: true/);
    const tree = nestProject();
    await expect(gateIn(tree, { expose: 'local', type: 'oauth' })).rejects.toThrow(
      /here local and oauth: leave one out/,
    );
    await expect(gateIn(tree, { type: 'remote' })).rejects.toThrow(
      '"remote" is not a way to expose a gate: take local or oauth or mixed.',
    );
    expect([...tree.files.keys()]).not.toContain('/src/shop/shop.gate.ts');
  });

  it('never overwrites: where one of its files is, none is written', async () => {
    const tree = nestProject({}, { 'src/shop/shop.tools.ts': '// mine' });
    const before = new Map(tree.files);
    await expect(gateIn(tree)).rejects.toThrow('src/shop/shop.tools.ts: there already, so nothing was written.');
    expect(tree.files).toEqual(before);
  });
});

describe('where a gate is written', () => {
  it.each<[string, Partial<GateOptions>, string]>([
    ['below a path', { path: 'desks' }, '/src/desks/shop/shop.gate.ts'],
    ['below a path in its name', { name: 'desks/shop' }, '/src/desks/shop/shop.gate.ts'],
    ['without a folder of its own', { flat: true }, '/src/shop.gate.ts'],
    ['in the sources of a project', { sourceRoot: 'apps/desk/src' }, '/apps/desk/src/shop/shop.gate.ts'],
    [
      'in a project that nest-cli.json names',
      { project: 'desk', sourceRoot: undefined },
      '/apps/desk/src/shop/shop.gate.ts',
    ],
    ['in the source root of nest-cli.json', { sourceRoot: undefined }, '/lib/shop/shop.gate.ts'],
  ])('%s', async (_, options, file) => {
    const projects = { desk: { sourceRoot: 'apps/desk/src' } };
    const tree = nestProject({}, { 'nest-cli.json': { sourceRoot: 'lib', projects } });
    const { changed } = await gateIn(tree, options);
    expect(changed).toContain(file);
  });

  it('says which projects there are when it is told of another, and that it writes TypeScript only', async () => {
    const tree = nestProject({}, { 'nest-cli.json': { projects: { desk: {} } } });
    await expect(gateIn(tree, { project: 'dsek' })).rejects.toThrow('no project "dsek". Its projects are: desk.');
    await expect(gateIn(tree, { language: 'js' })).rejects.toThrow('The language of the project is js');
  });

  it('is imported into the nearest module, by the path from there', async () => {
    const nearest = APP_MODULE.replace('AppModule', 'DesksModule');
    const tree = nestProject({}, { 'src/desks/desks.module.ts': nearest });
    const { changed, text } = await gateIn(tree, { path: 'desks/front' });
    expect(changed).not.toContain('/src/app.module.ts');
    expect(text('/src/desks/desks.module.ts')).toContain("import { ShopGateModule } from './front/shop/shop.gate';");
  });

  it('is imported nowhere when that is not wanted, and says so when nothing can be', async () => {
    expect((await gateIn(nestProject(), { skipImport: true })).changed).not.toContain('/src/app.module.ts');
    const none = nestProject();
    none.files.delete('/src/app.module.ts');
    expect((await gateIn(none)).said).toContainEqual(
      expect.stringContaining('add ShopGateModule to the imports of one'),
    );
  });
});

describe('a generated file fits the project', () => {
  it('has imports that end in .js in an ES module, after the nearest package.json', async () => {
    const { text } = await gateIn(nestProject({ type: 'module' }));
    expect(text('/src/shop/shop.gate.ts')).toContain("from './shop.tools.js';");
    expect(text('/src/shop/shop.gate.spec.ts')).toContain("from './shop.gate.js';");
    expect(text('/src/app.module.ts')).toContain("from './shop/shop.gate.js';");
    const mixed = nestProject({ type: 'module' }, { 'src/package.json': { type: 'commonjs' } });
    expect((await gateIn(mixed)).text('/src/shop/shop.gate.ts')).toContain("from './shop.tools';");
  });

  it.each<[string, object, string | undefined, boolean]>([
    ['vitest in package.json', { devDependencies: { vitest: '^4' } }, undefined, true],
    ['jest in package.json', {}, undefined, false],
    [
      'both, and vitest in the script',
      { devDependencies: { jest: '1', vitest: '1' }, scripts: { test: 'vitest run' } },
      undefined,
      true,
    ],
    ['what is asked for', {}, 'vitest', true],
  ])('has a test for %s', async (_, parts, testRunner, vitest) => {
    const { text } = await gateIn(nestProject(parts), { ...(testRunner !== undefined && { testRunner }) });
    expect(text('/src/shop/shop.gate.spec.ts').includes("from 'vitest'")).toBe(vitest);
  });

  it('says when package.json has no test runner, and which there are when another is asked for', async () => {
    const { said } = await gateIn(nestProject({ devDependencies: {} }));
    expect(said).toContain('warn: package.json has neither jest nor vitest: the test is written for Jest.');
    await expect(gateIn(nestProject(), { testRunner: 'mocha' })).rejects.toThrow('"mocha" is not a test runner');
  });

  it('has a test under the suffix that is asked for, or none', async () => {
    expect((await gateIn(nestProject(), { specFileSuffix: 'test' })).changed).toContain('/src/shop/shop.gate.test.ts');
    const { changed } = await gateIn(nestProject(), { spec: false });
    expect(changed.filter((path) => path.includes('spec'))).toEqual([]);
  });

  it("has the style of the project's Prettier", async () => {
    const { text } = await gateIn(nestProject({ devDependencies: { jest: '30', prettier: '^3' } }));
    expect(text('/src/shop/shop.gate.spec.ts')).toContain(
      '    app = await Test.createTestingModule({ imports: [ShopGateModule] }).compile();\n',
    );
    const { text: raw } = await gateIn(nestProject());
    expect(raw('/src/shop/shop.gate.spec.ts')).not.toContain('}).compile();');
  });

  it('leaves a module in the style that it has', async () => {
    const prettier = { devDependencies: { jest: '30', prettier: '^3' } };
    const long = APP_MODULE.replace('imports: []', `imports: [${'OneModule, '.repeat(8)}LastModule]`);
    const inStyle = await gateIn(nestProject(prettier, { 'src/app.module.ts': long }));
    expect(inStyle.text('/src/app.module.ts')).toMatch(/^    LastModule,\n    ShopGateModule,\n {2}\],$/m);
    const ofItsOwn = long.replaceAll(/^ {2}/gm, '\t');
    const other = await gateIn(nestProject(prettier, { 'src/app.module.ts': ofItsOwn }));
    expect(other.text('/src/app.module.ts')).toMatch(/^\timports: \[OneModule, .*LastModule, ShopGateModule\],$/m);
  });

  it('finds in package.json what it imports: what was not there is added and installed', async () => {
    const dependencies = {
      '@nestjs/common': '^11',
      '@nestjs/core': '^11',
      'reflect-metadata': '*',
      rxjs: '^7',
      zod: '4',
    };
    const tree = nestProject({ dependencies });
    const { tasks } = await gateIn(tree);
    expect(Object.entries(tree.json('package.json').dependencies)).toEqual([
      ['@nestjs/common', '^11'],
      ['@nestjs/core', '^11'],
      ['class-transformer', '^0.5.1'],
      ['class-validator', '^0.14.0 || ^0.15.0'],
      ['reflect-metadata', '*'],
      ['rxjs', '^7'],
      ['zod', '4'],
    ]);
    expect(tasks).toEqual([{ name: 'node-package', options: { command: 'install', quiet: true, hideOutput: true } }]);
    const text = JSON.stringify(packageJson(), null, 4);
    const whole = nestProject({}, { 'package.json': text });
    await gateIn(whole);
    expect(whole.readText('package.json')).toBe(text);
  });
});
