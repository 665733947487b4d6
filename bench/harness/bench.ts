/**
 * Runs cases: servers are visited in rotation, round after round, so that a slow minute of the machine strikes all alike.
 */
import type { ServerOptions } from '../servers/serve.js';
import type { Subject } from '../subjects.js';
import type { BenchRequest } from '../workload/messages.js';
import { exchange, type Exchange } from './exchange.js';
import { type BodyCheck, load, type LoadResult, type LoadShape } from './load.js';
import { Measured } from './measured.js';
import { ServerProcess } from './server-process.js';

/** How much is asked: the goals roughly, the goals, or everything. */
export type Extent = 'quick' | 'goals' | 'full';

/** How much time is spent. */
export interface Plan {
  readonly extent: Extent;
  readonly rounds: number;
  readonly seconds: number;
  /** A server is warm for a request after so many of them, or after so many seconds of them. */
  readonly warmUpRequests: number;
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
  /** Makes the server ready before each round. */
  readonly before?: () => Promise<void>;
  /** What to ask of every further answer. @default the same bytes as the checked one */
  readonly checkUnderLoad?: BodyCheck;
}

const WARM_UP_CONNECTIONS = 16;

export class Bench {
  private readonly servers: ServerProcess[] = [];
  /** Servers of several scenarios, by what they are. */
  private readonly shared = new Map<string, Promise<ServerProcess>>();
  /** What was asked of which server often enough. */
  private readonly warm = new Set<string>();

  constructor(
    readonly plan: Plan,
    readonly say: (line: string) => void,
  ) {}

  /** A server for this scenario alone. */
  async start(subject: Subject, options: ServerOptions): Promise<ServerProcess> {
    const server = await launch(subject, options);
    this.servers.push(server);
    return server;
  }

  /** A server that other scenarios have asked for or will ask for too: it stays, and stays warm. */
  share(subject: Subject, options: ServerOptions): Promise<ServerProcess> {
    const key = JSON.stringify([subject.file, subject.platform, options]);
    const server = this.shared.get(key) ?? launch(subject, options);
    this.shared.set(key, server);
    return server;
  }

  /** Measures all cases, each as often as the plan has rounds. A case whose answer is wrong is not measured. */
  async measure(
    cases: readonly Case[],
    connections: number,
    { rounds = this.plan.rounds, seconds = this.plan.seconds }: { rounds?: number; seconds?: number } = {},
  ): Promise<Measured[]> {
    const running = await Promise.all(cases.map((one) => this.prepare(one)));
    for (const one of running) await this.warmUp(one);
    for (let round = 0; round < rounds; round += 1) {
      for (const at of running.keys())
        await running[(at + round) % running.length]!.load({ connections, seconds }, true);
    }
    return running.map((one) => one.measured());
  }

  /** Stops what the scenario has for itself. */
  async stopOwn(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.stop()));
  }

  async stopAll(): Promise<void> {
    await this.stopOwn();
    await Promise.allSettled([...this.shared.values()].map(async (server) => (await server).stop()));
    this.shared.clear();
  }

  /** Until V8 has optimised what the request needs: before that, the code with the most parts looks the slowest. */
  private async warmUp(running: RunningCase): Promise<void> {
    const { server, request } = running.one;
    const key = `${server.port} ${request.path} ${request.body}`;
    if (this.warm.has(key)) return;
    this.warm.add(key);
    const { warmUpRequests, warmUpSeconds } = this.plan;
    await running.load({ connections: WARM_UP_CONNECTIONS, requests: warmUpRequests, seconds: warmUpSeconds });
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

function launch(subject: Subject, options: ServerOptions): Promise<ServerProcess> {
  return ServerProcess.start(subject.file, { ...options, ...(subject.platform && { platform: subject.platform }) });
}

class RunningCase {
  private readonly rounds: LoadResult[] = [];

  constructor(
    readonly one: Case,
    private readonly check: BodyCheck,
    private fault?: string,
  ) {}

  async load(shape: LoadShape, counts = false): Promise<void> {
    if (this.fault !== undefined) return;
    const { server, request, before } = this.one;
    try {
      await before?.();
      const result = await load(server, request, shape, this.check);
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
