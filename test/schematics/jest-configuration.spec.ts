/** Jest of a CommonJS project is told to transform this package, where its configuration can be written. */
import { letJestLoadThePackage } from '../../src/schematics/jest-configuration.js';
import { generate, nestProject, type MemoryTree } from './memory-tree.js';

const letLoad = async (tree: MemoryTree) =>
  (await generate(tree, (files, context) => letJestLoadThePackage(files, context))).said;

const TS_JEST = { transform: { '^.+\\.(t|j)s$': 'ts-jest' } };
const IGNORE = '/node_modules/(?!(?:\\.pnpm|nestjs-mcp-gate|jose)/)';

describe('the Jest of a CommonJS project', () => {
  it('is told in package.json, and in the files that scripts name', async () => {
    const scripts = { 'test:e2e': 'jest --config ./test/jest-e2e.json', build: 'tsc -c other.json' };
    const tree = nestProject({ jest: TS_JEST, scripts }, { 'test/jest-e2e.json': TS_JEST, 'other.json': {} });
    expect(await letLoad(tree)).toEqual([]);
    const told = { ...TS_JEST, transformIgnorePatterns: [IGNORE] };
    expect([tree.json('package.json').jest, tree.json('test/jest-e2e.json')]).toEqual([told, told]);
    expect(tree.json('other.json')).toEqual({});
    const once = new Map(tree.files);
    expect(await letLoad(tree)).toEqual([]);
    expect(tree.files).toEqual(once);
  });

  it('is told in jest.config.json, whose indentation stays', async () => {
    const tree = nestProject({}, { 'jest.config.json': '{\n\t"transform": {\n\t\t"\\\\.js$": "x"\n\t}\n}' });
    expect(await letLoad(tree)).toEqual([]);
    expect(tree.readText('jest.config.json')).toMatch(/^\{\n\t"transform": [^]*\n\t"transformIgnorePatterns": [^]*\}$/);
  });

  it.each<[string, object, Record<string, string | object>, RegExp]>([
    [
      'is code',
      {},
      { 'jest.config.ts': 'export default {}' },
      /In jest\.config\.ts add "transformIgnorePatterns": \["/,
    ],
    [
      'is no JSON',
      {},
      { 'jest.config.json': '{ // a comment\n}' },
      /In jest\.config\.json add "transformIgnorePatterns"/,
    ],
    ['is not there', {}, {}, /In its configuration add "transformIgnorePatterns"/],
    [
      'transforms TypeScript only',
      { jest: { transform: { '^.+\\.ts$': 'ts-jest' } } },
      {},
      /In "jest" of package\.json add .* also matches \.js/,
    ],
    ['has a preset', { jest: { preset: 'ts-jest' } }, {}, /In "jest" of package\.json add/],
    [
      'leaves out more already',
      { jest: { ...TS_JEST, transformIgnorePatterns: ['/node_modules/(?!lodash)'] } },
      {},
      /let "transformIgnorePatterns" pass it/,
    ],
    [
      'lets this package pass, but not what it imports',
      { jest: { transformIgnorePatterns: ['/node_modules/(?!nestjs-mcp-gate/)'] } },
      {},
      /pass it/,
    ],
  ])('says what to write when its configuration %s', async (_, parts, files, expected) => {
    const tree = nestProject(parts, files);
    const before = new Map(tree.files);
    const said = await letLoad(tree);
    expect(said).toEqual([expect.stringMatching(expected)]);
    expect(said[0]).toMatch(/^warn: Jest can not load nestjs-mcp-gate, an ES module, before Node 24\.9\. /);
    expect(tree.files).toEqual(before);
  });

  it.each<[string, object, Record<string, string>]>([
    [
      'lets this package pass',
      { jest: { transformIgnorePatterns: ['/node_modules/(?!nestjs-mcp-gate/)(?!jose/)'] } },
      {},
    ],
    ['is code that names this package', {}, { 'jest.config.js': '// nestjs-mcp-gate passes' }],
    ['is of ES modules', { type: 'module', jest: TS_JEST }, {}],
    ['loads Nest 12, made of ES modules', { dependencies: { '@nestjs/core': '^12.0.1' }, jest: TS_JEST }, {}],
    ['is not there, as Vitest is', { devDependencies: { vitest: '^4' } }, {}],
  ])('is left alone when it %s', async (_, parts, files) => {
    const tree = nestProject(parts, files);
    const before = new Map(tree.files);
    expect(await letLoad(tree)).toEqual([]);
    expect(tree.files).toEqual(before);
  });

  it.each([
    ['/app/node_modules/nestjs-mcp-gate/dist/index.js', false],
    ['/app/node_modules/jose/dist/webapi/index.js', false],
    ['/app/node_modules/.pnpm/jose@6.2.18/node_modules/jose/dist/webapi/index.js', false],
    ['/app/node_modules/.pnpm/lodash@4/node_modules/lodash/index.js', true],
    ['/app/node_modules/nestjs-mcp-gate/node_modules/ajv/dist/ajv.js', true],
    ['/app/node_modules/lodash/index.js', true],
  ])('leaves %s out of the transform: %s', (path, expected) => expect(new RegExp(IGNORE).test(path)).toBe(expected));
});
