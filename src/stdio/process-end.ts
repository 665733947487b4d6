/**
 * What ends a process before its work does: somebody outside, by a signal, or a fault inside that nobody has caught.
 */
import { inspect } from 'node:util';
import { McpCommandFault } from './command-fault.js';

/** The part of a process that a server on its standard streams needs. */
export type ServingProcess = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'on' | 'once' | 'exit'>;

/** A second one of these ends the process at once, as ever. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** How, and whether, a process is to end. */
export class ProcessEnd {
  /** 0 for what was wished, 1 once something has failed. */
  code = 0;
  /** The signal that came. */
  cause: string | undefined;
  private readonly controller = new AbortController();

  /** Listens from now on. A rejection that nobody handles is an uncaught exception, unless the application says otherwise. */
  constructor(private readonly process: Pick<ServingProcess, 'stderr' | 'on' | 'once'>) {
    for (const name of SIGNALS) process.once(name, () => this.come(name));
    process.on('uncaughtException', (error: unknown) => {
      this.fail(error);
      this.come('uncaughtException');
    });
  }

  /** Aborts when the process is to end. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Writes to standard error what went wrong. */
  fail(error: unknown): void {
    this.code = 1;
    this.process.stderr.write(`${error instanceof McpCommandFault ? error.message : inspect(error)}\n`);
  }

  /** The outcome of work; `undefined` when it is not there so many milliseconds after the end has come. */
  async orGivenUp<T>(work: Promise<T>, patienceMs = 0): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let wait: (() => void) | undefined;
    const givenUp = new Promise<undefined>((resolve) => {
      wait = () => (timer = setTimeout(() => resolve(undefined), patienceMs));
      if (this.signal.aborted) wait();
      else this.signal.addEventListener('abort', wait);
    });
    try {
      return await Promise.race([work, givenUp]);
    } finally {
      clearTimeout(timer);
      this.signal.removeEventListener('abort', wait!);
    }
  }

  private come(cause: string): void {
    this.cause ??= cause;
    this.controller.abort();
  }
}
