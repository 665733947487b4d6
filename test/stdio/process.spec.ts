import { execFileSync } from 'node:child_process';
import { closeSync, constants, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/core';
import { wordsFor } from '../support/compiled.js';
import { StdioChild } from './child.js';
import type { Message } from './pipe.js';

const children: StdioChild[] = [];
function start(file = 'noisy.ts', streams?: readonly [number, number]): StdioChild {
  const words = wordsFor(new URL(`processes/${file}`, import.meta.url));
  const child = new StdioChild(words, streams && { streams });
  children.push(child);
  return child;
}

afterAll(() => {
  for (const child of children) child.kill();
});

/** The most memory that the process ever had, in kB. */
function peakIn({ result }: Message): number {
  return (JSON.parse(result.content[0].text) as { peak: number }).peak;
}

/** Both ends of a pipe of the system: what shells and most languages start a server with, where Node takes sockets. */
function openPipe(folder: string, name: string): { read: number; write: number } {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // does not wait for the other end
  return { read, write: openSync(path, constants.O_WRONLY) };
}

/** Processes start slowly on a busy machine. */
const PATIENT = 120_000;

describe('an application over standard input and output', () => {
  it(
    'prints nothing but messages there, whatever else is printed (S2), opens no port (S5), and ends with its client (S4)',
    async () => {
      const child = start().read();
      child.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      child.call(2, 'noise');
      child.call(3, 'noise');
      await Promise.all([child.answer(1), child.answer(2), child.answer(3)]);
      child.call(4, 'resources');
      const { active } = JSON.parse((await child.answer(4))['result'].content[0].text) as { active: string[] };
      expect(child.lines).toHaveLength(4);
      for (const message of child.messages) JSONRPCMessageSchema.parse(message);
      expect(child.lines.join('\n')).not.toContain('NOISE');
      for (const said of [
        'while the module is imported',
        'log',
        'info 5',
        'debug',
        'warn',
        'error',
        "'dir'",
        'by hand',
        'by bytes',
        'by a name that was imported',
        'to the descriptors 2 and 2',
        'by a stream that was kept',
        'by a console of its own',
        'with a callback',
      ]) {
        expect(child.errors.split('\n').some((line) => line.includes('NOISE') && line.includes(said))).toBe(true);
      }
      for (const said of [
        /LOG \[NOISE\] logged/,
        /WARN \[NOISE\] warned/,
        /ERROR \[NOISE\] failed/,
        /noisy: \d+ tools/,
      ]) {
        expect(child.errors).toMatch(said);
      }
      // S5: there is no server among what keeps it alive.
      expect(active).not.toContain('TCPServerWrap');

      // S4: the client closes its end.
      child.call('never', 'wait');
      await child.heard(/WAITING/);
      child.child.stdin!.end();
      expect(await child.exited).toEqual([0, null]);
      expect(child.errors).toMatch(/ABORTED The client closed the connection\.\n[^]*SHUT DOWN by undefined\n/);
      expect(child.lines).toHaveLength(4);
    },
    PATIENT,
  );

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with code 0 on %s: the call is aborted and told so, hooks run and hear of the signal',
    async (signal) => {
      const child = start().read();
      child.call('never', 'wait');
      await child.heard(/WAITING/);
      child.child.kill(signal);
      expect(await child.exited).toEqual([0, null]);
      expect(child.errors).toMatch(
        new RegExp(`ABORTED The server is shutting down\\.\\n[^]*SHUT DOWN by ${signal}\\n`),
      );
      expect(child.messages).toEqual([expect.objectContaining({ id: 'never', error: expect.anything() })]);
    },
    PATIENT,
  );

  it(
    'ends quietly with code 0 when nobody reads its answers any more',
    async () => {
      const child = start();
      child.call(1, 'wait');
      await child.heard(/WAITING/);
      child.child.stdout!.destroy();
      child.call(2, 'resources');
      child.call(3, 'resources');
      expect(await child.exited).toEqual([0, null]);
      expect(child.errors).toMatch(/ABORTED The client closed the connection\.\n[^]*SHUT DOWN/);
      expect(child.errors).not.toContain('EPIPE');
    },
    PATIENT,
  );

  it.each([
    ['an exception that nobody catches', 'crash', 'Error: thrown in the air'],
    ['a rejection that nobody handles', 'reject', 'Error: rejected in the air'],
  ])(
    'ends with code 1 on %s, and says on standard error where it came from',
    async (_, tool, said) => {
      const child = start().read();
      child.call(1, tool);
      expect(await child.exited).toEqual([1, null]);
      expect(child.errors).toContain(said);
      expect(child.errors).toMatch(/at .*noisy\.module\.ts/);
      for (const line of child.lines) JSONRPCMessageSchema.parse(JSON.parse(line));
    },
    PATIENT,
  );

  it(
    'ends with code 1 when it does not start, and says why on standard error',
    async () => {
      const child = start('broken.ts').read();
      expect(await child.exited).toEqual([1, null]);
      expect(child.errors).toMatch(/^NOISE before the fall\nError: no database\n +at .*broken\.ts/);
      expect(child.lines).toEqual([]);
    },
    PATIENT,
  );

  it(
    'reads no more from a client that does not read, and keeps little for it; then nothing is lost and no line broken',
    async () => {
      const [count, size] = [3_000, 60_000];
      const child = start();
      child.call('peak before', 'resources');
      child.call('watch', 'watch');
      for (let id = 0; id < count; id += 1) child.call(id, 'fill', { size });
      const [, calls] = await child.heard(/STALLED after (\d+) calls/);
      expect(Number(calls)).toBeLessThan(100);
      child.read();
      await child.answer(count - 1);
      child.call('peak after', 'resources');
      const growth = peakIn(await child.answer('peak after')) - peakIn(await child.answer('peak before'));
      const answers = child.messages.filter(({ id }) => typeof id === 'number');
      expect(answers.map(({ id }) => id as number)).toEqual(Array.from({ length: count }, (_, id) => id));
      expect(new Set(answers.map(({ result }) => result.content[0].text.length as number))).toEqual(
        new Set([size / 2]),
      );
      expect(growth).toBeLessThan(100_000); // kB; there were 180 MB of answers
    },
    PATIENT,
  );

  const call = (id: number | string, name: string, args: object = {}) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;
  const MUCH =
    call('wait', 'wait') + Array.from({ length: 3_000 }, (_, id) => call(id, 'fill', { size: 60_000 })).join('');

  describe('when its client closes its end and never reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-stdio-'));
    let children: Record<string, StdioChild>;
    let outlet: number;

    // Both at once: each gives its client some seconds.
    beforeAll(() => {
      const bySocket = start();
      bySocket.child.stdin!.end(MUCH);
      const [input, output] = [openPipe(folder, 'in'), openPipe(folder, 'out')];
      const byPipe = start('noisy.ts', [input.read, output.write]);
      closeSync(input.read);
      closeSync(output.write);
      createWriteStream('', { fd: input.write }).end(MUCH); // it is closed as soon as all is written
      outlet = output.read;
      children = { bySocket, byPipe };
    });

    afterAll(() => {
      closeSync(outlet);
      rmSync(folder, { recursive: true });
    });

    it.each([
      ['the sockets that Node starts a child with', 'bySocket'],
      ['pipes of the system', 'byPipe'],
    ])(
      'ends with code 0 and aborts its calls, over %s (S4)',
      async (_, way) => {
        const child = children[way]!;
        await child.heard(/WAITING/);
        expect(await child.exited).toEqual([0, null]);
        expect(child.errors).toMatch(/ABORTED The client closed the connection\.\n[^]*SHUT DOWN by undefined\n/);
      },
      PATIENT,
    );
  });

  it(
    'answers 1,000 concurrent calls over one pipe, again and again, with memory that does not grow, and nobody reads its log',
    async () => {
      const child = start().read();
      child.child.stderr!.destroy();
      child.call('noise', 'noise');
      await child.answer('noise');
      const round = async (first: number): Promise<number> => {
        for (let id = first; id < first + 1_000; id += 1) child.call(id, 'fill', { size: 2_000, later: true });
        for (let id = first; id < first + 1_000; id += 1) await child.answer(id);
        child.call(`after ${first}`, 'resources');
        return peakIn(await child.answer(`after ${first}`));
      };
      const warm = [await round(0), await round(1_000)];
      for (let first = 2_000; first < 8_000; first += 1_000) await round(first);
      const last = await round(8_000);
      expect(new Set(child.messages.map(({ id }) => id as unknown)).size).toBe(9_000 + 9 + 1);
      expect(child.lines).toHaveLength(9_000 + 9 + 1);
      expect(last - warm[1]!).toBeLessThan(60_000);
      child.child.stdin!.end();
      expect(await child.exited).toEqual([0, null]);
    },
    PATIENT,
  );
});
