/** `nest add nestjs-mcp-gate`: the application has a gate, once. */
import { nestAdd, type NestAddOptions } from '../../src/schematics/nest-add/nest-add.schematic.js';
import { APP_MODULE, generate, nestProject, type MemoryTree } from './memory-tree.js';

const add = (tree: MemoryTree, options: NestAddOptions = {}) =>
  generate(tree, nestAdd({ sourceRoot: 'src', ...options }));

describe('nest add', () => {
  it('opens a gate in AppModule, under the name of the package', async () => {
    const tree = nestProject({ name: "@shop/ann's" });
    const { said } = await add(tree);
    const module = tree.readText('src/app.module.ts');
    expect(module).toContain("imports: [McpModule.forRoot({ name: '@shop/ann\\'s' })]");
    expect(module).toContain("import { McpModule } from 'nestjs-mcp-gate';\n\n@Module");
    expect(said.at(-1)).toMatch(/answers POST \/mcp\./);
  });

  it('changes nothing the second time', async () => {
    const tree = nestProject({ jest: {} });
    await add(tree, { name: 'shop' });
    const before = new Map(tree.files);
    const { said, tasks } = await add(tree, { name: 'shop' });
    expect([tree.files, tasks]).toEqual([before, []]);
    expect(said).toEqual(['info: src/app.module.ts opens a gate already: no other is opened.']);
  });

  it('opens no second gate beside one that stands in another file: it would serve the tools of that one', async () => {
    const gate = 'McpModule.forRootAsync({ useFactory: () => ({ tools: [] }) })';
    const tree = nestProject({}, { 'src/shop/shop.gate.ts': gate });
    await add(tree);
    expect(tree.readText('src/app.module.ts')).toBe(APP_MODULE);
  });

  it('finds the module that main.ts starts, whatever it is called', async () => {
    const main = `import { NestFactory } from '@nestjs/core';
import { DeskModule } from "./desk/desk.module.js";
const app = await NestFactory.create<NestExpressApplication>(DeskModule, { cors: true });`;
    const desk = APP_MODULE.replace('AppModule', 'DeskModule');
    const tree = nestProject({}, { 'apps/desk/src/main.ts': main, 'apps/desk/src/desk/desk.module.ts': desk });
    await add(tree, { sourceRoot: 'apps/desk/src' });
    expect(tree.readText('apps/desk/src/desk/desk.module.ts')).toContain("McpModule.forRoot({ name: 'app' })");
    expect(tree.readText('src/app.module.ts')).toBe(APP_MODULE);
  });

  it('adds to package.json the peers that it lacks, and has them installed unless that is not wanted', async () => {
    const lacking = nestProject({ dependencies: { '@nestjs/core': '^11', '@nestjs/common': '^11' } });
    expect((await add(lacking)).tasks).toHaveLength(1);
    expect(Object.keys(lacking.json('package.json').dependencies)).toEqual([
      '@nestjs/common',
      '@nestjs/core',
      'class-transformer',
      'class-validator',
      'reflect-metadata',
      'rxjs',
    ]);
    const { said, tasks } = await add(nestProject({ dependencies: {} }), { skipInstall: true });
    expect(tasks).toEqual([]);
    expect(said[0]).toMatch(/^info: Install what package.json lacked: @nestjs\/common, /);
  });

  it('says what to write where a module has no list to write it in', async () => {
    const tree = nestProject({}, { 'src/app.module.ts': APP_MODULE.replace('[]', 'IMPORTS') });
    const { said } = await add(tree);
    expect(said).toContain(
      "warn: src/app.module.ts could not be changed: add McpModule.forRoot({ name: 'app' }) to the imports of its @Module().",
    );
    expect(tree.readText('src/app.module.ts')).toBe(APP_MODULE.replace('[]', 'IMPORTS'));
  });
});
