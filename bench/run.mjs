/**
 * Makes the bench ready and runs it: dependencies when they are missing, the package as it is now when it has changed, then
 * the bench. Every argument goes to the bench; `--no-build` runs what was built last.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const installed = `${bench}node_modules/nestjs-mcp-gate`;
const stamp = `${installed}/.built`;
const given = process.argv.slice(2);

if (!given.includes('--no-build')) {
  // Named, because npm does not look again at what a package needs that it has installed from a folder.
  const product = 'nestjs-mcp-gate@file:..';
  if (installIsStale()) run(bench, 'npm', ['install', product, '--no-audit', '--no-fund', '--loglevel=error']);
  if (buildIsStale()) build();
}
run(bench, process.execPath, ['dist/main.js', ...given.filter((argument) => argument !== '--no-build')]);

/** Straight into the copy that the bench has installed, bundled: the measured package is what a user's would be. */
function build() {
  const built = `${installed}/built`;
  rmSync(stamp, { force: true });
  tsc('tsconfig.build.json', '--outDir', built, '--tsBuildInfoFile', `${built}/.tsbuildinfo`);
  rmSync(`${installed}/dist`, { recursive: true, force: true });
  cpSync(built, `${installed}/dist`, { recursive: true });
  run(root, process.execPath, ['bundle.mjs', `${installed}/dist`]);
  tsc('bench/tsconfig.json');
  writeFileSync(stamp, '');
}

/** Whether something was written since the last build. */
function buildIsStale() {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  const sources = ['src', 'bench/harness', 'bench/scenarios', 'bench/servers', 'bench/workload'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
  );
  const files = ['bundle.mjs', 'package.json', 'tsconfig.base.json', 'tsconfig.build.json', ...ownFiles(), ...sources];
  return files.some((name) => statSync(`${root}${name}`).mtimeMs > built);
}

function ownFiles() {
  return readdirSync(bench)
    .filter((name) => /\.ts$|^tsconfig/.test(name))
    .map((name) => `bench/${name}`);
}

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
