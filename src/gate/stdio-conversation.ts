/**
 * The local operator's end of a pipe at a gate: lines come in, and what answers them goes out as it is ready (S1, S3). What a
 * message means is the protocol's; here is what a pipe has in place of an HTTP exchange.
 */
import { isPending } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpAnswer, McpMessageContext } from '../protocol/context.js';
import { McpProtocolError } from '../protocol/errors.js';
import { handleMcpMessage } from '../protocol/handle-message.js';
import { isObject, type JsonRpcNotification, type RequestId } from '../protocol/messages.js';
import { readMessage, type McpCall } from '../protocol/read.js';
import { eraOf, type McpVersion } from '../protocol/revisions.js';
import type { McpLogLevel } from '../runs/log.js';
import { parseMcpBody, type McpBody } from './body.js';
import { messageContext, type McpMessageRecipient } from './message-context.js';
import { StdioChannel } from './stdio-channel.js';
import { StdioExchange } from './stdio-exchange.js';

/** The way back to a client, and what the host knows of its messages. */
export interface McpStdioWay {
  /** Sends one line. `about` is the request that it answers, when it is one. */
  send(answer: object, about?: RequestId): void;
  /** Sends progress of a request, or something newer in its place. */
  notify(message: JsonRpcNotification, about?: RequestId): void;
  /** The client cancelled a request: nothing of it may go out any more. */
  forget(request: RequestId): void;
  /** Makes what guards and tools see in place of an HTTP request, for each line anew. @default nothing */
  readonly request?: () => unknown;
}

/** Why a pipe closes: the client has closed it, or this process ends. */
export type McpStdioEnding = 'disconnected' | 'shutdown';

/** One client, for as long as its pipe is open. */
export interface McpStdioConversation {
  /** Takes one line, or that there was one longer than the gate's `bodyLimit`. What goes wrong is an answer. */
  take(line: Buffer | 'too-long'): void;
  /**
   * Aborts what is under way, and what still comes. Fulfilled once nothing is under way: all answers were sent, those of
   * aborted calls only at a shutdown.
   */
  end(ending: McpStdioEnding): Promise<void>;
}

/** The gate that is asked. */
export interface StdioGate extends McpMessageRecipient {
  /** Who sits at the other end. */
  readonly operator: McpCaller;
  /** Whether the process is ending. */
  readonly closed: boolean;
}

let conversations = 0;

/** Opens the conversation with one client. */
export function converse(gate: StdioGate, way: McpStdioWay): McpStdioConversation {
  return new StdioConversation(gate, way);
}

export class StdioConversation implements McpStdioConversation {
  /** The runs of this client, and of no other, are its to cancel (R4). */
  readonly principal = `stdio ${++conversations}`;
  /** Why the pipe closes, once it does. */
  ending: McpStdioEnding | undefined;
  private shookHands = false;
  private opened: StdioChannel | undefined;
  /** What this client wants to hear of its calls' logs, once a legacy one has said it. */
  logLevel: McpLogLevel | undefined;
  private readonly underWay = new Set<StdioExchange>();
  private readonly waiting: (() => void)[] = [];
  /**
   * The revision of what names none: the one that `initialize` has agreed on for this process (2026-07-28, versioning), and
   * before it the newest that has an `initialize`.
   */
  private assumedVersion: McpVersion;
  /** What the client declared with it. */
  private agreedCapabilities: Readonly<Record<string, unknown>> = {};

  constructor(
    readonly gate: StdioGate,
    readonly way: McpStdioWay,
  ) {
    const { versions } = gate.settings.protocol;
    this.assumedVersion = versions.find((version) => eraOf(version) === 'legacy') ?? versions[0]!;
  }

  take(line: Buffer | 'too-long'): void {
    const body: McpBody = line === 'too-long' ? { fault: 'too-large' } : parseMcpBody(line);
    const message = 'value' in body ? body.value : undefined;
    const exchange = new StdioExchange(this, message, this.assumedVersion, this.agreedCapabilities);
    if ('fault' in body) return exchange.refuse(lineFault(body.fault, this.gate.settings.bodyLimit));
    const context = messageContext(this.gate, exchange);
    this.underWay.add(exchange);
    // Not with the answer: what the client has sent behind it counts on it already.
    this.agree(message, context);
    const answer = handleMcpMessage(message, context);
    if (isPending(answer)) void answer.then((known) => this.settle(exchange, known));
    else this.settle(exchange, answer);
  }

  /** Takes a handshake to heart. What is wrong with it the answer says. */
  private agree(message: unknown, context: McpMessageContext): void {
    const handshake = handshakeIn(message, context);
    if (handshake === undefined) return;
    const { capabilities } = handshake.params;
    this.shookHands = true;
    this.assumedVersion = handshake.version;
    this.agreedCapabilities = isObject(capabilities) ? capabilities : {};
  }

  end(ending: McpStdioEnding): Promise<void> {
    this.ending ??= ending;
    this.opened?.end();
    for (const exchange of this.underWay) exchange.abort(this.ending);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.look();
    });
  }

  /** Where a client hears of changes that has shaken hands, as legacy ones do; nothing where nobody is told of any. */
  get channel(): StdioChannel | undefined {
    const { gate } = this;
    if (!this.shookHands || this.opened !== undefined || this.ending !== undefined) return this.opened;
    const { news } = messageContext(
      gate,
      new StdioExchange(this, undefined, this.assumedVersion, this.agreedCapabilities),
    );
    const fail = (error: unknown) => void gate.report({ where: 'looking for changes to tell the client', error });
    return (this.opened = news && new StdioChannel(news, fail));
  }

  /** The client cancels a request. What of it is no run yet, or none at all, is only known here. */
  cancel(request: RequestId): void {
    this.way.forget(request);
    for (const exchange of this.underWay) exchange.cancel(request);
  }

  private settle(exchange: StdioExchange, answer: McpAnswer): void {
    this.underWay.delete(exchange);
    exchange.finish(answer);
    this.look();
  }

  private look(): void {
    if (this.underWay.size === 0) for (const tell of this.waiting.splice(0)) tell();
  }
}

/** A message that is a good handshake. */
function handshakeIn(message: unknown, context: McpMessageContext): McpCall | undefined {
  if (!isObject(message) || message['method'] !== 'initialize') return undefined;
  try {
    const read = readMessage(message, context);
    return read.id !== undefined && read.era === 'legacy' ? read : undefined;
  } catch {
    return undefined;
  }
}

function lineFault(fault: string, limit: number): McpProtocolError {
  return fault === 'too-large'
    ? McpProtocolError.invalidRequest(`The line is longer than the ${limit} bytes that this gate takes.`)
    : McpProtocolError.parse('The line is not valid JSON.');
}
