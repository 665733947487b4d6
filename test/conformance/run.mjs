/**
 * Makes the suite ready and runs it: the suite installed when it is missing, the package and the application built as
 * they are now, then the harness. Every argument goes to the harness.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = `${here}suite/`;

if (installIsStale()) run(suite, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
run(root, process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'test/conformance']);
run(root, process.execPath, [`${here}dist/harness/main.js`, ...process.argv.slice(2)]);

/** Nothing installed, or something else than what is written down now. */
function installIsStale() {
  const done = `${suite}node_modules/.package-lock.json`;
  return !existsSync(done) || statSync(`${suite}package-lock.json`).mtimeMs > statSync(done).mtimeMs;
}

function run(cwd, command, args) {
  const { status, signal } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? (signal === null ? 1 : 130));
}
