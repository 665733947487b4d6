/**
 * One message to a gate and its answer, without a wire: the gate's own tools, catalogue, protocol and runs, and in place
 * of the HTTP exchange this file.
 */
import { Logger } from '@nestjs/common';
import type { McpCaller } from '../caller.js';
import { logFault } from '../gate/log.js';
import { McpOpenQuestions } from '../gate/open-questions.js';
import { messageContext, serverFacts } from '../gate/message-context.js';
import type { McpAnswer, McpServerFault } from '../protocol/context.js';
import { handleMcpMessage } from '../protocol/handle-message.js';
import type { RequestId } from '../protocol/messages.js';
import { MCP_ERROR } from '../protocol/errors.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import type { McpOpenRun } from '../runs/open-run.js';
import type { McpProgressParams } from '../runs/progress.js';
import type { McpTestAnswers, McpTestQuestion } from './answering.js';
import type { GateUnderTest } from './gate-under-test.js';
import { fromWire, type WireClient } from './in-memory-wire.js';

/** Who sends messages to which gate, in which request, with which client. */
export interface ExchangeParties extends WireClient {
  readonly gate: GateUnderTest;
  readonly caller: McpCaller;
  readonly request: object;
}

/** What the client listens to and how it cancels. */
export interface ExchangeHooks {
  readonly progress?: (params: McpProgressParams) => void;
  readonly signal?: AbortSignal;
  /** Answers what the gate asks on the way. */
  readonly answers?: McpTestAnswers;
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
  { gate, caller, request, version, capabilities }: ExchangeParties,
  { progress, signal, cancellation, answers }: ExchangeHooks,
): Promise<ExchangeOutcome> {
  const { settings, source, offers, closing } = gate;
  const live = new McpLiveRuns();
  const questions = new McpOpenQuestions();
  const faults: McpServerFault[] = [];
  const withheld = new Map<string, string>();
  const failures: unknown[] = [];

  const recipient = {
    settings,
    server: serverFacts(settings),
    source,
    offers,
    live,
    questions,
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
    requestAnew: () => request,
    assumedVersion: version,
    agreedCapabilities: capabilities as Readonly<Record<string, unknown>>,
    principal: () => PRINCIPAL,
    way: {
      takesMore: answers !== undefined,
      notify: ({ method, params }) => {
        if (method === 'notifications/progress') progress?.(params as unknown as McpProgressParams);
      },
      ask: ({ id, method, params = {} }) => void respond(id, { method, params }),
    },
    onRun: obey,
    onHold: obey,
  });

  async function respond(id: RequestId, question: McpTestQuestion): Promise<void> {
    let said: object;
    try {
      said = { result: await answers?.(question) };
    } catch (error) {
      failures.push(error);
      said = { error: { code: MCP_ERROR.internal, message: 'The test failed to answer.' } };
    }
    await handleMcpMessage(fromWire({ jsonrpc: '2.0', id, ...said }), context);
  }

  const cancel = () => void handleMcpMessage(cancellation, context);
  const close = () => live.abortAll('shutdown');
  signal?.addEventListener('abort', cancel);
  closing.addEventListener('abort', close);
  try {
    const answer = await handleMcpMessage(message, context);
    if (failures.length > 0) throw failures[0];
    return { answer, faults, withheld };
  } finally {
    signal?.removeEventListener('abort', cancel);
    closing.removeEventListener('abort', close);
  }
}
