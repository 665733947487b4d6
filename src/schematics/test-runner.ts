/**
 * What a generated test is written for.
 */
import type { SchematicContext, Tree } from '@angular-devkit/schematics';
import { oneOf } from './choice.js';
import { packageFile, rangeOf } from './project.js';

const TEST_RUNNERS = ['jest', 'vitest'] as const;
export type TestRunner = (typeof TEST_RUNNERS)[number];

/**
 * The one that is asked for, else the one in package.json, and of two the one that its "test" script runs.
 *
 * @throws Error for a runner that no test can be written for.
 */
export function testRunnerOf(tree: Tree, { logger }: SchematicContext, wanted?: string): TestRunner {
  if (wanted !== undefined) return oneOf(TEST_RUNNERS, wanted, 'a test runner that tests are written for');
  const file = packageFile(tree);
  const present = TEST_RUNNERS.filter((runner) => rangeOf(file, runner) !== undefined);
  if (present.length === 0) logger.warn('package.json has neither jest nor vitest: the test is written for Jest.');
  return present.find((runner) => file.scripts?.['test']?.includes(runner)) ?? present[0] ?? 'jest';
}

/** How a test begins: the words of Vitest are imported, those of Jest are there. */
export function testWords(runner: TestRunner): string {
  return runner === 'vitest' ? `import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n` : '';
}
