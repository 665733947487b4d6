/**
 * Before the tests of a run: what their child processes start is compiled into `.compiled`, in the same folders. So a child is
 * plain Node on plain JavaScript. What has not changed is not written again, for a run that goes on beside this one.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUT = join(ROOT, '.compiled');
const FOLDERS = ['src', 'sample-app/src', 'sample-app/test', 'test'];
/** Installations and applications of their own, which no child of Jest's starts. */
const LEFT_OUT = ['node_modules', 'dist', 'test/hosts', 'test/generated', 'test/conformance/suite'];
const COPIED = ['.cjs', '.mjs', '.mts', '.json'];

/** @param swc how Jest's own transform is told to compile: a child runs what the tests run */
export async function compileForProcesses(swc) {
  const files = (await Promise.all(FOLDERS.map(filesBelow))).flat();
  const written = await Promise.all([
    put('package.json', async () => (await read('package.json')).replaceAll('./dist/', './src/')),
    put('README.md', () => read('README.md')),
    ...files.map((file) => (file.endsWith('.ts') ? compile(file, swc) : put(file, () => read(file)))),
  ]);
  const known = new Set(written);
  const left = (await filesBelow('.compiled')).filter((file) => !known.has(relative('.compiled', file)));
  await Promise.all(left.map((file) => rm(join(ROOT, file))));
}

/** What readers of the README have in their shell: no test goes by it, nor what a test starts. */
const OF_THE_SHELL = ['MCP_JWKS', 'OAUTH_PORT', 'PORT', 'SHOP_BATCH_MS', 'SHOP_DB', 'SHOP_ISSUER', 'SHOP_PUBLIC_URL'];

/** Jest's `globalSetup`. */
export default async function setup(_, { transform }) {
  for (const name of OF_THE_SHELL) delete process.env[name];
  const [, , swc] = transform.find(([pattern]) => new RegExp(pattern).test('a.ts'));
  await compileForProcesses(swc);
}

function compile(file, swc) {
  const path = join(ROOT, file);
  const options = { ...swc, swcrc: false, sourceFileName: pathToFileURL(path).href, inlineSourcesContent: false };
  const fault = (error) => ({ code: `throw new SyntaxError(${JSON.stringify(error.message)});\n` }); // for who starts it alone
  return put(file.replace(/\.ts$/, '.js'), async () => (await transformFile(path, options).catch(fault)).code);
}

function read(file) {
  return readFile(join(ROOT, file), 'utf8');
}

async function put(file, make) {
  const path = join(OUT, file);
  const text = await make();
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return file;
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, path);
  return file;
}

async function filesBelow(folder) {
  if (LEFT_OUT.some((name) => folder === name || folder.endsWith(`/${name}`))) return [];
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true }).catch(() => []);
  const found = entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : isWanted(path) ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

function isWanted(path) {
  return COPIED.includes(extname(path)) || (/\.[jt]s$/.test(path) && !path.endsWith('.spec.ts'));
}
