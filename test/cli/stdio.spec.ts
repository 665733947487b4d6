import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/core';
import { StdioChild } from '../stdio/child.js';
import { compiled, wordsFor } from '../support/compiled.js';
import { FakeProcess } from '../support/fake-process.js';
import { runCommand, type Ended } from './run-command.js';

const MODULES = fileURLToPath(new URL('modules', import.meta.url));
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shop_stock' } };

/** Runs the command to the end of its input, on which one call stands. */
async function stdio(...words: string[]): Promise<Ended & { process: FakeProcess }> {
  const process = new FakeProcess();
  process.send(CALL);
  const ended = runCommand(['stdio', ...words], { cwd: MODULES, takeProcess: () => process.asProcess() });
  const answered = process.answers(1);
  await Promise.race([answered, ended]);
  process.stdin.end();
  return { ...(await ended), process };
}

describe('nestjs-mcp-gate stdio (N2)', () => {
  const level = process.env['NEST_LOG_LEVEL'];
  beforeAll(() => void (process.env['NEST_LOG_LEVEL'] = 'fatal'));
  afterAll(() => {
    if (level === undefined) delete process.env['NEST_LOG_LEVEL'];
    else process.env['NEST_LOG_LEVEL'] = level;
  });

  it('serves the gate of a module file, until its input ends', async () => {
    const { code, stdout, stderr, process } = await stdio('two-gates.ts', '--gate', 'shop');
    expect(process.real.stdout.text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"twelve"}]}}\n',
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('asks which gate when there are several, and ends with code 1', async () => {
    const { code, process } = await stdio('two-gates.ts');
    expect(process.real.stderr.text).toBe(
      "The application has the gates shop, billing: say which one with { gate: '…' }, on the command line with --gate.\n",
    );
    expect([code, process.real.stdout.text]).toEqual([1, '']);
  });

  it.each([
    ['a file that is not there', ['missing.js'], /^There is no file missing\.js/],
    ['a file without a module', ['none.ts'], /^none\.ts exports no module of Nest/],
    ['no file', [], /missing required argument 'module file'/],
  ])('says what is wrong with %s, and ends with code 1', async (_, words, says) => {
    const { code, stderr, process } = await stdio(...words);
    expect(stderr).toMatch(says);
    expect([code, process.real.stdout.text]).toEqual([1, '']);
  });

  it('tells a person at a terminal what it waits for', async () => {
    const process = new FakeProcess();
    Object.assign(process.stdin, { isTTY: true });
    process.stdin.end();
    const ended = await runCommand(['stdio', 'two-gates.ts', '--gate', 'shop'], {
      cwd: MODULES,
      takeProcess: () => process.asProcess(),
    });
    expect(ended).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/waits for its messages/) });
  });
});

describe('the command as a process', () => {
  const main = wordsFor(new URL('../../src/cli/main.ts', import.meta.url));

  it('serves with nothing but messages on standard output, works on without a log, and ends with its client', async () => {
    const noisy = compiled(new URL('../stdio/processes/noisy.module.ts', import.meta.url));
    const child = new StdioChild([...main, 'stdio', noisy]).read();
    try {
      child.call(1, 'noise');
      await child.answer(1);
      expect(child.errors).toMatch(/NOISE while the module is imported[^]*NOISE by hand/);
      child.child.stderr!.destroy();
      for (let id = 2; id < 20; id += 1) child.call(id, 'noise');
      await child.answer(19);
      child.child.stdin!.end();
      expect(await child.exited).toEqual([0, null]);
      expect(child.messages).toHaveLength(19);
      for (const message of child.messages) JSONRPCMessageSchema.parse(message);
    } finally {
      child.kill();
    }
  }, 120_000);

  it('ends with the code of its command once all is printed', async () => {
    const failed = await promisify(execFile)(process.execPath, [...main, 'stdio', '/no/such/file.js']).catch(
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: /^There is no file \/no\/such\/file\.js/ });
  }, 120_000);
});
