/**
 * Runs cases: servers are visited in rotation, round after round, so that a slow minute of the machine strikes all alike.
 */
import type { ServerOptions } from '../servers/serve.js';
import type { Subject } from '../subjects.js';
import type { BenchRequest } from '../workload/messages.js';
import { exchange, type Exchange } from './exchange.js';
import { type BodyCheck, load } from './load.js';
import { Measured } from './measured.js';
import { ServerProcess } from './server-process.js';
import type { LoadResult } from './load.js';

/** How much time is spent. */
export interface Plan {
  readonly quick: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Open streams, launches and calls of the scenarios that count these. */
  readonly streams: number;
  readonly launches: number;
  readonly manyCalls: number;
}

/** One request to one server. */
export interface Case {
  readonly subject: Subject;
  readonly server: ServerProcess;
  readonly variant: string;
  readonly request: BenchRequest;
  /** @throws Error that says what is wrong with the answer. */
  readonly check: (answer: Exchange) => void;
  /** What to ask of every further answer. @default the same bytes as the checked one */
  readonly checkUnderLoad?: BodyCheck;
}

export class Bench {
  private readonly servers: ServerProcess[] = [];

  constructor(
    readonly plan: Plan,
    readonly say: (line: string) => void,
  ) {}

  async start(subject: Subject, options: ServerOptions): Promise<ServerProcess> {
    const server = await ServerProcess.start(subject.file, {
      ...options,
      ...(subject.platform && { platform: subject.platform }),
    });
    this.servers.push(server);
    return server;
  }

  /** Measures all cases, each as often as the plan has rounds. A case whose answer is wrong is not measured. */
  async measure(cases: readonly Case[], connections: number): Promise<Measured[]> {
    const running = await Promise.all(cases.map((one) => this.prepare(one)));
    const { rounds, seconds, warmUpSeconds } = this.plan;
    for (const one of running) await one.load(connections, warmUpSeconds);
    for (let round = 0; round < rounds; round += 1) {
      for (const at of running.keys()) await running[(at + round) % running.length]!.load(connections, seconds, true);
    }
    return running.map((one) => one.measured());
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }

  private async prepare(one: Case): Promise<RunningCase> {
    try {
      const answer = await exchange(one.server.port, one.request);
      one.check(answer);
      return new RunningCase(one, one.checkUnderLoad ?? ((body) => body === answer.body));
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      this.say(`  ${one.subject.id}, ${one.variant}: ${fault}`);
      return new RunningCase(one, () => false, fault);
    }
  }
}

class RunningCase {
  private readonly rounds: LoadResult[] = [];

  constructor(
    private readonly one: Case,
    private readonly check: BodyCheck,
    private fault?: string,
  ) {}

  async load(connections: number, seconds: number, counts = false): Promise<void> {
    if (this.fault !== undefined) return;
    const { server, request } = this.one;
    try {
      const result = await load(server, request, { connections, seconds }, this.check);
      if (counts) this.rounds.push(result);
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  measured(): Measured {
    const { subject, variant } = this.one;
    return new Measured(subject, variant, this.fault === undefined ? this.rounds : [], this.fault);
  }
}
