import { jest } from '@jest/globals';
import { McpCommandFault } from '../../src/stdio/command-fault.js';
import { endProcess } from '../../src/stdio/end-process.js';
import { ProcessEnd } from '../../src/stdio/process-end.js';
import { claimStandardOutput } from '../../src/stdio/standard-output.js';
import { FakeProcess } from '../support/fake-process.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('standard output, once the protocol has it (S2)', () => {
  it('takes the lines of the protocol, and what anybody else writes there is on standard error', async () => {
    const process = new FakeProcess();
    const { stdout: kept } = process;
    const write = claimStandardOutput(process);
    process.stdout.write('by name\n');
    kept.write('by a stream that was kept\n');
    await write('{"jsonrpc":"2.0"}\n');
    expect(process.stdout).toBe(process.stderr); // whoever asks for its descriptor writes there, too
    expect(process.real.stdout.text).toBe('{"jsonrpc":"2.0"}\n');
    expect(process.real.stderr.text).toBe('by name\nby a stream that was kept\n');
  });

  it('is not ended by whoever pipes into it', async () => {
    const process = new FakeProcess();
    const { stdout: kept } = process;
    const write = claimStandardOutput(process);
    kept.end();
    await write('still\n');
    expect(process.real.stdout.text).toBe('still\n');
  });

  it('tells how much of a long line was taken before all of it is, and breaks no character', async () => {
    const process = new FakeProcess();
    const { stdout } = process.real;
    stdout.stuck = true;
    const write = claimStandardOutput(process);
    const line = `${'é€'.repeat(50_000)}\n`; // 250,001 bytes
    const written = write(line);
    const seen = [write.taken!()];
    for (let piece = 0; piece < 4; piece += 1) {
      await settled();
      stdout.release();
      stdout.stuck = true;
      await settled();
      seen.push(write.taken!());
    }
    await written;
    expect(seen).toEqual([0, 65_536, 131_072, 196_608, 250_001]);
    expect(Buffer.concat(stdout.chunks).toString()).toBe(line);
  });

  it('gives its errors to the lines, and those of standard error to nobody', async () => {
    const process = new FakeProcess();
    const write = claimStandardOutput(process);
    process.real.stderr.destroy(new Error('closed'));
    process.real.stdout.destroy(new Error('closed'));
    await expect(write('lost\n')).rejects.toThrow();
    await settled();
  });
});

describe('the end of a process', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('is wished for by %s, once: another one is not caught', (signal) => {
    const process = new FakeProcess();
    const end = new ProcessEnd(process.asProcess());
    expect(end.signal.aborted).toBe(false);
    process.emit(signal);
    expect([end.signal.aborted, end.code, end.cause]).toEqual([true, 0, signal]);
    expect(process.listenerCount(signal)).toBe(0);
  });

  it('is forced by an exception that nobody has caught, which is written whole; and by another one, too', () => {
    const process = new FakeProcess();
    const end = new ProcessEnd(process.asProcess());
    process.emit('uncaughtException', new Error('first'));
    process.emit('uncaughtException', 'second');
    expect([end.signal.aborted, end.code]).toEqual([true, 1]);
    expect(process.real.stderr.text).toMatch(/^Error: first\n +at .*process-parts\.spec[^]*\n'second'\n$/);
  });

  it('says of a fault that was put into words nothing but these', () => {
    const process = new FakeProcess();
    const end = new ProcessEnd(process.asProcess());
    end.fail(new McpCommandFault('Say which gate.'));
    expect([process.real.stderr.text, end.code, end.signal.aborted]).toEqual(['Say which gate.\n', 1, false]);
  });

  it('gives work up that hangs, not sooner than it may, and has the outcome of work that is done', async () => {
    const process = new FakeProcess();
    const end = new ProcessEnd(process.asProcess());
    expect(await end.orGivenUp(Promise.resolve('done'))).toBe('done');
    await expect(end.orGivenUp(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const hanging = end.orGivenUp(new Promise(() => undefined));
    process.emit('SIGTERM');
    expect(await hanging).toBeUndefined();
    expect(await end.orGivenUp(new Promise(() => undefined))).toBeUndefined();
    expect(
      await end.orGivenUp(
        settled().then(() => 'in time'),
        60_000,
      ),
    ).toBe('in time');
  });
});

describe('a process that has something to say yet', () => {
  it('ends with its code once that was taken', async () => {
    const process = new FakeProcess();
    process.real.stderr.stuck = true;
    process.stderr.write('last words\n');
    const ended = endProcess(3, process);
    await settled();
    expect(process.exits).toEqual([]);
    process.real.stderr.release();
    await ended;
    expect([process.exits, process.real.stderr.text]).toEqual([[3], 'last words\n']);
  });

  it('ends at once when there is nothing, and when nobody is there to take it', async () => {
    const process = new FakeProcess();
    process.real.stderr.destroy();
    await endProcess(0, process);
    expect(process.exits).toEqual([0]);
  });

  it('stays for a reader that does not read, until its patience ends', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const process = new FakeProcess();
      process.real.stdout.stuck = true;
      process.stdout.write('to nobody\n');
      const ended = endProcess(0, process, 1_000);
      jest.advanceTimersByTime(999);
      await settled();
      expect(process.exits).toEqual([]);
      jest.advanceTimersByTime(1);
      await ended;
      expect(process.exits).toEqual([0]);
    } finally {
      jest.useRealTimers();
    }
  });
});
