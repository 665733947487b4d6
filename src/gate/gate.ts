/**
 * One way in: who asks, may they, what do they say, and how to send back. The gate knows HTTP; what a message means is
 * the protocol's, and what a tool does is the tool's.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { establishCaller, type McpCaller } from '../caller.js';
import type { McpServerFault } from '../protocol/context.js';
import { handleMcpMessage, refuseMcpMessage } from '../protocol/handle-message.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import type { McpToolSource } from '../tools/catalogue.js';
import { mcpDeclaredScopes } from '../tools/scopes.js';
import { answerHeaders, refuseEntry, type McpRefusal } from './admittance.js';
import { readMcpBody, type McpBody } from './body.js';
import { bodyRefusal } from './body-refusal.js';
import { watchDisconnect } from './disconnect.js';
import { CONSOLE_LOG, logFault, type McpLog } from './log.js';
import { messageContext, serverFacts, type McpMessageRecipient } from './message-context.js';
import { metadataAnswer } from './metadata-response.js';
import { plainTools } from './plain-tools.js';
import { McpProtection } from './protection.js';
import { createMcpResponseStream, sendMcpJson } from './response-stream.js';
import { resolveGateSettings, type McpGateSettings, type ResolvedGateSettings } from './settings.js';

/** What a gate is given besides its settings. */
export interface McpGateParts {
  /** Where the tools come from. @default the plain tools in `settings.tools` */
  readonly source?: McpToolSource;
  /** @default warnings and errors to the console */
  readonly log?: McpLog;
  /** @default the clock of the process */
  readonly clock?: McpClock;
}

/** What the host of a gate knows of one exchange. */
export interface McpHttpInput {
  /** The body, when the host has read it already. @default read here, within `bodyLimit` */
  readonly body?: McpBody;
  /** The framework's request: handed to the rules of entries, and readable below a tool. */
  readonly request?: unknown;
  /** Who asks, established by the host. @default the anonymous caller */
  readonly caller?: McpCaller;
  /** Headers to send along (what a framework had set before). */
  readonly headers?: OutgoingHttpHeaders;
}

/** One way in. */
export interface McpGate {
  readonly settings: ResolvedGateSettings;
  /** Answers one HTTP exchange, whatever comes. Never rejects. */
  respond(req: IncomingMessage, res: ServerResponse, input?: McpHttpInput): Promise<void>;
  /**
   * Answers who asks for the RFC 9728 document of the gate at `path` (the path under which the application serves it):
   * 404 for a gate that is not protected. Never rejects.
   */
  respondMetadata(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    headers?: OutgoingHttpHeaders,
  ): Promise<void>;
  /** How many calls are under way. */
  readonly liveRuns: number;
  /** The process ends: aborts the calls that are under way, and those that still come. */
  close(): void;
}

/**
 * A gate, ready to answer.
 *
 * @throws McpSettingsError for settings that cannot be used, McpDeclarationError for a bad tool in `tools`.
 */
