/**
 * Judges the package as its users get it: what it says of itself (publint), and its types in every kind of resolution (attw).
 * `npm run check:package` packs it first; with a tarball behind `--` it takes that one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-gate-package-'));
try {
  const tarball = process.argv[2] ?? pack();
  judge('publint', 'run', tarball, '--strict');
  judge('attw', tarball, '--ignore-rules', 'cjs-resolves-to-esm');
} catch (error) {
  if (typeof error.status !== 'number') throw error;
  process.exitCode = error.status; // the program has said why
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function pack() {
  const words = ['pack', '--silent', '--pack-destination', scratch];
  return join(scratch, execFileSync('npm', words, { cwd: root, encoding: 'utf8' }).trim());
}

function judge(program, ...words) {
  execFileSync(join(root, 'node_modules', '.bin', program), words, { cwd: root, stdio: 'inherit' });
}
