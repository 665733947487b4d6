/** A provider with one tool, and the module that it is declared in. */
import { tool, type ToolOptions } from '../../src/schematics/tool/tool.schematic.js';
import { APP_MODULE, generate, nestProject, type MemoryTree } from './memory-tree.js';

const generateTool = (tree: MemoryTree, options: Partial<ToolOptions> = {}) =>
  generate(tree, tool({ name: 'stock', sourceRoot: 'src', ...options }));

/** A module that opens a gate. */
const GATE = APP_MODULE.replace('AppModule', 'ShopGateModule').replace('[]', "[McpModule.forRoot({ name: 'shop' })]");

describe('a tool', () => {
  it('is a provider with a test, declared in the nearest module', async () => {
    const tree = nestProject();
    await generateTool(tree);
    expect(tree.readText('src/stock/stock.tools.ts')).toMatch(
      /name: 'stock'[^]*class StockTools|class StockTools[^]*name: 'stock'/,
    );
    expect(tree.readText('src/stock/stock.tools.spec.ts')).toContain("from './stock.tools';");
    expect(tree.readText('src/app.module.ts')).toContain('providers: [StockTools]');
  });

  it('is declared in the gate of its folder rather than in the module beside it', async () => {
    const files = { 'src/shop/shop.gate.ts': GATE, 'src/shop/shop.module.ts': APP_MODULE };
    const tree = nestProject({}, files);
    await generateTool(tree, { path: 'shop' });
    expect(tree.readText('src/shop/shop.gate.ts')).toContain("import { StockTools } from './stock/stock.tools';");
    expect(tree.readText('src/shop/shop.module.ts')).toBe(APP_MODULE);
  });

  it('is declared in a module that is nearer than the gate, and in the module where several gates are', async () => {
    const near = nestProject({}, { 'src/shop.gate.ts': GATE, 'src/desk/desk.module.ts': APP_MODULE });
    await generateTool(near, { path: 'desk' });
    expect(near.readText('src/desk/desk.module.ts')).toContain('providers: [StockTools]');
    const several = nestProject({}, { 'src/a.gate.ts': GATE, 'src/b.gate.ts': GATE });
    await generateTool(several);
    expect(several.readText('src/app.module.ts')).toContain('providers: [StockTools]');
  });

  it('says that it is not declared where another provider of that name is', async () => {
    const tree = nestProject();
    await generateTool(tree);
    const before = tree.readText('src/app.module.ts');
    const { said } = await generateTool(tree, { path: 'desk' });
    expect(said).toContain(
      'warn: src/app.module.ts has another StockTools, of "./stock/stock.tools": ' +
        'add StockTools of "./desk/stock/stock.tools" to the providers of its @Module().',
    );
    expect(tree.readText('src/app.module.ts')).toBe(before);
  });

  it('is written without a folder, a test and a declaration when that is wanted', async () => {
    const tree = nestProject();
    await generateTool(tree, { flat: true, spec: false, skipImport: true });
    expect([...tree.files.keys()].filter((path) => path.includes('stock'))).toEqual(['/src/stock.tools.ts']);
    expect(tree.readText('src/app.module.ts')).toBe(APP_MODULE);
  });

  it('says when nothing opens a gate that could serve it; a test that opens one does not', async () => {
    const none = nestProject({}, { 'src/a.spec.ts': GATE, 'src/node_modules/x/index.ts': GATE });
    expect((await generateTool(none)).said).toContainEqual(expect.stringContaining('"nest add nestjs-mcp-gate" does'));
    const some = nestProject({}, { 'src/deep/down/shop.gate.ts': GATE });
    expect((await generateTool(some)).said.join()).not.toContain('nest add');
  });

  it('is refused under a reserved name, and never written over another', async () => {
    const tree = nestProject();
    await expect(generateTool(tree, { name: 'nest-routes' })).rejects.toThrow('the prefix "nest_" is kept');
    await generateTool(tree);
    await expect(generateTool(tree)).rejects.toThrow('there already, so nothing was written');
  });
});
