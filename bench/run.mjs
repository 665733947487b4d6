/**
 * Makes the bench ready and runs it: dependencies when they are missing, the package built as it is now, then the bench.
 * Every argument goes to the bench; `--no-build` runs what was built last.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const installed = `${bench}node_modules/nestjs-mcp-gate`;
const given = process.argv.slice(2);

if (!given.includes('--no-build')) {
  // Named, because npm does not look again at what a package needs that it has installed from a folder.
  const product = 'nestjs-mcp-gate@file:..';
  if (installIsStale()) run(bench, 'npm', ['install', product, '--no-audit', '--no-fund', '--loglevel=error']);
  // Straight into the copy that the bench has installed: the measured package lies where a user's would.
  const built = `${installed}/built`;
  tsc('tsconfig.build.json', '--outDir', built, '--tsBuildInfoFile', `${built}/.tsbuildinfo`);
  rmSync(`${installed}/dist`, { recursive: true, force: true });
  cpSync(built, `${installed}/dist`, { recursive: true });
  run(root, process.execPath, ['bundle.mjs', `${installed}/dist`]);
  tsc('bench/tsconfig.json');
}
run(bench, process.execPath, ['dist/main.js', ...given.filter((argument) => argument !== '--no-build')]);
run(root, process.execPath, [
  'node_modules/prettier/bin/prettier.cjs',
  '--write',
  '--log-level',
  'warn',
  'bench/results',
]);

/** Nothing installed, or something else than what is written down now. */
function installIsStale() {
  if (!existsSync(`${installed}/package.json`)) return true;
  const written = statSync(`${bench}package.json`).mtimeMs;
  const done = statSync(`${bench}node_modules/.package-lock.json`).mtimeMs;
  return written > done || dependencies(`${installed}/package.json`) !== dependencies(`${root}package.json`);
}

function dependencies(file) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  return JSON.stringify([dependencies, peerDependencies]);
}

function tsc(project, ...more) {
  run(root, process.execPath, ['node_modules/typescript/bin/tsc', '-p', project, ...more]);
}

function run(cwd, command, args) {
  const { status, signal } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? (signal === null ? 1 : 130));
}
