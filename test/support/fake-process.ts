/** The parts of a process that a command of an application holds, without a process. */
import { EventEmitter, once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { ServingProcess } from '../../src/stdio/process-end.js';
import { alsoRead } from './written.js';

export class FakeProcess extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly real = { stdout: new Paper(), stderr: new Paper() };
  readonly stdout: Writable = this.real.stdout;
  readonly stderr: Writable = this.real.stderr;
  readonly env = {};
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }

  /** In place of the real one. */
  asProcess(): ServingProcess {
    return this as unknown as ServingProcess;
  }

  send(...messages: readonly object[]): void {
    this.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** The messages on standard output, once there are that many. */
  async answers(count: number): Promise<Record<string, any>[]> {
    const { stdout } = this.real;
    while (stdout.text.split('\n').length <= count) await once(stdout, 'taken');
    return stdout.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, any>);
  }
}

/** A stream that keeps what is written. While it is stuck it takes nothing. */
export class Paper extends Writable {
  text = '';
  readonly chunks: Buffer[] = [];
  private held: (() => void) | undefined;
  stuck = false;

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: unknown, _: string, done: () => void): void {
    this.text += String(chunk);
    this.chunks.push(Buffer.from(chunk as string | Buffer));
    this.emit('taken');
    alsoRead(String(chunk));
    if (this.stuck) this.held = done;
    else done();
  }

  release(): void {
    this.stuck = false;
    this.held?.();
  }
}
