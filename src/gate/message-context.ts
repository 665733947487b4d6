/**
 * Everything that the protocol may know and do for one message to a gate: who serves, who asks, the tools that there are
 * for it, and the runs that it opens.
 */
import type { McpAccountResolver } from '../account.js';
import { whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type {
  McpClientAnswer,
  McpMessageContext,
  McpRunRequest,
  McpServerFacts,
  McpServerFault,
} from '../protocol/context.js';
import type { RequestId } from '../protocol/messages.js';
import type { McpChannel, McpNews } from '../protocol/news.js';
import type { McpSeal } from '../protocol/seal.js';
import type { McpClock } from '../runs/clock.js';
import type { McpLiveRuns } from '../runs/live-runs.js';
import type { McpLogLevel } from '../runs/log.js';
import type { McpOpenRun } from '../runs/open-run.js';
import { collectMcpCompletions, type McpCompletionCatalogue } from '../completions/catalogue.js';
import type { McpPromptCatalogue } from '../prompts/catalogue.js';
import type { McpResourceCatalogue } from '../resources/catalogue.js';
import { collectMcpTools, type McpCatalogue, type McpToolSource } from '../tools/catalogue.js';
import type { McpVisible } from '../tools/visibility.js';
import { ClientNews } from './client-news.js';
import type { McpGateNews } from './news.js';
import { promptsFor, resourcesFor } from './offering.js';
import type { McpOffers } from './offers.js';
import type { McpOpenQuestions } from './open-questions.js';
import { McpGateRun } from './open-run.js';
import type { ResolvedGateSettings } from './settings.js';
import type { McpWayToClient } from './way-to-client.js';

/** The gate that a message is for. */
export interface McpMessageRecipient {
  readonly settings: ResolvedGateSettings;
  readonly server: McpServerFacts;
  readonly source: McpToolSource;
  /** @default none */
  readonly offers?: McpOffers;
  readonly live: McpLiveRuns;
  readonly questions: McpOpenQuestions;
  /** Where its clients hear of changes. @default they do not */
  readonly news?: McpGateNews;
  readonly clock: McpClock;
  readonly seal: McpSeal;
  readonly report: (fault: McpServerFault) => string;
  readonly onWithheld: (entry: McpVisible, reason: string) => void;
}

/** Who sent it, and the way back. */
export interface McpMessageSender extends Pick<
  McpMessageContext,
  'headers' | 'assumedVersion' | 'agreedCapabilities' | 'challenges'
> {
  readonly caller: McpCaller;
  /** The framework's request. */
  readonly request: unknown;
  /** The request as it is looked at later, when what was kept on it does not count any more. */
  requestAnew(): unknown;
  /** Whose runs this sender may cancel (R4). */
  principal(): string;
  readonly way: McpWayToClient;
  /** The one channel that the client has for everything. @default every request has its own way back */
  readonly channel?: McpChannel;
  /** A run was opened and its work has not begun: the last moment to abort it unheard. */
  onRun(run: McpOpenRun, requestId: RequestId, undecided: boolean): void;
  /**
   * Its work did not end at once: ties it to what may end it early.
   *
   * @param undecided it is still being found out what there is for the caller, and no stream may open before the answer
   */
  onHold(run: McpOpenRun, undecided: boolean): void;
  /** The level that this sender has set for all that it asks, if it has (legacy `logging/setLevel`). */
  readonly logLevel?: McpLogLevel | undefined;
  onLogLevel?(level: McpLogLevel): void;
  /** The sender cancels a request of its own, which may be no run yet. */
  onCancel?(requestId: RequestId): void;
}

/** The context of one message. Nothing is collected or opened before the protocol asks for it. */
export function messageContext(gate: McpMessageRecipient, sender: McpMessageSender): McpMessageContext {
  return new GateMessageContext(gate, sender);
}

class GateMessageContext implements McpMessageContext {
  readonly server: McpServerFacts;
  readonly caller: McpCaller;
  readonly accounts: McpAccountResolver | undefined;
  readonly challenges: boolean;
  readonly seal: McpSeal;
  readonly headers: McpMessageContext['headers'];
  readonly assumedVersion: McpMessageContext['assumedVersion'];
  readonly agreedCapabilities: McpMessageContext['agreedCapabilities'];
  /** When the first run was opened: what decides over a call takes of its time. */
  private since: number | undefined;

  constructor(
    private readonly gate: McpMessageRecipient,
    private readonly sender: McpMessageSender,
  ) {
    this.server = gate.server;
    this.caller = sender.caller;
    this.accounts = gate.settings.accounts;
    this.challenges = sender.challenges ?? gate.settings.authorization !== undefined;
    this.seal = gate.seal;
    this.headers = sender.headers;
    this.assumedVersion = sender.assumedVersion;
    this.agreedCapabilities = sender.agreedCapabilities;
  }

  get catalogue(): McpCatalogue {
    const { caller, request } = this.sender;
    const { source, onWithheld } = this.gate;
    return collectMcpTools(source, { caller, request, onWithheld });
  }

  resources(): Awaitable<McpResourceCatalogue | undefined> {
    const { caller, request } = this.sender;
    const { offers, onWithheld } = this.gate;
    return resourcesFor(offers, { caller, request, onWithheld });
  }

  prompts(): Awaitable<McpPromptCatalogue | undefined> {
    const { caller, request } = this.sender;
    const { offers, onWithheld } = this.gate;
    return promptsFor(offers, { caller, request, onWithheld });
  }

  completions(): Awaitable<McpCompletionCatalogue | undefined> {
    const { caller, request } = this.sender;
    const { offers, onWithheld } = this.gate;
    return whenThere(offers?.completions(), (found) => {
      if (found === undefined || !found.any) return undefined;
      return whenThere(this.prompts(), (prompts) =>
        whenThere(this.resources(), (resources) =>
          collectMcpCompletions(found.index, { prompts, resources }, { caller, request, onWithheld }),
        ),
      );
    });
  }

  get news(): McpNews | undefined {
    const { gate, sender } = this;
    const { news } = gate;
    // However long it lasts: maxRunMs is for calls.
    return news && new ClientNews(gate, news, sender, (requestId) => this.open({ requestId }, news, undefined));
  }

  get channel(): McpChannel | undefined {
    return this.sender.channel;
  }

  openRun(asked: McpRunRequest): McpOpenRun {
    const { live, settings } = this.gate;
    return this.open(asked, live, settings.maxRunMs === undefined ? undefined : this.timeLeft(settings.maxRunMs));
  }

  private timeLeft(maxRunMs: number): number {
    const now = this.gate.clock.now();
    return maxRunMs - (now - (this.since ??= now));
  }

  private open(asked: McpRunRequest, live: Pick<McpLiveRuns, 'add'>, maxRunMs: number | undefined): McpOpenRun {
    const { clock } = this.gate;
    const { caller, request, way } = this.sender;
    const undecided = asked.undecided === true;
    const run = new McpGateRun({
      asked,
      caller,
      request,
      clock,
      maxRunMs,
      live,
      principal: () => this.sender.principal(),
      way,
      logLevel: asked.logLevel === 'as-set' ? this.sender.logLevel : asked.logLevel,
      onHold: (held) => this.sender.onHold(held, undecided),
    });
    this.sender.onRun(run, asked.requestId, undecided);
    return run;
  }

  cancel(requestId: RequestId): void {
    const principal = this.sender.principal();
    this.gate.live.cancel(principal, requestId);
    // Over HTTP a subscription ends with its stream, and who closes that is known; who sends this there is one of an address.
    if (this.headers === undefined) this.gate.news?.cancel(principal, requestId);
    this.sender.onCancel?.(requestId);
  }

  get question(): McpMessageContext['question'] {
    const { way } = this.sender;
    if (!way.takesMore) return undefined;
    const { questions, clock, settings } = this.gate;
    return (about, method, params) => {
      const principal = this.sender.principal();
      return questions.put({ method, params, about, way, principal, clock, withinMs: settings.answerWithinMs });
    };
  }

  answer(id: RequestId, answer: McpClientAnswer): boolean {
    return this.gate.questions.answer(this.sender.principal(), id, answer);
  }

  now(): number {
    return Date.now();
  }

  setLogLevel(level: McpLogLevel): void {
    this.sender.onLogLevel?.(level);
  }

  report(fault: McpServerFault): string {
    return this.gate.report(fault);
  }
}

/** The part of a gate's settings that the protocol reads. */
export function serverFacts({
  name,
  version,
  title,
  instructions,
  protocol,
  pageSize,
  cache,
  answerWithinMs,
}: ResolvedGateSettings): McpServerFacts {
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(instructions !== undefined && { instructions }),
    versions: protocol.versions,
    discover: protocol.discover,
    answerWithinMs,
    ...(pageSize !== undefined && { pageSize }),
    cache,
  };
}
