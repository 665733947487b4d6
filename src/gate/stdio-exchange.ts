/**
 * One line of a client on a pipe, and its answer. There are no headers, no status and no challenge; a call is cancelled by a
 * notification, whatever the era, and after it nothing more is sent for it (R4; 2026-07-28, stdio, cancellation).
 */
import type { McpCaller } from '../caller.js';
import type { McpAnswer } from '../protocol/context.js';
import { MCP_ERROR, McpProtocolError } from '../protocol/errors.js';
import { refuseMcpMessage } from '../protocol/handle-message.js';
import {
  isObject,
  isResponse,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
} from '../protocol/messages.js';
import { readableId } from '../protocol/read.js';
import { tornDown } from '../protocol/methods/subscriptions-listen.js';
import type { McpChannel } from '../protocol/news.js';
import type { McpVersion } from '../protocol/revisions.js';
import type { McpLogLevel } from '../runs/log.js';
import type { McpOpenRun } from '../runs/open-run.js';
import type { McpMessageSender } from './message-context.js';
import type { McpStdioEnding, StdioConversation } from './stdio-conversation.js';

export class StdioExchange implements McpMessageSender {
  readonly caller: McpCaller;
  readonly request: unknown;
  readonly headers = undefined;
  /** A client on a pipe has no way to step up: what it lacks is a result that its agent can read (A4). */
  readonly challenges = false;
  readonly way = this;
  readonly takesMore = true;
  private readonly runs: McpOpenRun[] = [];
  private readonly undecided: McpOpenRun[] = [];
  private readonly cancelled = new Set<RequestId>();

  constructor(
    private readonly conversation: StdioConversation,
    private readonly message: unknown,
    readonly assumedVersion: McpVersion,
    readonly agreedCapabilities: Readonly<Record<string, unknown>>,
  ) {
    this.caller = conversation.gate.operator;
    this.request = conversation.way.request?.();
  }

  get channel(): McpChannel | undefined {
    return this.conversation.channel;
  }

  requestAnew(): unknown {
    return this.conversation.way.request?.();
  }

  principal(): string {
    return this.conversation.principal;
  }

  onRun(run: McpOpenRun, request: RequestId, undecided: boolean): void {
    const { gate, ending } = this.conversation;
    // It may have been cancelled before there was a run to cancel.
    if (this.cancelled.has(request)) run.abort('cancelled');
    else if (ending === 'shutdown' || gate.closed) run.abort('shutdown');
    else if (ending !== undefined && !undecided) run.abort(ending);
  }

  onHold(run: McpOpenRun, undecided: boolean): void {
    (undecided ? this.undecided : this.runs).push(run);
  }

  onCancel(request: RequestId): void {
    this.conversation.cancel(request);
  }

  get logLevel(): McpLogLevel | undefined {
    return this.conversation.logLevel;
  }

  onLogLevel(level: McpLogLevel): void {
    this.conversation.logLevel = level;
  }

  notify(message: JsonRpcNotification, about?: RequestId): void {
    this.conversation.way.notify(message, about);
  }

  ask(message: JsonRpcRequest, about: RequestId): void {
    this.conversation.way.send(message, about);
  }

  /**
   * Ends the runs of this line. What is not decided yet may be no call, and a client that has closed its end is owed the rest
   * (S4): whether to run it is decided later.
   */
  abort(ending: McpStdioEnding): void {
    for (const run of this.runs) run.abort(ending);
    if (ending === 'shutdown') for (const waiting of this.undecided) waiting.abort(ending);
  }

  /** The client cancelled a request, of this line or of another. */
  cancel(request: RequestId): void {
    if (this.messages.some((each) => readableId(each) === request)) this.cancelled.add(request);
  }

  /** Sends the answer that the protocol gave, if the client may have one. */
  finish({ body }: McpAnswer): void {
    if (body === undefined || !awaitsAnswer(this.message)) return;
    if (!Array.isArray(body)) {
      const { id } = body as JsonRpcResponse;
      if (this.isCancelled(id)) return;
      this.send(body, id ?? undefined);
      const goodbye = 'result' in body ? tornDown(this.message) : undefined;
      if (goodbye !== undefined) this.conversation.way.send(goodbye);
      return;
    }
    const left = (body as readonly JsonRpcResponse[]).filter(({ id }) => !this.isCancelled(id));
    if (left.length > 0) this.send(left);
  }

  /** Answers what never reached the protocol. */
  refuse(error: McpProtocolError): void {
    this.finish(refuseMcpMessage(error, this, this.message));
  }

  private send(body: object, about?: RequestId): void {
    const { way, gate } = this.conversation;
    try {
      way.send(body, about);
    } catch (error) {
      const id = gate.report({ where: 'answering', error });
      const told = new McpProtocolError(
        500,
        MCP_ERROR.internal,
        `The server failed. Its log has the cause under ${id}.`,
      );
      way.send(told.toMessage(about), about);
    }
  }

  private isCancelled(id: RequestId | null | undefined): boolean {
    return id !== undefined && id !== null && this.cancelled.has(id);
  }

  /** The messages of this line: several in a batch. */
  private get messages(): readonly unknown[] {
    return Array.isArray(this.message) ? this.message : [this.message];
  }
}

/** JSON-RPC 2.0 never answers a notification or a response, however wrong it is: over HTTP its status would say so. */
function awaitsAnswer(message: unknown): boolean {
  if (!isObject(message)) return true;
  const isNotification = !('id' in message) && typeof message['method'] === 'string';
  return !isResponse(message) && !isNotification;
}
