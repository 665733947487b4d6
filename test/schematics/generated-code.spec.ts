/** N1: what is generated compiles under the strictest settings. `npm run test:generated` runs it in real projects. */
import { gate } from '../../src/schematics/gate/gate.schematic.js';
import { tool } from '../../src/schematics/tool/tool.schematic.js';
import { compile } from '../support/compile.js';
import { generate, nestProject } from './memory-tree.js';

const EXPOSURES = ['local', 'oauth', 'mixed'] as const;

async function generated(): Promise<Map<string, string>> {
  const tree = nestProject({ type: 'module' });
  for (const expose of EXPOSURES) await generate(tree, gate({ name: `${expose}-desk`, expose }));
  await generate(tree, tool({ name: 'stock' }));
  const sources = [...tree.files].filter(([path]) => path.endsWith('.ts') && path !== '/src/app.module.ts');
  return new Map(sources.map(([path, text]) => [`generated${path}`, text]));
}

describe('generated code', () => {
  it('compiles, and would be caught if it did not', async () => {
    const sources = await generated();
    expect(sources.size).toBe(12);
    const broken = 'generated/src/stock/broken.ts';
    const code = "import { StockTool } from './stock.tools.js';\nStockTool;\n";
    const faults = compile(new Map([...sources, [broken, code]]));
    expect(faults).toEqual([expect.stringContaining(`${broken}: `)]);
  }, 60_000);
});
