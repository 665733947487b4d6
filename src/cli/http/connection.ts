/**
 * A client's way to a server of any revision: the newest first, and the handshake where that is not spoken (2026-07-28,
 * versioning). It remembers what older servers demand: the revision that was agreed on, and a session.
 */
import { randomUUID } from 'node:crypto';
import { MCP_ERROR } from '../../protocol/errors.js';
import { eraOf, MCP_PROTOCOL_VERSION } from '../../protocol/revisions.js';
import { askRpc, type RpcAnswer } from './ask-rpc.js';
import { quoted } from '../paint.js';
import { hiding } from '../secret-token.js';
import { exchange } from './exchange.js';
import { initializeParams, LEGACY_VERSION, rpcRequest, type RpcReply } from './rpc.js';

/** What goes with one request. */
export interface Asking {
  readonly params?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Hears of what comes before the reply. */
  readonly onNotice?: (notice: RpcReply) => void;
  /** Cancels the request, as its revision has it. */
  readonly signal: AbortSignal;
  /** Milliseconds until the whole answer must be there. @default no limit */
  readonly timeoutMs?: number;
}

const HANDSHAKE_MS = 30_000;
const FAREWELL_MS = 2_000;

/** Where a server is, and how it is spoken to. */
export class McpConnection {
  /** The revision. */
  version: string = MCP_PROTOCOL_VERSION;
  private session: string | undefined;
  /** A server may send the token back: hidden before anything of it is shortened and shown. */
  private readonly clean: (text: string) => string;

  constructor(
    private readonly url: string,
    private readonly token: string | undefined,
  ) {
    this.clean = token === undefined ? (text) => text : hiding(token);
  }

  /**
   * Finds out what the server speaks. Gives the answer that stands in the way; `undefined` when there is none.
   *
   * @throws HttpFailure when there is no answer at all, Error for a revision that no handshake leads to.
   */
  async open(signal: AbortSignal): Promise<RpcAnswer | undefined> {
    const asking = { signal, timeoutMs: HANDSHAKE_MS };
    const discovered = await this.ask('server/discover', asking);
    if (discovered.status === 401) return discovered;
    if (speaksModern(discovered.reply)) return undefined;
    this.version = LEGACY_VERSION;
    const greeted = await this.ask('initialize', { ...asking, params: initializeParams(LEGACY_VERSION) });
    const agreed = greeted.reply?.result?.['protocolVersion'];
    if (typeof agreed === 'string') {
      this.version = spoken(agreed);
      this.session = textOf(greeted.headers['mcp-session-id']);
      await this.notify('notifications/initialized', {}, signal);
      return undefined;
    }
    // One that does not answer server/discover may speak the newest revision alone.
    if (!speaksModern(greeted.reply)) return greeted;
    this.version = MCP_PROTOCOL_VERSION;
    return undefined;
  }

  /**
   * One request and its answer.
   *
   * @throws HttpFailure when there is no answer, the signal's reason when it aborts.
   */
  async ask(method: string, { params, headers, signal, ...asking }: Asking): Promise<RpcAnswer> {
    signal.throwIfAborted();
    // Not to be guessed, nor to be mistaken for another client's of this machine: it may be cancelled by it.
    const id = randomUUID();
    const leaving = new AbortController();
    const leave = () => leaving.abort(signal.reason);
    const cancel = () => void (this.mustSaySo(method) ? this.cancel(id).then(leave) : leave());
    signal.addEventListener('abort', cancel, { once: true });
    const { headers: own, message } = rpcRequest(this.version, { id, method, ...(params && { params }) });
    try {
      const answer = await askRpc({
        ...asking,
        url: this.url,
        id,
        headers: { ...own, ...this.credentials(), ...headers },
        message,
        clean: this.clean,
        signal: leaving.signal,
      });
      signal.throwIfAborted(); // a cancelled call may be answered all the same
      return answer;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Ends the session, where there is one. Nothing that goes wrong with it matters any more. */
  async close(): Promise<void> {
    if (this.session === undefined) return;
    const headers = { ...this.credentials(), 'mcp-protocol-version': this.version };
    await exchange({ url: this.url, method: 'DELETE', headers, timeoutMs: FAREWELL_MS }).catch(() => undefined);
  }

  /** A modern client hangs up; to older servers that means nothing (2025-11-25, cancellation). */
  private mustSaySo(method: string): boolean {
    return eraOf(this.version) === 'legacy' && method !== 'initialize';
  }

  private async cancel(requestId: string): Promise<void> {
    const params = { requestId, reason: 'Interrupted by the user.' };
    await this.notify('notifications/cancelled', params).catch(() => undefined);
  }

  private async notify(method: string, params: object, signal?: AbortSignal): Promise<void> {
    const { headers, message } = rpcRequest(this.version, { id: 0, method, params });
    const { id: _, ...notification } = message as { id: unknown };
    await exchange({
      url: this.url,
      headers: { ...headers, ...this.credentials() },
      body: JSON.stringify(notification),
      timeoutMs: FAREWELL_MS,
      ...(signal && { signal }),
    });
  }

  private credentials(): Record<string, string> {
    return {
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(this.session !== undefined && { 'mcp-session-id': this.session }),
    };
  }
}

/** Whether a reply says that the newest revision is served. */
function speaksModern(reply: RpcReply | undefined): boolean {
  const { result, error } = reply ?? {};
  const refused = error?.code === MCP_ERROR.unsupportedVersion ? (error.data as { supported?: unknown }) : undefined;
  const versions = result?.['supportedVersions'] ?? refused?.supported;
  return Array.isArray(versions) && versions.includes(MCP_PROTOCOL_VERSION);
}

/** A revision that a server may choose in a handshake, also one that is older than those that this package serves. */
function spoken(version: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(version) && eraOf(version) === 'legacy') return version;
  throw new Error(`The server wants to speak the revision ${quoted(version, 40)}, which this command does not.`);
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
