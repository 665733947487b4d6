import { readFile } from 'node:fs/promises';
import { runCommand } from './run-command.js';

describe('the command line', () => {
  it.each(['--version', '-V'])('says with %s which version it is', async (option) => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await runCommand([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['catalogue', 'call', 'config', 'doctor'])(
    'takes no token with %s, and never repeats it',
    async (command) => {
      for (const words of [
        ['--token', 'hunter2'],
        ['--token=hunter2'],
        ['--tocken=hunter2'],
        ['--url=x', '--tok=hunter2'],
      ]) {
        const { code, stdout, stderr } = await runCommand([command, ...words]);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(/^A token is never written on the command line|^error: /);
        expect(stderr).not.toContain('hunter2');
      }
      expect((await runCommand([command, '--help'])).stdout).not.toContain('--token <');
    },
  );
});