export function defineMcpGate(settings: McpGateSettings, parts: McpGateParts = {}): McpGate {
  const resolved = resolveGateSettings(settings);
  const { log = CONSOLE_LOG, clock = SYSTEM_CLOCK } = parts;
  const source = parts.source ?? plainTools(resolved);
  const report = (fault: McpServerFault) => logFault(log, resolved.name, fault);
  const stranger = establishCaller({ roles: resolved.unprotectedRoles });
  const protection =
    resolved.authorization &&
    new McpProtection({
      settings: resolved.authorization,
      local: !resolved.allowRemote,
      name: resolved.name,
      scopes: declaredScopes,
      log,
    });
  const live = new McpLiveRuns();
  const recipient: McpMessageRecipient = {
    settings: resolved,
    server: serverFacts(resolved),
    source,
    live,
    clock,
    report,
    onWithheld: (tool, reason) => log.debug(`[${resolved.name}] tool ${tool.name} is withheld: ${reason}.`),
  };
  let closed = false;

  async function declaredScopes(): Promise<readonly string[]> {
    const fresh = await source.fresh?.();
    return mcpDeclaredScopes([...source.fixed().entries, ...(fresh?.entries ?? [])].map(({ tool }) => tool));
  }

  async function answer(
    req: IncomingMessage,
    res: ServerResponse,
    input: McpHttpInput,
    caller: McpCaller,
  ): Promise<void> {
    const body = input.body ?? (await readMcpBody(unread(req), resolved.bodyLimit));
    const headers = answerHeaders(req, res, input.headers, resolved.allowedOrigins);
    const stream = createMcpResponseStream({ res, headers, accept: req.headers.accept, clock, ...resolved.stream });
    if ('fault' in body) {
      stream.finish(refuseMcpMessage(bodyRefusal(body.fault, resolved.bodyLimit), req));
      return;
    }
    const principal = principalOf(caller, req);
    const context = messageContext(recipient, {
      caller,
      request: input.request,
      principal,
      stream,
      headers: req.headers,
      onRun(run) {
        if (closed) run.abort('shutdown');
        else watchDisconnect(req, res, () => run.abort('disconnected'));
        stream.expectDelay();
      },
    });
    const result = await handleMcpMessage(body.value, context);
    const { insufficientScopes } = result;
    if (protection === undefined || insufficientScopes === undefined) return stream.finish(result);
    const { status, headers: challenge } = protection.stepUp(req, caller, insufficientScopes);
    stream.finish({ ...result, status }, challenge);
  }

  /** The caller, or nothing when the request has been refused. */
  async function admit(req: IncomingMessage, res: ServerResponse, input: McpHttpInput): Promise<McpCaller | undefined> {
    const refused = refuseEntry(req, resolved) ?? (await establish(req, input));
    if (!('status' in refused)) return refused;
    const headers = answerHeaders(req, res, input.headers, resolved.allowedOrigins);
    sendMcpJson(res, refused.status, refused.body, { ...headers, ...refused.headers });
    return undefined;
  }

  async function establish(req: IncomingMessage, input: McpHttpInput): Promise<McpCaller | McpRefusal> {
    if (input.caller !== undefined) return input.caller;
    if (protection === undefined) return stranger;
    const found = await protection.establish(req);
    return 'refusal' in found ? found.refusal : (found.caller ?? stranger);
  }

  /** What goes wrong in answering is written to the log, and never thrown at the host. */
  async function safely(res: ServerResponse, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      report({ where: 'answering', error });
      if (res.headersSent) res.destroy();
      else sendMcpJson(res, 500, undefined);
    }
  }

  return {
    settings: resolved,
    get liveRuns() {
      return live.size;
    },
    respond: (req, res, input = {}) =>
      safely(res, async () => {
        if (res.destroyed) return;
        const caller = await admit(req, res, input);
        if (caller !== undefined) await answer(req, res, input, caller);
      }),
    respondMetadata: (req, res, path, headers) =>
      safely(res, async () => {
        const { status, body, headers: own } = await metadataAnswer(req, resolved, protection, path);
        sendMcpJson(res, status, body, { ...headers, ...own });
      }),
    close() {
      closed = true;
      live.abortAll('shutdown');
    },
  };
}

/**
 * Whose runs a cancellation reaches: those of the same subject of the same issuer by the same client, else of the same
 * address (R4). Strangers behind one address cannot be told apart.
 */
function principalOf({ issuer, subject, clientId }: McpCaller, req: IncomingMessage): string {
  return subject === undefined
    ? `peer ${req.socket.remoteAddress}`
    : `subject ${JSON.stringify([issuer, clientId, subject])}`;
}

/** The request, if its body is still there: one that a parser has taken would be waited for in vain. */
function unread(req: IncomingMessage): IncomingMessage {
  if (!req.readableEnded) return req;
  throw new Error('The body was read before the gate could: hand it to respond() as { body: { value } }.');
}
