/**
 * `nest g -c nestjs-mcp-gate tool <name>`: a provider with one tool, and its test.
 */
import { join } from 'node:path/posix';
import type { Rule } from '@angular-devkit/schematics';
import { letJestLoadThePackage } from '../jest-configuration.js';
import { namesOf } from '../names.js';
import { declareIn, nearestGate } from '../nearest-module.js';
import { writeNewFiles } from '../new-files.js';
import { addPackages } from '../packages.js';
import { fileWithGate } from '../open-gates.js';
import { placeOf, sourceRootOf, type PlaceOptions } from '../place.js';
import { isEsm } from '../project.js';
import { testRunnerOf } from '../test-runner.js';
import { toolFile, toolTest } from './tool.template.js';

/** The options of `tool/schema.json`. */
export interface ToolOptions extends PlaceOptions {
  readonly testRunner?: string;
}

/** Writes a provider and declares it in the nearest gate or module. */
export function tool(options: ToolOptions): Rule {
  const { flat = false, spec = true, specFileSuffix = 'spec', skipImport = false } = options;
  return async (tree, context) => {
    const { name, parent } = placeOf(tree, options);
    const names = namesOf(name, (name) => [name]);
    const folder = flat ? parent : join(parent, names.file);
    const js = isEsm(tree, folder) ? '.js' : '';
    const file = join(folder, `${names.file}.tools.ts`);
    const files = new Map([[file, toolFile(names)]]);
    if (spec) {
      const test = join(folder, `${names.file}.tools.${specFileSuffix}.ts`);
      files.set(test, toolTest(names, js, testRunnerOf(tree, context, options.testRunner)));
    }
    await writeNewFiles(tree, files);
    if (!skipImport) {
      const symbol = `${names.class}Tools`;
      await declareIn(tree, context, nearestGate(tree, folder), { property: 'providers', symbol, file });
    }
    await addPackages(tree, context);
    await letJestLoadThePackage(tree, context);
    const root = sourceRootOf(tree, options);
    if (fileWithGate(tree, root) === undefined) {
      context.logger.info(`No file in ${root} opens a gate that serves it: "nest add nestjs-mcp-gate" does.`);
    }
  };
}
