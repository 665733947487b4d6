/** The commands that start an application, as processes: what they print where, and what Ctrl-C does to them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpModule } from 'nestjs-mcp-gate';
import { serve } from '../nest/serve.js';
import { aborted, heldTool } from '../support/gates.js';
import { compiled, wordsFor } from '../support/compiled.js';
import { alsoRead } from '../support/written.js';

const MAIN = wordsFor(new URL('../../src/cli/main.ts', import.meta.url));
const APPS = compiled(new URL('apps', import.meta.url));

interface Process {
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Resolves once this stands in what came out of standard error. */
  said(words: string): Promise<void>;
  interrupt(): void;
}

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

function start(words: readonly string[]): Process {
  const child = spawn(process.execPath, [...MAIN, ...words], { cwd: APPS });
  children.push(child);
  const written = { stdout: '', stderr: '' };
  let look = (): void => undefined;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      alsoRead(text);
      look();
    });
  }
  child.stdin.end();
  return {
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...written })),
    said: (words) =>
      new Promise((resolve) => {
        look = () => (written.stderr.includes(words) ? resolve() : undefined);
        look();
      }),
    interrupt: () => child.kill('SIGINT'),
  };
}

describe('a command that starts an application, as a process', () => {
  it('prints the catalogue alone on standard output: what the application prints and logs goes to standard error', async () => {
    const { code, stdout, stderr } = await start(['catalogue', 'noisy.module.js', '--json']).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ gate: 'noisy', sound: true });
    const said = ['printed while it is imported', 'printed while it starts', 'logged while it starts', 'while it ends'];
    expect(said.filter((words) => !stderr.includes(words))).toEqual([]);
    expect(stderr).not.toContain('\u001b'); // nobody sees colours here
  });

  it('runs for an application with a copy of the package of its own only when it is that copy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-copy-'));
    const copy = join(folder, 'node_modules', 'nestjs-mcp-gate');
    await mkdir(copy, { recursive: true });
    await writeFile(
      join(copy, 'package.json'),
      '{ "name": "nestjs-mcp-gate", "exports": { "./package.json": "./package.json" } }',
    );
    await writeFile(join(folder, 'app.module.mjs'), 'console.log("loaded");');
    const { code, stdout, stderr } = await start(['catalogue', join(folder, 'app.module.mjs')]).ended;
    await rm(folder, { recursive: true });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /app\.module\.mjs uses the nestjs-mcp-gate in .*node_modules\/nestjs-mcp-gate, and this command is/,
    );
    expect(stderr).toMatch(/npx nestjs-mcp-gate, in the folder of the application\.\n$/);
    expect(stderr).not.toContain('loaded');
  });

  it('prints the result of a call alone on standard output', async () => {
    const { code, stdout, stderr } = await start(['call', 'quick', '--module', 'noisy.module.js']).ended;
    expect([code, stdout]).toEqual([0, 'the result\n']);
    expect(stderr).toContain('printed while it works');
  });

  it('cancels a call in process on Ctrl-C: its run is aborted, and the application closed', async () => {
    const call = start(['call', 'slow', '--module', 'noisy.module.js']);
    await call.said('printed: the work has begun');
    call.interrupt();
    const { code, stdout, stderr } = await call.ended;
    expect([code, stdout]).toEqual([130, '']);
    expect(stderr).toMatch(/printed: The client cancelled the call\.\n[^]*printed while it ends\nCancelled\.\n$/);
  });
});

it('cancels a call at an address on Ctrl-C, as a process: its run is aborted at the server', async () => {
  const held = heldTool();
  const { app, url } = await serve({ imports: [McpModule.forRoot({ name: 'desk', tools: [held.tool] })] });
  try {
    const call = start(['call', 'held', '--url', `${url}/mcp`]);
    const { run } = await held.next();
    const abortion = aborted(run);
    call.interrupt();
    expect(await call.ended).toEqual({ code: 130, stdout: '', stderr: 'Cancelled.\n' });
    expect(await abortion).toBe('The client closed the connection.');
  } finally {
    await app.close();
  }
});
