/**
 * One HTTP exchange at a gate, from its first header to its last byte: who asks, may they, what do they say, and the answer
 * to it. What is known is used at once: only what must be waited for makes a promise.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpAnswer } from '../protocol/context.js';
import { handleMcpMessage, refuseMcpMessage } from '../protocol/handle-message.js';
import type { McpLogLevel } from '../runs/log.js';
import type { McpOpenRun } from '../runs/open-run.js';
import { answerHeaders, refuseEntry, type McpRefusal } from './admittance.js';
import { readMcpBody, type McpBody, type McpBodyFault } from './body.js';
import { bodyRefusal } from './body-refusal.js';
import { heardOut } from './drain.js';
import { isGone, watchDisconnect } from './disconnect.js';
import type { McpHttpInput } from './gate.js';
import { messageContext, type McpMessageRecipient, type McpMessageSender } from './message-context.js';
import type { McpProtection } from './protection.js';
import { sendMcpJson } from './json-response.js';
import { createMcpResponseStream, type McpResponseStream } from './response-stream.js';
import type { McpSetLevels } from './set-levels.js';

/** The gate that is asked. */
export interface HttpExchangeGate extends McpMessageRecipient {
  readonly protection: McpProtection | undefined;
  /** Who asks where nobody is authenticated. */
  readonly stranger: McpCaller;
  /** A request as it is looked at later. */
  readonly requestAnew: (request: unknown) => unknown;
  /** What legacy clients have asked to hear of logs. */
  readonly levels: McpSetLevels;
  /** Whether the process is ending. */
  readonly closed: boolean;
}

/** Answers one request. Throws or rejects only for what nobody foresaw. */
export function answerHttp(
  gate: HttpExchangeGate,
  req: IncomingMessage,
  res: ServerResponse,
  input: McpHttpInput,
): Awaitable<void> {
  return new HttpExchange(gate, req, res, input).answer();
}

class HttpExchange implements McpMessageSender {
  caller: McpCaller;
  private stream: McpResponseStream | undefined;

  constructor(
    private readonly gate: HttpExchangeGate,
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly input: McpHttpInput,
  ) {
    this.caller = gate.stranger;
  }

  answer(): Awaitable<void> {
    const refused = refuseEntry(this.req, this.gate.settings);
    if (refused !== undefined) return this.refuse(refused);
    return whenThere(this.establish(), (found) => {
      if ('status' in found) return this.refuse(found);
      this.caller = found;
      const body = this.input.body ?? readMcpBody(unread(this.req), this.gate.settings.bodyLimit);
      return whenThere(body, (read) => this.answerBody(read));
    });
  }

  get request(): unknown {
    return this.input.request;
  }

  requestAnew(): unknown {
    return this.gate.requestAnew(this.request);
  }

  get headers(): IncomingMessage['headers'] {
    return this.req.headers;
  }

  get way(): McpResponseStream {
    const { gate, req, res } = this;
    const { graceMs, heartbeatMs } = gate.settings.stream;
    const headers = answerHeaders(req, res, this.input.headers, gate.settings.allowedOrigins);
    return (this.stream ??= createMcpResponseStream({
      res,
      headers,
      accept: req.headers.accept,
      graceMs,
      heartbeatMs,
      clock: gate.clock,
    }));
  }

  /**
   * Whose runs a cancellation reaches: those of the same subject of the same issuer by the same client; where a credential
   * names no subject, of its client at the same address; of strangers, at the same address (R4). Strangers behind one address
   * cannot be told apart.
   */
  principal(): string {
    const { authenticated, issuer, subject, clientId } = this.caller;
    const { remoteAddress } = this.req.socket;
    return authenticated
      ? `caller ${JSON.stringify([issuer, clientId, subject ?? { at: remoteAddress }])}`
      : `peer ${remoteAddress}`;
  }

  get logLevel(): McpLogLevel | undefined {
    const { levels } = this.gate;
    const who = levels.isEmpty ? undefined : this.listener();
    return who === undefined ? undefined : levels.of(who);
  }

  onLogLevel(level: McpLogLevel): void {
    const who = this.listener();
    if (who !== undefined) this.gate.levels.set(who, level);
  }

  /**
   * Whose level it is that a client sets: its principal's, as far as its program is the same. Nobody's for strangers from
   * anywhere, whom a proxy gives one address: what one of them asks for would come to all.
   */
  private listener(): string | undefined {
    if (this.caller.subject === undefined && this.gate.settings.allowRemote) return undefined;
    return `${this.principal()} ${(this.req.headers['user-agent'] ?? '').slice(0, 200)}`;
  }

  onRun(run: McpOpenRun): void {
    if (this.gate.closed) run.abort('shutdown');
    else if (isGone(this.req, this.res)) run.abort('disconnected');
  }

  onHold(run: McpOpenRun, undecided: boolean): void {
    this.onRun(run);
    watchDisconnect(this.req, this.res, () => run.abort('disconnected'));
    if (!undecided) this.way.expectDelay(); // a stream could not say any more that a token does not reach (A4)
  }

  /** The caller, or why there is none. */
  private establish(): Awaitable<McpCaller | McpRefusal> {
    const { protection, stranger } = this.gate;
    if (this.input.caller !== undefined) return this.input.caller;
    if (protection === undefined) return stranger;
    return whenThere(protection.establish(this.req), (found) =>
      'refusal' in found ? found.refusal : (found.caller ?? stranger),
    );
  }

  private answerBody(body: McpBody): Awaitable<void> {
    if ('fault' in body) return this.refuseBody(body.fault);
    const answer = handleMcpMessage(body.value, messageContext(this.gate, this));
    return whenThere(answer, (known) => this.finish(known));
  }

  private refuseBody(fault: McpBodyFault): Awaitable<void> {
    const error = bodyRefusal(fault, this.gate.settings.bodyLimit);
    return whenThere(heardOut(this.req, this.gate.clock), () => this.way.finish(refuseMcpMessage(error, this.req)));
  }

  private finish(answer: McpAnswer): void {
    // A connection that is kept alive would keep a server that is closing: with Fastify for more than a minute.
    if (this.gate.closed) this.res.shouldKeepAlive = false;
    const { protection } = this.gate;
    const { insufficientScopes } = answer;
    if (protection === undefined || insufficientScopes === undefined) return this.way.finish(answer);
    const { status, headers } = protection.stepUp(this.req, this.caller, insufficientScopes);
    this.way.finish({ ...answer, status }, headers);
  }

  private refuse({ status, body, headers }: McpRefusal): void {
    const ours = answerHeaders(this.req, this.res, this.input.headers, this.gate.settings.allowedOrigins);
    sendMcpJson(this.res, status, body, { ...ours, ...headers });
  }
}

/** The request, if its body is still there: one that a parser has taken would be waited for in vain. */
function unread(req: IncomingMessage): IncomingMessage {
  if (!req.readableEnded) return req;
  throw new Error('The body was read before the gate could: hand it to respond() as { body: { value } }.');
}
