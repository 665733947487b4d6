/**
 * One measured server in a process of its own, in production mode.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FunctionTime } from '../servers/profiler.js';
import type { Listening, Memory, Question, ServerOptions, Usage } from '../servers/serve.js';
import { moveToServerCore, onAllCores } from './pin.js';

const START_LIMIT_MS = 120_000;

export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** Milliseconds from the start of the process until it listened. */
    readonly startedMs: number,
    /** The same in steps, for the servers that tell of them. */
    readonly steps: Listening['steps'],
  ) {}

  /** Starts `servers/<file>` and waits until it listens. */
  static async start(file: string, options: ServerOptions): Promise<ServerProcess> {
    const script = fileURLToPath(new URL(`../servers/${file}.js`, import.meta.url));
    const child = spawn(...onAllCores(process.execPath, ['--expose-gc', script]), {
      env: { ...process.env, NODE_ENV: 'production', BENCH_SERVER: JSON.stringify(options) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaints = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-2_000)));
    const started = await Promise.race([
      once(child, 'message').then(([message]) => message as Listening),
      once(child, 'exit').then(() => undefined),
      once(AbortSignal.timeout(START_LIMIT_MS), 'abort').then(() => undefined),
    ]);
    if (started === undefined) {
      child.kill('SIGKILL');
      throw new Error(`The server ${file} did not start:\n${complaints}`);
    }
    moveToServerCore(child.pid!); // Not before: a start may use what the machine has.
    return new ServerProcess(child, started.port, started.startedMs, started.steps);
  }

  usage(): Promise<Usage> {
    return this.ask<Usage>('usage');
  }

  /** Lets who listens to Node's channels of HTTP hear of requests, or not. */
  async observe(wanted: boolean): Promise<void> {
    await this.ask<object>(wanted ? 'observe' : 'ignore');
  }

  /** Collects garbage first. */
  memory(): Promise<Memory> {
    return this.ask<Memory>('memory');
  }

  /** Begins to watch where the time goes, or ends it and says what was seen. */
  profile(): Promise<readonly FunctionTime[]> {
    return this.ask<readonly FunctionTime[]>('profile');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private async ask<Answer>(question: Question): Promise<Answer> {
    const answered = once(this.child, 'message');
    this.child.send(question);
    const [answer] = (await answered) as [Answer];
    return answer;
  }
}
