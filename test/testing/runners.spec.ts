import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compiled } from '../support/compiled.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const SOURCES = join(ROOT, 'src', 'testing');

describe('the testing tools', () => {
  test("serve a user's test under Node's own runner, of an application context without HTTP", async () => {
    const args = ['--test', compiled(new URL('user/node-test.ts', import.meta.url))];
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env; // Jest's flags are not the user's
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    expect(stdout).toContain('# pass 1');
  }, 120_000);

  test('import no runner of tests', () => {
    const files = readdirSync(SOURCES);
    const imported = files.flatMap((file) =>
      [...readFileSync(join(SOURCES, file), 'utf8').matchAll(/from '([^.][^']*)'/g)].map(([, name]) => name ?? ''),
    );
    expect([...new Set(imported)].toSorted()).toEqual(['@nestjs/common', 'jose', 'node:crypto']);
  });
});
