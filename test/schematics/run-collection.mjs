/**
 * Runs generators of the collection on trees of @angular-devkit/schematics: a table of cases in, what became of each out.
 * The sources are transpiled first, into a folder from which the packages of this one are found.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostTree } from '@angular-devkit/schematics';
import { SchematicTestRunner } from '@angular-devkit/schematics/testing/index.js';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What the build makes of the sources that generators need. */
function build(to) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
    if (!/^(?:schematics|tools)\b.*\.(?:ts|json)$/.test(name)) continue;
    const source = readFileSync(join(root, 'src', name), 'utf8');
    const file = join(to, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, name.endsWith('.json') ? source : ts.transpileModule(source, { compilerOptions }).outputText);
  }
  writeFileSync(join(to, 'package.json'), readFileSync(join(root, 'package.json')));
}

async function outcomeOf(runner, { schematic, options, files }) {
  const tree = new HostTree();
  for (const [path, text] of Object.entries(files)) tree.create(path, text);
  const tasks = runner.tasks.length;
  try {
    const after = await runner.runSchematic(schematic, options, tree);
    return {
      files: Object.fromEntries(after.files.map((path) => [path, after.readText(path)])),
      tasks: runner.tasks.slice(tasks),
    };
  } catch (error) {
    return { error: error.message };
  }
}

mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
const scratch = mkdtempSync(join(root, 'node_modules', '.cache', 'mcp-gate-collection-'));
try {
  build(scratch);
  const runner = new SchematicTestRunner('nestjs-mcp-gate', join(scratch, 'dist', 'schematics', 'collection.json'));
  const outcomes = {};
  for (const [name, one] of Object.entries(JSON.parse(readFileSync(0, 'utf8'))))
    outcomes[name] = await outcomeOf(runner, one);
  console.log(JSON.stringify(outcomes));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
