/** The command line in this process: its words in, what it wrote and its exit code out. */
import { runCommandLine } from '../../src/cli/command-line.js';
import { FakeProcess } from '../support/fake-process.js';
import type { McpCommandSurroundings } from '../../src/cli/surroundings.js';
import { alsoRead } from '../support/written.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command. Unless told otherwise neither output is a terminal, and nobody presses Ctrl-C. */
export async function runCommand(
  words: readonly string[],
  surroundings: Partial<McpCommandSurroundings> = {},
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const code = await runCommandLine(words, {
    env: {},
    out: (text) => (written.stdout += text),
    err: (text) => (written.stderr += text),
    cwd: '/no-such-folder',
    home: '/no-such-folder',
    terminal: { out: false, err: false, columns: 100 },
    interrupted: new AbortController().signal,
    takeProcess: () => new FakeProcess().asProcess(),
    ...surroundings,
  });
  if (words[0] !== 'token') alsoRead(written.stdout); // which prints one on purpose
  alsoRead(written.stderr);
  return { code, ...written };
}
