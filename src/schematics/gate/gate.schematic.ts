/**
 * `nest g -c nestjs-mcp-gate gate <name>`: a gate, its tools and its test (N1).
 */
import { join } from 'node:path/posix';
import type { Rule } from '@angular-devkit/schematics';
import { letJestLoadThePackage } from '../jest-configuration.js';
import { namesOf, type Names } from '../names.js';
import { declareIn, nearestModule } from '../nearest-module.js';
import { writeNewFiles } from '../new-files.js';
import { addPackages } from '../packages.js';
import { placeOf, type PlaceOptions } from '../place.js';
import { isEsm } from '../project.js';
import { testRunnerOf } from '../test-runner.js';
import { accountsFile } from './accounts.template.js';
import { exposureOf, gateTools, type Exposure } from './exposure.js';
import { gateTest } from './gate-test.template.js';
import { gateFile } from './gate.template.js';
import { toolsFile } from './tools.template.js';

/** The options of `gate/schema.json`. */
export interface GateOptions extends PlaceOptions {
  readonly expose?: string;
  readonly type?: string;
  readonly testRunner?: string;
}

/** Writes a gate and imports it into the nearest module. */
export function gate(options: GateOptions): Rule {
  const { flat = false, spec = true, specFileSuffix = 'spec', skipImport = false } = options;
  return async (tree, context) => {
    const expose = exposureOf(options);
    const { name, parent } = placeOf(tree, options);
    const names = namesOf(name, (tool) => gateTools(tool, expose));
    const folder = flat ? parent : join(parent, names.file);
    const words = { names, expose, js: isEsm(tree, folder) ? '.js' : '' };
    const path = (role: string) => join(folder, `${names.file}.${role}.ts`);
    const files = new Map([
      [path('gate'), gateFile(words)],
      [path('tools'), toolsFile(words)],
    ]);
    if (expose === 'oauth') files.set(path('accounts'), accountsFile(words));
    if (spec) {
      files.set(path(`gate.${specFileSuffix}`), gateTest(words, testRunnerOf(tree, context, options.testRunner)));
    }
    await writeNewFiles(tree, files);
    if (!skipImport) {
      const symbol = `${names.class}GateModule`;
      await declareIn(tree, context, nearestModule(tree, folder), { property: 'imports', symbol, file: path('gate') });
    }
    await addPackages(tree, context);
    await letJestLoadThePackage(tree, context);
    for (const line of NEXT[expose](names, folder)) context.logger.info(line);
  };
}

/** What is left to do. */
const NEXT: Readonly<Record<Exposure, (names: Names, folder: string) => string[]>> = {
  local: ({ file }) => [`The gate "${file}" answers POST /mcp/${file}, to callers on this machine.`],
  oauth: ({ file, variable }, folder) => [
    `The gate "${file}" answers POST /mcp/${file}, to callers with a token.`,
    `${needed(variable)} Find accounts in ${join(folder, `${file}.accounts.ts`).slice(1)}.`,
  ],
  mixed: ({ file, variable }) => [
    `The gate "${file}" answers POST /mcp/${file}: to everybody, and to callers with a token with all of its tools.`,
    needed(variable),
  ],
};

function needed(variable: string): string {
  return `Set ${variable}_ISSUER and ${variable}_PUBLIC_URL: without them the application does not start.`;
}
