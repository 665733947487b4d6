/**
 * The collection as the tools of @angular-devkit/schematics see it: schemas, defaults, aliases, and the generators of Nest
 * behind ours. They can not be loaded in Jest on Node 20, so one process runs the whole table.
 */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APP_MODULE, packageJson } from './memory-tree.js';

const HERE = dirname(fileURLToPath(import.meta.url));

interface Outcome {
  readonly files?: Readonly<Record<string, string>>;
  readonly tasks?: readonly { readonly name: string }[];
  readonly error?: string;
}

const files = {
  '/package.json': JSON.stringify(packageJson()),
  '/nest-cli.json': '{ "sourceRoot": "src" }',
  '/src/app.module.ts': APP_MODULE,
};
const bare = { ...files, '/package.json': '{ "name": "bare", "dependencies": {} }' };

const CASES: Readonly<Record<string, { schematic: string; options: object; files: object }>> = {
  gate: { schematic: 'gate', options: { name: 'shop', type: 'oauth' }, files },
  tool: { schematic: 'tool', options: { name: 'desk/stock', spec: false }, files },
  add: { schematic: 'nest-add', options: {}, files: bare },
  ngAdd: { schematic: 'ng-add', options: { name: 'shop' }, files },
  service: { schematic: 'service', options: { name: 'stock', flat: true, spec: true }, files },
  nameless: { schematic: 'gate', options: {}, files },
  reserved: { schematic: 'tool', options: { name: 'nest_stock' }, files },
};

describe('the collection', () => {
  let outcomes: Record<keyof typeof CASES, Outcome>;

  beforeAll(() => {
    const { NODE_OPTIONS: _, ...env } = process.env; // Jest's flags are not the user's
    const script = join(HERE, 'run-collection.mjs');
    const out = execFileSync(process.execPath, [script], { input: JSON.stringify(CASES), env, encoding: 'utf8' });
    outcomes = JSON.parse(out);
  }, 60_000);

  const of = (name: string) => {
    expect(outcomes[name]?.error).toBeUndefined();
    return outcomes[name]!;
  };

  it('writes a gate', () => {
    const { files } = of('gate');
    expect(Object.keys(files!).filter((path) => path.includes('shop'))).toEqual([
      '/src/shop/shop.gate.ts',
      '/src/shop/shop.tools.ts',
      '/src/shop/shop.accounts.ts',
      '/src/shop/shop.gate.spec.ts',
    ]);
    expect(files!['/src/app.module.ts']).toContain('imports: [ShopGateModule]');
  });

  it('writes a tool', () => {
    const { files } = of('tool');
    expect(Object.keys(files!).filter((path) => path.includes('stock'))).toEqual(['/src/desk/stock/stock.tools.ts']);
    expect(files!['/src/app.module.ts']).toContain('providers: [StockTools]');
  });

  it('is what "nest add" and "ng add" run, and has lacking packages installed', () => {
    expect(of('add').files!['/src/app.module.ts']).toContain("McpModule.forRoot({ name: 'bare' })");
    expect(of('add').tasks).toEqual([expect.objectContaining({ name: 'node-package' })]);
    expect(of('ngAdd').files!['/src/app.module.ts']).toContain("McpModule.forRoot({ name: 'shop' })");
    expect(of('ngAdd').tasks).toEqual([]);
  });

  it("has Nest's own generators, for those who make it their default", () => {
    expect(Object.keys(of('service').files!)).toContain('/src/stock.service.ts');
  });

  it('refuses what has no name, and what has a reserved one', () => {
    expect(outcomes['nameless']?.error).toMatch(/required property 'name'/);
    expect(outcomes['reserved']?.error).toMatch(/the prefix "nest_" is kept/);
  });
});
