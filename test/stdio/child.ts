/** A server as a child process, and its client, which reads and writes plain lines. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { alsoRead } from '../support/written.js';
import type { Message } from './pipe.js';

export class StdioChild {
  readonly child: ChildProcess;
  /** Everything on standard output, line by line. */
  readonly lines: string[] = [];
  private readonly answers = new Map<unknown, Message>();
  /** Everything on standard error. */
  errors = '';
  /** Code and signal. */
  readonly exited: Promise<unknown[]>;
  private readonly looks = new Set<() => void>();

  /** @param options.streams standard input and output. @default sockets to this process, as Node makes them */
  constructor(
    words: readonly string[],
    options: { env?: Record<string, string>; cwd?: string; streams?: readonly ['pipe' | number, 'pipe' | number] } = {},
  ) {
    this.child = spawn(process.execPath, words, {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      stdio: [...(options.streams ?? (['pipe', 'pipe'] as const)), 'pipe'],
    });
    this.child.stdin?.on('error', () => undefined);
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
      alsoRead(text);
      this.look();
    });
    this.exited = once(this.child, 'close');
  }

  /** Reads what comes on standard output, from now on. What is no JSON fails the test. */
  read(): this {
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      alsoRead(line);
      const { id, ...message } = JSON.parse(line) as Message;
      this.answers.set(id, { id, ...message });
      this.look();
    });
    return this;
  }

  send(...messages: readonly object[]): void {
    this.child.stdin!.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  call(id: unknown, name: string, args: object = {}): void {
    this.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  }

  get messages(): Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  answer(id: unknown): Promise<Message> {
    return this.until(() => this.answers.get(id));
  }

  /** What standard error says, once it matches. */
  heard(pattern: RegExp): Promise<RegExpExecArray> {
    return this.until(() => pattern.exec(this.errors) ?? undefined);
  }

  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.looks.delete(look);
        resolve(found);
      };
      this.looks.add(look);
      look();
      void this.exited.finally(() => {
        look();
        if (this.looks.has(look)) reject(new Error(`The process has ended: ${this.errors}`));
      });
    });
  }

  kill(): void {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
  }

  private look(): void {
    for (const look of this.looks) look();
  }
}
