/**
 * One message to a gate and its answer, without a wire: the gate's own tools, catalogue, protocol and runs, and in place
 * of the HTTP exchange this file.
 */
import { Logger } from '@nestjs/common';
import type { McpCaller } from '../caller.js';
import { logFault } from '../gate/log.js';
import { messageContext, serverFacts } from '../gate/message-context.js';
import type { McpAnswer, McpServerFault } from '../protocol/context.js';
import { handleMcpMessage } from '../protocol/handle-message.js';
import type { McpVersion } from '../protocol/revisions.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import type { McpOpenRun } from '../runs/open-run.js';
import type { McpProgressParams } from '../runs/progress.js';
import type { GateUnderTest } from './gate-under-test.js';

/** Who sends messages to which gate, in which request, in which revision. */
export interface ExchangeParties {
  readonly gate: GateUnderTest;
  readonly caller: McpCaller;
  readonly request: object;
  readonly version: McpVersion;
}

/** What the client listens to and how it cancels. */
export interface ExchangeHooks {
  readonly progress?: (params: McpProgressParams) => void;
  readonly signal?: AbortSignal;
  /** Tells the gate that the client has cancelled. */
  readonly cancellation: object;
}

/** The answer, and what only the server knows of it. */
export interface ExchangeOutcome {
  readonly answer: McpAnswer;
  /** What went to the server's log. */
  readonly faults: readonly McpServerFault[];
  /** Why the catalogue withheld tools, by their names, or resources, by their URIs. */
  readonly withheld: ReadonlyMap<string, string>;
}

/** Unlike the clock of a server it keeps the process alive: a test may wait for nothing but a deadline. */
const CLOCK: McpClock = {
  now: () => SYSTEM_CLOCK.now(),
  after(ms, work) {
    const alive = setInterval(() => undefined, 2 ** 30);
    const cancel = SYSTEM_CLOCK.after(ms, () => {
      clearInterval(alive);
      work();
    });
    return () => {
      clearInterval(alive);
      cancel();
    };
  },
};

const PRINCIPAL = 'in memory';
const log = new Logger('McpGate');

/** Sends a message and waits for the answer. */
export async function exchangeInMemory(
  message: object,
  { gate, caller, request, version }: ExchangeParties,
  { progress, signal, cancellation }: ExchangeHooks,
): Promise<ExchangeOutcome> {
  const { settings, source, offers, closing } = gate;
  const live = new McpLiveRuns();
  const faults: McpServerFault[] = [];
  const withheld = new Map<string, string>();

  const recipient = {
    settings,
    server: serverFacts(settings),
    source,
    offers,
    live,
    clock: CLOCK,
    seal: gate.seal,
    report(fault: McpServerFault) {
      faults.push(fault);
      return logFault(log, settings.name, fault);
    },
    onWithheld: ({ name }: { readonly name: string }, reason: string) => void withheld.set(name, reason),
  };
  function obey(run: McpOpenRun): void {
    if (closing.aborted) run.abort('shutdown');
    if (signal?.aborted === true) run.abort('cancelled'); // before there was a run to cancel
  }
  const context = messageContext(recipient, {
    caller,
    request,
    assumedVersion: version,
    principal: () => PRINCIPAL,
    way: {
      takesMore: false,
      notify: ({ params }) => progress?.(params as unknown as McpProgressParams),
      ask: () => undefined,
    },
    onRun: obey,
    onHold: obey,
  });

  const cancel = () => void handleMcpMessage(cancellation, context);
  const close = () => live.abortAll('shutdown');
  signal?.addEventListener('abort', cancel);
  closing.addEventListener('abort', close);
  try {
    return { answer: await handleMcpMessage(message, context), faults, withheld };
  } finally {
    signal?.removeEventListener('abort', cancel);
    closing.removeEventListener('abort', close);
  }
}
