/**
 * One way in: who asks, may they, what do they say, and how to send back. The gate knows HTTP; what a message means is
 * the protocol's, and what a tool does is the tool's.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { establishCaller, type McpCaller } from '../caller.js';
import type { McpServerFacts, McpServerFault } from '../protocol/context.js';
import { handleMcpMessage, refuseMcpMessage } from '../protocol/handle-message.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import { collectMcpTools, type McpToolSource } from '../tools/catalogue.js';
import { declareMcpTools } from '../tools/declare.js';
import { mcpDeclaredScopes } from '../tools/scopes.js';
import type { McpTool } from '../tools/tool.js';
import { answerHeaders, refuseEntry, type McpRefusal } from './admittance.js';
import { readMcpBody, type McpBody } from './body.js';
import { metadataAnswer } from './metadata-response.js';
import { McpProtection } from './protection.js';
import { bodyRefusal } from './body-refusal.js';
import { watchDisconnect } from './disconnect.js';
import { openMcpRun } from './open-run.js';
import { createMcpResponseStream, sendMcpJson } from './response-stream.js';
import { resolveGateSettings, type McpGateSettings, type ResolvedGateSettings } from './settings.js';
import { McpSettingsError } from './settings-check.js';

/** Where a gate writes for its operator. */
export interface McpLog {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  fatal?(message: string): void;
}

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

const CONSOLE_LOG: McpLog = {
  debug() {},
  warn: (message) => console.warn(message),
  error: (message) => console.error(message),
};

/**
 * A gate, ready to answer.
 *
 * @throws McpSettingsError for settings that cannot be used, McpDeclarationError for a bad tool in `tools`.
 */
export function defineMcpGate(settings: McpGateSettings, parts: McpGateParts = {}): McpGate {
  const resolved = resolveGateSettings(settings);
  const { log = CONSOLE_LOG, clock = SYSTEM_CLOCK } = parts;
  const source = parts.source ?? plainSource(resolved);
  const server = serverFacts(resolved);
  const stranger = strangerAt(resolved);
  const protection =
    resolved.authorization &&
    new McpProtection({ settings: resolved.authorization, name: resolved.name, scopes: declaredScopes, log });
  const live = new McpLiveRuns();
  let closed = false;

  function report({ where, error, fatal }: McpServerFault): string {
    const id = randomUUID();
    const cause = error instanceof Error ? (error.stack ?? String(error)) : inspect(error, { depth: 1 });
    const message = `[${resolved.name}] ${where} failed (${id}): ${cause}`;
    if (fatal === true && log.fatal !== undefined) log.fatal(message);
    else log.error(message);
    return id;
  }

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
    const body = input.body ?? (await readMcpBody(req, resolved.bodyLimit));
    const headers = answerHeaders(req, res, input.headers, resolved.allowedOrigins);
    const stream = createMcpResponseStream({ res, headers, accept: req.headers.accept, clock, ...resolved.stream });
    if ('fault' in body) {
      stream.finish(refuseMcpMessage(bodyRefusal(body.fault, resolved.bodyLimit), req));
      return;
    }
    const principal = caller.subject === undefined ? `peer ${req.socket.remoteAddress}` : `subject ${caller.subject}`;
    const catalogue = collectMcpTools(source, {
      caller,
      request: input.request,
      onWithheld: (tool, reason) => log.debug(`[${resolved.name}] tool ${tool.name} is withheld: ${reason}.`),
    });
    const result = await handleMcpMessage(body.value, {
      server,
      caller,
      catalogue,
      challenges: protection !== undefined,
      ...(resolved.accounts !== undefined && { accounts: resolved.accounts }),
      headers: req.headers,
      report,
      cancel: (requestId) => live.cancel(principal, requestId),
      openRun(request) {
        const { maxRunMs } = resolved;
        const run = openMcpRun({ request, caller, host: input.request, clock, maxRunMs, live, principal, stream });
        if (closed) run.abort('shutdown');
        else watchDisconnect(req, res, () => run.abort('disconnected'));
        stream.expectDelay();
        return run;
      },
    });
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

  return {
    settings: resolved,
    get liveRuns() {
      return live.size;
    },
    async respond(req, res, input = {}) {
      try {
        if (res.destroyed) return;
        const caller = await admit(req, res, input);
        if (caller !== undefined) await answer(req, res, input, caller);
      } catch (error) {
        report({ where: 'answering', error });
        if (!res.headersSent) sendMcpJson(res, 500, undefined);
        else res.destroy();
      }
    },
    async respondMetadata(req, res, path, headers) {
      try {
        const { status, body, headers: own } = await metadataAnswer(req, resolved, protection, path);
        sendMcpJson(res, status, body, { ...headers, ...own });
      } catch (error) {
        report({ where: 'answering', error });
        if (!res.headersSent) sendMcpJson(res, 500, undefined);
      }
    },
    close() {
      closed = true;
      live.abortAll('shutdown');
    },
  };
}

/** Who calls without a token. */
function strangerAt({ unprotectedRoles }: ResolvedGateSettings): McpCaller {
  return establishCaller({ roles: unprotectedRoles });
}

function serverFacts(settings: ResolvedGateSettings): McpServerFacts {
  const { name, version, title, instructions, protocol, cache } = settings;
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(instructions !== undefined && { instructions }),
    versions: protocol.versions,
    discover: protocol.discover,
    cache,
  };
}

/** Without Nest a gate serves the plain tools that its settings list. */
function plainSource({ tools }: ResolvedGateSettings): McpToolSource {
  if (tools === 'discovered' || tools.some((tool) => typeof tool === 'function')) {
    throw new McpSettingsError([
      '"tools" must be an array of tools: without Nest there is nothing to discover them in.',
    ]);
  }
  const index = declareMcpTools((tools as McpTool[]).map((tool, at) => ({ tool, origin: `settings.tools[${at}]` })));
  return { fixed: () => index };
}
